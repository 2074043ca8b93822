internal import Glibc

/// Identity, size and time of a file, to detect changes without reading it.
///
/// A replaced file has another stamp, and so has a file that was written to, unless within one tick
/// of the file system's clock.
struct FileStamp: Hashable, Sendable {
  /// Longer than the clock tick of any file system suitable for a store, in nanoseconds.
  private static let tick = 50_000_000

  private let node: UInt
  let byteCount: Int
  /// The time of the last write, in nanoseconds since 1970.
  private let modified: Int

  init(_ status: stat) {
    node = UInt(status.st_ino)
    byteCount = Int(status.st_size)
    modified = Self.nanoseconds(status.st_mtim)
  }

  /// The stamp of the file at `path`; nil if there is none.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Whether it was written so recently that another write could leave the stamp unchanged.
  var isFresh: Bool {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return modified > Self.nanoseconds(now) - Self.tick
  }

  private static func nanoseconds(_ time: timespec) -> Int {
    time.tv_sec &* 1_000_000_000 &+ time.tv_nsec
  }
}
