internal import Glibc

/// Exponential back-off between attempts to take a lock, until patience ends.
struct LockWait {
  private static let longestPause: UInt32 = 1_000

  let patience: Duration
  private var end: ContinuousClock.Instant?
  /// The next pause, in microseconds.
  private var pause: UInt32 = 50

  /// Whether patience has ended.
  private(set) var isOver = false

  init(patience: Duration) { self.patience = patience }

  /// Pauses; false if patience has ended.
  mutating func pass() -> Bool {
    let now = ContinuousClock.now
    let end = end ?? now + patience
    self.end = end
    guard now < end else {
      isOver = true
      return false
    }
    usleep(pause)  // on the engine's own queue, which may block
    pause = min(pause * 2, Self.longestPause)
    return true
  }
}
