internal import Synchronization

/// Counts requests so that no more than so many are made in a minute: a token bucket, as a value.
struct RequestBudget: Equatable, Sendable {
  /// How many requests may follow each other at once.
  let burst: Double
  /// How many more may be made in a second.
  let rate: Double
  private var tokens: Double
  private var last = Duration.zero

  /// - Parameter perMinute: at least 1; a sixth of them may come at once.
  init(perMinute: Int) {
    burst = max(2, Double(perMinute) / 6)
    rate = Double(perMinute) / 60
    tokens = burst
  }

  /// Takes a request at a moment; returns how long it has to wait, zero for not at all.
  ///
  /// A request that has to wait is not counted: ask again.
  mutating func take(at now: Duration) -> Duration {
    if now > last {
      tokens = min(burst, tokens + (now - last) / .seconds(1) * rate)
      last = now
    }
    guard tokens < 1 else {
      tokens -= 1
      return .zero
    }
    return .seconds((1 - tokens) / rate)
  }
}

/// Lets so many requests of one service through at a time, and so many in a minute.
actor RequestPace {
  /// A longer wait is an error: others can be asked instead.
  static let patience = Duration.seconds(2)

  private var budget: RequestBudget
  private let limit: Int
  private let timer: MonotonicTimer
  private var running = 0
  private var waiting: [(id: Int, continuation: CheckedContinuation<Void, Never>)] = []
  private var lastID = 0

  init(_ limits: SourceDescription.Limits, timer: MonotonicTimer) {
    budget = RequestBudget(perMinute: limits.requestsPerMinute)
    limit = limits.connections
    self.timer = timer
  }

  /// Makes a request when it is allowed.
  ///
  /// - Parameters:
  ///   - label: the service's name for the error.
  ///   - isCounted: whether it is one of the requests of which there may be so many in a minute.
  /// - Throws: ``ImageSourceError`` of kind `.resting` if that is not soon; what `request` throws.
  func perform<Answer: Sendable>(
    _ label: String, isCounted: Bool = true, _ request: @Sendable () async throws -> Answer
  ) async throws -> Answer {
    await enter()
    defer { leave() }
    try Task.checkCancellation()
    while isCounted {
      let wait = budget.take(at: timer.now())
      guard wait > .zero else { break }
      guard wait <= Self.patience else { throw ImageSourceError(.resting(wait), host: label) }
      try await timer.sleep(wait)
    }
    return try await request()
  }

  private func enter() async {
    guard running >= limit else {
      running += 1
      return
    }
    lastID += 1
    let id = lastID
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        waiting.append((id, continuation))
        // It may have been cancelled before it was in the line.
        if Task.isCancelled { admit(id) }
      }
    } onCancel: {
      Task { await admit(id) }
    }
  }

  /// Lets one in out of its turn, who leaves again at once.
  private func admit(_ id: Int) {
    guard let index = waiting.firstIndex(where: { $0.id == id }) else { return }
    running += 1
    waiting.remove(at: index).continuation.resume()
  }

  private func leave() {
    running -= 1
    guard running < limit, !waiting.isEmpty else { return }
    running += 1
    waiting.removeFirst().continuation.resume()
  }
}

/// Tells time that is never turned back, and waits by it.
struct MonotonicTimer: Sendable {
  /// The time since the timer was made.
  let now: @Sendable () -> Duration
  /// Waits; throws `CancellationError`.
  let sleep: @Sendable (Duration) async throws -> Void

  init(
    now: @escaping @Sendable () -> Duration,
    sleep: @escaping @Sendable (Duration) async throws -> Void
  ) {
    self.now = now
    self.sleep = sleep
  }

  init(_ clock: some Clock<Duration>) {
    let start = clock.now
    now = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(for: $0) }
  }
}
