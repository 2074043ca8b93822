internal import Glibc

/// What a file looks like from outside.
///
/// Another file that takes its place looks different, and so does the same one after it was written
/// to, unless that is within a tick of the file system's clock.
struct FileStamp: Hashable, Sendable {
  /// Longer than the tick of any file system that one would keep a store on, in nanoseconds.
  private static let tick = 50_000_000

  private let node: UInt
  let byteCount: Int
  /// When it was written to, in nanoseconds since 1970.
  private let modified: Int

  init(_ status: stat) {
    node = UInt(status.st_ino)
    byteCount = Int(status.st_size)
    modified = Self.nanoseconds(status.st_mtim)
  }

  /// What the file at `path` looks like; nil if there is none.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Whether it was written to so recently that it can be written to again and look the same.
  var isFresh: Bool {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return modified > Self.nanoseconds(now) - Self.tick
  }

  private static func nanoseconds(_ time: timespec) -> Int {
    time.tv_sec &* 1_000_000_000 &+ time.tv_nsec
  }
}
