/// How often an operation is tried again that other writers came before, and how long it waits.
///
/// It ends after 20 attempts, but not before ``patience`` is over: on a busy file with ten writers
/// each attempt succeeds once in ten times, and an operation that gets its turn is worth waiting
/// for.
struct ConflictBackOff {
  /// How many attempts there are at least.
  static let attemptLimit = 20
  /// The longest wait between two, in milliseconds.
  private static let longestWait = 64

  private var attempts = 0
  private let end: ContinuousClock.Instant

  /// - Parameter patience: how long an operation is tried at least.
  init(patience: Duration) {
    end = .now + patience
  }

  /// The longest wait after so many attempts, in milliseconds: 0, 1, 2, 4, and so on.
  static func wait(afterAttempts attempts: Int) -> Int {
    attempts < 2 ? 0 : min(1 << min(attempts - 2, 16), longestWait)
  }

  /// Returns when the operation may be tried again.
  ///
  /// - Parameter type: what is stored, for the error.
  /// - Returns: whether that took a while, in which others may have written more.
  /// - Throws: ``StorageError/tooManyConflicts(type:attempts:)`` after the last attempt.
  mutating func waitAfterConflict<Item>(over type: Item.Type) async throws(StorageError) -> Bool {
    attempts += 1
    guard attempts < Self.attemptLimit || .now < end else {
      throw .tooManyConflicts(type: TypeName(type).shown, attempts: attempts)
    }
    let longest = Self.wait(afterAttempts: attempts)
    guard longest > 0 else { return false }
    // Between nothing and all of it: two that have met once do not meet again.
    let wait = Int.random(in: 0...longest * 1_000)
    try? await Task.sleep(for: .microseconds(wait))  // a canceled caller waits less
    return true
  }
}
