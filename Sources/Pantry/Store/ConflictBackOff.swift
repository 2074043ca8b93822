/// Retries an operation that lost to other writers, with exponential back-off.
///
/// It gives up after 20 attempts, but not before `patience` is over: with ten writers on a busy
/// file one attempt in ten succeeds, so an operation needs many.
struct ConflictBackOff {
  /// The minimum number of attempts.
  static let attemptLimit = 20
  /// The longest wait between two attempts, in milliseconds.
  private static let longestWait = 64

  private var attempts = 0
  private let services = ProcessContext.current.services
  private let end: Duration

  /// - Parameter patience: the minimum time before giving up.
  init(patience: Duration) {
    end = services.uptime + patience
  }

  /// The longest wait after `attempts` attempts, in milliseconds: 0, 1, 2, 4, and so on.
  static func wait(afterAttempts attempts: Int) -> Int {
    attempts < 2 ? 0 : min(1 << min(attempts - 2, 16), longestWait)
  }

  /// Waits until the operation may be tried again.
  ///
  /// - Parameter type: the item type, for the error.
  /// - Returns: whether it slept; other processes may have written more meanwhile.
  /// - Throws: ``StorageError/tooManyConflicts(type:attempts:)`` after the last attempt.
  mutating func waitAfterConflict<Item>(over type: Item.Type) async throws(StorageError) -> Bool {
    attempts += 1
    guard attempts < Self.attemptLimit || services.uptime < end else {
      throw .tooManyConflicts(type: TypeName(type).shown, attempts: attempts)
    }
    let longest = Self.wait(afterAttempts: attempts)
    guard longest > 0 else { return false }
    // Random, so that two writers that collided once do not collide again.
    let wait = Int(services.random() % UInt64(longest * 1_000 + 1))
    try? await services.sleep(for: .microseconds(wait))  // a canceled caller waits less
    return true
  }
}
