public import FoundationEssentials
internal import Glibc

/// A directory in which an engine keeps its files.
///
/// The places are those of ``BaseDirectories``.
public struct StorageDirectory: Hashable, Sendable {
  /// The directory; it need not exist yet.
  public let url: URL

  /// Names the directory at `url`.
  public init(url: URL) {
    self.url = url
  }

  /// The directory `path` in `$XDG_DATA_HOME`, or in `~/.local/share`.
  public static func defaultStorageDirectory(appendingPath path: String) -> StorageDirectory {
    StorageDirectory(url: BaseDirectories().data.appending(path: path))
  }

  /// The directory `path` in `$XDG_CACHE_HOME`, or in `~/.cache`: its content may vanish.
  public static func caches(appendingPath path: String) -> StorageDirectory {
    StorageDirectory(url: BaseDirectories().caches.appending(path: path))
  }

  /// The directory `path` in `$XDG_STATE_HOME`, or in `~/.local/state`.
  public static func state(appendingPath path: String) -> StorageDirectory {
    StorageDirectory(url: BaseDirectories().state.appending(path: path))
  }

  /// The directory of the program's data, in `$XDG_DATA_HOME` or in `~/.local/share`.
  ///
  /// It is named after the module whose code asks for it, such as `Notes`, and not after the
  /// executable, which may be renamed. A program of several modules asks in one of them.
  ///
  /// - Parameter fileID: the code that asks; its module is before the slash.
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

  /// Creates the directory and those above it, with mode 0700, if it is not there.
  ///
  /// - Throws: `StorageError.cannotCreate`, which names what is in the way.
  func create() throws(StorageError) {
    let path = url.standardizedFileURL.path(percentEncoded: false)
    try Self.create(path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path)
  }

  private static func create(_ path: String) throws(StorageError) {
    if mkdir(path, 0o700) == 0 { return }
    var code = errno
    let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    if code == ENOENT, !parent.isEmpty, !isDirectory(parent) {
      try create(parent)
      if mkdir(path, 0o700) == 0 { return }
      code = errno
    }
    switch code {
    // Also EROFS and EACCES may be said of what is there.
    case _ where isDirectory(path): return
    case EEXIST: throw .cannotCreate(path: path, reason: SystemError(code: ENOTDIR).description)
    case ENOTDIR: throw .cannotCreate(path: path, reason: "part of its path is a file")
    // Its parent is there: the kernel makes what is in /proc and /sys.
    case ENOENT: throw .cannotCreate(path: path, reason: "its file system takes no directories")
    default: throw .cannotCreate(path: path, reason: SystemError(code: code).description)
    }
  }

  private static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
