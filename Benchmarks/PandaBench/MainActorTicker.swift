/// Measures how long the main actor is kept from its other work.
@MainActor
final class MainActorTicker {
  private var last = ContinuousClock.now
  private var longest = Duration.zero
  private var isRunning = true

  /// The greatest time between two turns of a task that always wants the main actor, while `body`
  /// runs, in milliseconds.
  ///
  /// The clock's time: a turn that the system gave to another process counts too.
  static func longestGap(during body: @MainActor () async throws -> Void) async throws -> Double {
    let ticker = MainActorTicker()
    ticker.tick()
    try await body()
    ticker.note()
    ticker.isRunning = false
    return ticker.longest / .milliseconds(1)
  }

  /// Asks for the next turn with a task of its own: `Task.yield()` would wait for a turn of the
  /// cooperative pool too, behind the decoding.
  private func tick() {
    note()
    guard isRunning else { return }
    Task { @MainActor in tick() }
  }

  private func note() {
    let now = ContinuousClock.now
    longest = max(longest, now - last)
    last = now
  }
}
