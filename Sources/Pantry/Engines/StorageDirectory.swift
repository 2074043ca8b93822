public import FoundationEssentials

/// A directory in which an engine keeps its files.
///
/// The standard ones follow the XDG Base Directory Specification 0.8: a variable that is unset,
/// empty or not an absolute path is ignored. So is `HOME`; its fallback is the home directory of
/// the user database (passwd(5)).
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
    if let otherOwner { throw otherOwner }
    try Directories.create(path)
  }

  /// ``StorageError/placeNeeded(module:program:former:)`` if it is the default place of a module
  /// that is not the program's.
  var otherOwner: StorageError? {
    guard let module, let program = ProgramModule.current, module != program else { return nil }
    return .placeNeeded(module: module, program: program, former: path)
  }

  /// The path of the directory as it was given, without a slash at its end: the kernel resolves
  /// links and `..`.
  var path: String {
    let path = url.pathForKernel
    return path.utf8.count > 1 && path.utf8.last == UInt8(ascii: "/")
      ? String(path.utf8.dropLast()) ?? path : path
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
