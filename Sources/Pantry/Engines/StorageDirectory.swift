public import FoundationEssentials
internal import Glibc
internal import SystemSupport

/// A directory in which an engine keeps its files.
///
/// The standard ones are in the ``BaseDirectories``.
///
/// A value for any thread. Making one looks at the environment and nothing else: no directory is
/// created before an engine needs it.
public struct StorageDirectory: Hashable, Sendable {
  /// The directory; it need not exist yet.
  public let url: URL
  /// The module that asked for the program's directory; nil for any other directory.
  private(set) var module: String?

  /// Creates a value for the directory at `url`; creates nothing on disk.
  public init(url: URL) {
    self.url = url
  }

  /// The directory of the program's files, as a module asks for it.
  init(url: URL, module: String) {
    self.url = url
    self.module = module
  }

  /// The directory `path` in `$XDG_DATA_HOME`, or `~/.local/share`.
  public static func defaultStorageDirectory(appendingPath path: String) -> StorageDirectory {
    StorageDirectory(url: BaseDirectories().data.appending(path: path))
  }

  /// The directory `path` in `$XDG_CACHE_HOME`, or `~/.cache`: its content may be deleted at any
  /// time.
  public static func caches(appendingPath path: String) -> StorageDirectory {
    StorageDirectory(url: BaseDirectories().caches.appending(path: path))
  }

  /// The directory `path` in `$XDG_STATE_HOME`, or `~/.local/state`.
  public static func state(appendingPath path: String) -> StorageDirectory {
    StorageDirectory(url: BaseDirectories().state.appending(path: path))
  }

  /// The directory of the program's data, in `$XDG_DATA_HOME` or `~/.local/share`.
  ///
  /// It is named after the calling module, such as `Notes`, which must be the program's, that of
  /// its `main`: nothing is saved there for another module, whose operations throw
  /// ``StorageError/placeNeeded(module:program:former:)``. The name of the executable does not
  /// matter. In tests, and in an executable without symbols, every module may call it.
  ///
  /// - Parameter fileID: the calling file; its module, before the slash, names the directory.
  public static func programData(fileID: String = #fileID) -> StorageDirectory {
    ProgramDirectory(in: BaseDirectories().data, fileID: fileID).holding("pantry.sqlite")
  }

  /// The directory `path` in `~/Documents`.
  public static func documents(appendingPath path: String) -> StorageDirectory {
    StorageDirectory(url: BaseDirectories().home.appending(path: "Documents").appending(path: path))
  }

  /// The directory `path` in the system's directory for temporary files.
  public static func temporary(appendingPath path: String) -> StorageDirectory {
    StorageDirectory(url: FileManager.default.temporaryDirectory.appending(path: path))
  }

  /// Creates the directory and its parents, with mode 0700, if it does not exist.
  ///
  /// It flushes what it has created: a power failure could take it, and all that is in it.
  ///
  /// - Throws: `StorageError.cannotCreate` with the path of the obstacle; `unusablePath`;
  ///   `placeNeeded`.
  func create() throws(StorageError) {
    try requireOwner()
    try Self.create(path)
  }

  /// Throws ``StorageError/placeNeeded(module:program:former:)`` if it is the default place of a
  /// module that is not the program's.
  func requireOwner() throws(StorageError) {
    guard let module, let program = ProgramModule.current, module != program else { return }
    throw .placeNeeded(module: module, program: program, former: path)
  }

  /// The path of the directory as it was given, without a slash at its end: the kernel resolves
  /// links and `..`.
  var path: String {
    let path = url.pathForKernel
    return path.utf8.count > 1 && path.utf8.last == UInt8(ascii: "/")
      ? String(path.utf8.dropLast()) ?? path : path
  }

  /// Throws if a path would lead elsewhere than it was meant to.
  static func requireUsable(_ path: String) throws(StorageError) {
    guard let reason = PathText.problem(of: path) else { return }
    throw .unusablePath(path: path, reason: reason)
  }

  /// Creates the directory at `path` in the same way.
  static func create(_ path: String) throws(StorageError) {
    try requireUsable(path)
    try createWithParents(path)
  }

  private static func createWithParents(_ path: String) throws(StorageError) {
    let parent = FileLocation(path).directory
    if Descriptors.createDirectory(path) == 0 { return try flush(path, in: parent) }
    var code = errno
    if code == ENOENT, parent != path, !isDirectory(parent) {
      try createWithParents(parent)
      if Descriptors.createDirectory(path) == 0 { return try flush(path, in: parent) }
      code = errno
    }
    switch code {
    // EROFS and EACCES too may be reported for an existing directory.
    case _ where isDirectory(path): return
    case EEXIST where FileLocation(followingLinksFrom: path).path != path:
      // A link that leads nowhere yet.
      try createWithParents(FileLocation(followingLinksFrom: path).path)
    case EEXIST: throw .cannotCreate(path: path, reason: SystemError(code: ENOTDIR).description)
    case ENOTDIR: throw .cannotCreate(path: path, reason: "part of its path is a file")
    // Its parent exists: the kernel creates the entries of /proc and /sys.
    case ENOENT: throw .cannotCreate(path: path, reason: "its file system has no directories")
    default: throw .cannotCreate(path: path, reason: SystemError(code: code).description)
    }
  }

  /// Flushes the name of a new directory, or removes it, so that another attempt flushes it.
  private static func flush(_ path: String, in parent: String) throws(StorageError) {
    let descriptor = Descriptors.openDirectory(parent)
    defer { if descriptor >= 0 { close(descriptor) } }
    while descriptor < 0 || fsync(descriptor) != 0 {
      switch errno {
      case EINTR where descriptor >= 0: continue
      // A parent that cannot be read, or a file system that flushes no directories.
      case EACCES, EINVAL, ENOTSUP: return
      case let code:
        rmdir(path)
        throw .cannotCreate(path: path, reason: SystemError(code: code).description)
      }
    }
  }

  private static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}

extension URL {
  /// The path as it was given: `standardizedFileURL` would resolve `link/..` by its text.
  var pathForKernel: String {
    let path = path(percentEncoded: false)
    guard let baseURL, path.utf8.first != UInt8(ascii: "/") else { return path }
    let base = baseURL.pathForKernel
    return path.isEmpty ? base : FileLocation(base).sibling(path).path
  }
}
