/// Measures how long the main actor is kept from its other work.
@MainActor
enum MainActorTicker {
  /// The greatest time between two turns of a task that always wants the main actor, while `body`
  /// runs, in milliseconds.
  ///
  /// The clock's time: a turn that the system gave to another process counts too.
  static func longestGap(during body: @MainActor () async throws -> Void) async throws -> Double {
    let clock = ContinuousClock()
    let ticker = Task { @MainActor in
      var longest = Duration.zero
      var last = clock.now
      while !Task.isCancelled {
        await Task.yield()
        let now = clock.now
        longest = max(longest, now - last)
        last = now
      }
      return longest
    }
    await Task.yield()
    try await body()
    ticker.cancel()
    return await ticker.value / .milliseconds(1)
  }
}
