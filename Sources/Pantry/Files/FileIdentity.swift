internal import Glibc

/// Identifies a file, to detect that another one replaced it under its name.
struct FileIdentity: Hashable, Sendable {
  private let device: UInt
  private let node: UInt

  init(_ status: stat) {
    device = UInt(status.st_dev)
    node = UInt(status.st_ino)
  }

  /// Identifies the file at `path` now; nil if there is none, or the system cannot tell.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }
  /// Whether there is no file at `path`; false if the system cannot tell.
  static func isAbsent(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) != 0 && (errno == ENOENT || errno == ENOTDIR)
  }
}
