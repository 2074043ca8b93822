internal import Glibc

/// Identifies a file, to detect that another one replaced it under its name.
struct FileIdentity: Hashable, Sendable {
  private let device: UInt
  private let node: UInt

  init(_ status: stat) {
    device = UInt(status.st_dev)
    node = UInt(status.st_ino)
  }

  /// Identifies the file at `path` now; nil if there is none.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }
}
