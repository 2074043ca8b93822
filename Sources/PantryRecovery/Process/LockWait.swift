/// Exponential back-off between attempts to take a lock, until patience ends.
package struct LockWait {
  private static let longestPause = Duration.milliseconds(1)

  package let patience: Duration
  private let services = ProcessContext.current.services
  /// The end of patience, by the clock that is never set.
  private var end: Duration?
  private var pause = Duration.microseconds(50)

  package private(set) var isOver = false

  package init(patience: Duration) { self.patience = patience }

  /// Pauses; false if patience has ended.
  package mutating func pass() -> Bool {
    let now = services.uptime
    let end = end ?? now + patience
    self.end = end
    guard now < end else {
      isOver = true
      return false
    }
    services.pause(for: pause)  // on the engine's own queue, which may block
    pause = min(pause * 2, Self.longestPause)
    return true
  }
}
