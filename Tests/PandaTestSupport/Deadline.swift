/// Tells that something did not happen in time.
public struct DeadlineError: Error, Equatable, Sendable {
  /// The time there was.
  public let deadline: Duration
}

/// Runs a cancellable operation, and cancels it when the deadline passes.
///
/// - Throws: `DeadlineError`, or what the operation throws.
public func withDeadline<Value: Sendable>(
  _ deadline: Duration = .seconds(120), _ operation: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  try await withThrowingTaskGroup(of: Value.self) { group in
    group.addTask { try await operation() }
    group.addTask {
      try await Task.sleep(for: deadline)
      throw DeadlineError(deadline: deadline)
    }
    defer { group.cancelAll() }
    return try await group.next()!
  }
}
