internal import Glibc

/// The pauses between attempts to take a lock, which grow, until patience ends.
struct LockWait {
  private static let longestPause: UInt32 = 1_000

  let patience: Duration
  private var end: ContinuousClock.Instant?
  /// In microseconds.
  private var pause: UInt32 = 50

  /// Whether there has been time enough.
  private(set) var isOver = false

  init(patience: Duration) { self.patience = patience }

  /// Pauses; false if there has been time enough.
  mutating func pass() -> Bool {
    let now = ContinuousClock.now
    let end = end ?? now + patience
    self.end = end
    guard now < end else {
      isOver = true
      return false
    }
    usleep(pause)  // on the engine's own queue, which is there to wait
    pause = min(pause * 2, Self.longestPause)
    return true
  }
}
