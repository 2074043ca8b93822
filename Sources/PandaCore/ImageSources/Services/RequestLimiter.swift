/// Limits the number of requests per minute: a token bucket, as a value.
struct RequestBudget: Equatable, Sendable {
  /// The number of requests that may be made at once.
  let burst: Double
  /// The number of further requests per second.
  let rate: Double
  private var tokens: Double
  private var last = Duration.zero

  /// - Parameter perMinute: at least 1; a sixth of them may be made at once.
  init(perMinute: Int) {
    burst = max(2, Double(perMinute) / 6)
    rate = Double(perMinute) / 60
    tokens = burst
  }

  /// Gives back the token of a request that never reached its server.
  mutating func refund() { tokens = min(burst, tokens + 1) }

  /// Takes a token; returns how long to wait, zero for not at all.
  ///
  /// A request that has to wait is not counted: call this again.
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

/// Limits the concurrent requests to one service, and the requests per minute.
actor RequestLimiter {
  /// The maximum wait; a longer one is an error, since other sources can be asked instead.
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

  /// Makes a request once it is allowed.
  ///
  /// - Parameters:
  ///   - label: the service's name for the error.
  ///   - isCounted: whether the request counts towards the limit per minute.
  /// - Throws: ``ImageSourceError`` of kind `.resting` if that is not soon; any error of `request`.
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
    do {
      return try await request()
    } catch let error as HTTPError where isCounted && error.isUnsent {
      budget.refund()
      throw error
    }
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
        // It may have been canceled before it was queued.
        if Task.isCancelled { admit(id) }
      }
    } onCancel: {
      Task { await admit(id) }
    }
  }

  /// Admits a canceled request out of turn; it leaves again immediately.
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

/// A clock that is never set back, and sleeps on it.
struct MonotonicTimer: Sendable {
  /// The time since the timer was created.
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
