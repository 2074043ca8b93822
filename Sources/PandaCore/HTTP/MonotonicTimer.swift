/// A clock that is never set back, and sleeps on it.
package struct MonotonicTimer: Sendable {
  /// The time since the timer was created.
  package let now: @Sendable () -> Duration
  /// Waits; throws `CancellationError`.
  package let sleep: @Sendable (Duration) async throws -> Void

  package init(
    now: @escaping @Sendable () -> Duration,
    sleep: @escaping @Sendable (Duration) async throws -> Void
  ) {
    self.now = now
    self.sleep = sleep
  }

  package init(_ clock: some Clock<Duration>) {
    let start = clock.now
    now = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(for: $0) }
  }
}
