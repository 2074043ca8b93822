public import FoundationEssentials

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

  /// The directory named after the running program in `$XDG_STATE_HOME`, or in `~/.local/state`.
  public static var programState: StorageDirectory {
    state(appendingPath: ProcessInfo.processInfo.processName)
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
  func create() throws {
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }
}
