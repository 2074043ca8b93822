extension Task where Success: Sendable {
  /// Returns the task's result; nil if it takes longer, in which case the task continues.
  ///
  /// - Parameter clock: measures the wait.
  @MainActor
  package func result(
    within patience: Duration, on clock: some Clock<Duration>
  ) async -> Result<Success, Failure>? {
    await withCheckedContinuation { continuation in
      let first = FirstAnswer<Result<Success, Failure>>(continuation)
      let wait = Task<Void, Never> { @MainActor in
        // Canceled when the task ends: its result has been taken then.
        try? await clock.sleep(for: patience)
        first.take(nil)
      }
      Task<Void, Never> { @MainActor in
        first.take(await self.result)
        wait.cancel()
      }
    }
  }
}

/// Passes on the first of two answers.
@MainActor
private final class FirstAnswer<Value: Sendable> {
  private var continuation: CheckedContinuation<Value?, Never>?

  init(_ continuation: CheckedContinuation<Value?, Never>) { self.continuation = continuation }

  func take(_ value: Value?) {
    continuation?.resume(returning: value)
    continuation = nil
  }
}
