/// Exponential back-off between attempts to take a lock, until nothing has moved for too long.
///
/// Signals shorten no wait: its end is a moment of a clock that is never set.
package struct LockWait {
  private static let longestPause = Duration.milliseconds(1)

  package let patience: Duration
  private let services = ProcessContext.current.services
  /// The end of patience, by the clock that is never set.
  private var end: Duration?
  private var pause = Duration.microseconds(50)
  private var seen: [FileStamp?] = []

  package private(set) var isOver = false

  /// - Parameter patience: the time after which it ends, from the last progress on.
  package init(patience: Duration) { self.patience = patience }

  /// Pauses; false if patience has ended.
  ///
  /// - Parameter files: files that those who have the lock write to: patience begins anew with each
  ///   write.
  package mutating func pass(seeing files: [FileStamp?] = []) -> Bool {
    let now = services.uptime
    if !files.resemble(seen) { end = nil }
    seen = files
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
