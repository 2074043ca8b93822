internal import Glibc

/// Measures how long the main actor is blocked.
@MainActor
final class MainActorTicker {
  /// The longest time between two turns of a task that always requests the main actor.
  struct Longest {
    /// Wall-clock time in milliseconds: includes time that the system gave to another thread.
    fileprivate(set) var elapsed = 0.0
    /// Processor time of the main actor's thread, in milliseconds.
    fileprivate(set) var computed = 0.0
  }

  private var longest = Longest()
  private var last = Moment()
  private var isRunning = true

  /// Returns the longest turns while `body` runs.
  static func longestTurns(during body: @MainActor () async throws -> Void) async throws -> Longest
  {
    let ticker = MainActorTicker()
    ticker.tick()
    try await body()
    ticker.note()
    ticker.isRunning = false
    return ticker.longest
  }

  /// Requests the next turn with a separate task.
  ///
  /// `Task.yield()` would also wait for a turn of the cooperative pool, behind the decoding.
  private func tick() {
    note()
    guard isRunning else { return }
    Task { @MainActor in tick() }
  }

  private func note() {
    let now = Moment()
    longest.elapsed = max(longest.elapsed, now.elapsed - last.elapsed)
    // On Linux the main actor may move to another thread, whose time is not comparable.
    if now.thread == last.thread {
      longest.computed = max(longest.computed, now.computed - last.computed)
    }
    last = now
  }

  private struct Moment {
    let elapsed = Moment.milliseconds(of: CLOCK_MONOTONIC)
    let computed = Moment.milliseconds(of: CLOCK_THREAD_CPUTIME_ID)
    let thread = pthread_self()

    private static func milliseconds(of clock: clockid_t) -> Double {
      var time = timespec()
      clock_gettime(clock, &time)
      return Double(time.tv_sec) * 1_000 + Double(time.tv_nsec) / 1_000_000
    }
  }
}
