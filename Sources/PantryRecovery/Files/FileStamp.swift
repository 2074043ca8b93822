package import Glibc

/// Identity, size and time of a file, to detect changes without reading it.
///
/// A write may leave all three as they were, if it comes within one tick of the file system's clock
/// after the write before it. So a stamp that was taken right after a write proves nothing, and
/// there is no `==`.
package struct FileStamp: Sendable {
  /// Longer than the tick of a file system with fractions of a second, in nanoseconds.
  ///
  /// That is 10 ms on a kernel with 100 ticks a second, and on exFAT.
  private static let tick = 50_000_000
  /// The tick of the others, such as ext4 with small inodes, and FAT with two seconds.
  private static let wholeSeconds = 2_000_000_000

  private let node: UInt
  package let byteCount: Int
  /// Whether it is neither a directory nor a pipe, a socket or a device.
  package let isPlain: Bool
  /// The time of the last write, in nanoseconds since 1970.
  private let modified: Int
  /// Whether another write could have left the stamp unchanged when it was taken.
  private let isFresh: Bool

  /// - Parameter now: the time on the system's clock, in nanoseconds since 1970.
  package init(_ status: stat, now: Int = Self.now) {
    node = UInt(status.st_ino)
    byteCount = Int(status.st_size)
    isPlain = status.st_mode & S_IFMT == S_IFREG
    modified = Self.nanoseconds(status.st_mtim)
    let tick = status.st_mtim.tv_nsec == 0 ? Self.wholeSeconds : Self.tick
    // A time in the future is that of a clock that was set back: the next write changes it.
    isFresh = abs(now - modified) < tick
  }

  /// The stamp of the file at `path`; nil if there is none.
  package init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Whether the file of a later stamp is certainly as it was when this one was taken.
  package func isUnchanged(in later: FileStamp?) -> Bool {
    !isFresh && resembles(later)
  }

  /// Whether another stamp is the same, so that at most a write within one tick came in between.
  package func resembles(_ other: FileStamp?) -> Bool {
    guard let other else { return false }
    return node == other.node && byteCount == other.byteCount && modified == other.modified
  }

  static var now: Int {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return nanoseconds(now)
  }

  private static func nanoseconds(_ time: timespec) -> Int {
    time.tv_sec &* 1_000_000_000 &+ time.tv_nsec
  }
}

extension [FileStamp?] {
  /// Whether the stamps are the same, so that at most writes within one tick came in between.
  func resemble(_ others: [FileStamp?]) -> Bool {
    count == others.count
      && zip(self, others).allSatisfy { one, other in
        one.map { $0.resembles(other) } ?? (other == nil)
      }
  }

  /// Whether all files, or their absence, are certainly as they were when these were taken.
  package func areUnchanged(in later: [FileStamp?]) -> Bool {
    zip(self, later).allSatisfy { former, later in
      former.map { $0.isUnchanged(in: later) } ?? (later == nil)
    }
  }
}
