/// When a source or a host may be asked next, and why not before: a state machine, as a value.
///
/// Times come from a clock that is never set back.
package struct RequestGate: Equatable, Sendable {
  /// Why it is not asked.
  package enum Reason: Equatable, Sendable {
    /// It asked to wait (429, or another status with a Retry-After).
    case request
    /// It failed several times in a row.
    case failures
    /// As much as its description allows was asked for.
    case limit
    /// It refuses this program (401, 403): not until the next launch.
    case refusal
  }

  package struct Rest: Equatable, Sendable {
    package let wait: Duration
    package let reason: Reason
  }

  package enum Failure: Equatable, Sendable {
    /// It did not answer, or its answer was unusable.
    case useless
    /// It refuses this program (401, 403).
    case refused
    /// It asked to wait (429, or another status with a Retry-After).
    case tooMany(wait: Duration?)
    /// It was not asked, for this time.
    case resting(Duration)
    /// The machine's own network is the likely cause.
    case offline
  }

  /// The number of consecutive failures before it has to wait.
  static let patience = 3
  /// The first wait, also after a 429 that names none; each further failure doubles it.
  static let firstWait = Duration.seconds(30)
  static let longestWait = Duration.seconds(15 * 60)
  private static let hour = Duration.seconds(3600)

  /// The number of consecutive failures.
  package private(set) var failures = 0
  /// The moments before which it is not asked.
  private var ends: [Reason: Duration] = [:]
  /// When the requests per minute that were made are paid off, at their rate.
  private(set) var paidOff = Duration.zero
  /// The moments of the last hour at which lists were requested.
  private(set) var lists: [Duration] = []

  /// Returns the longest wait before it may be asked; nil if it may be asked now.
  package func rest(at now: Duration) -> Rest? {
    ends.max { $0.value < $1.value }
      .flatMap { $0.value > now ? Rest(wait: $0.value - now, reason: $0.key) : nil }
  }

  /// Returns the rest of the wait that it asked for itself.
  func requestedRest(at now: Duration) -> Duration? {
    ends[.request].flatMap { $0 > now ? $0 - now : nil }
  }

  /// Describes the consequence of the failures, for the log.
  func words(at now: Duration) -> String {
    guard let rest = rest(at: now) else {
      return "It may be asked again; failures in a row: \(failures)"
    }
    return rest.reason == .refusal
      ? "Disabled until the next launch" : "It is not asked for \(rest.wait.roughWords)"
  }

  // MARK: Limits

  /// Makes one of so many requests in any minute, a sixth of which may be made at once.
  ///
  /// - Parameter limit: at least 2.
  /// - Returns: how long to wait first; then it was not made, and this is called again.
  mutating func request(perMinute limit: Int, at now: Duration) -> Duration? {
    let interval = Self.interval(perMinute: limit)
    let start = max(paidOff, now)
    let wait = start - now - interval * (Self.burst(perMinute: limit) - 1)
    guard wait <= .zero else { return wait }
    paidOff = start + interval
    return nil
  }

  /// Takes back a request that never reached the host.
  mutating func takeBackRequest(perMinute limit: Int) { paidOff -= Self.interval(perMinute: limit) }

  private static func burst(perMinute limit: Int) -> Int { min(limit, max(2, limit / 6)) }

  /// The time between requests after a burst, with which no minute has more than the limit.
  private static func interval(perMinute limit: Int) -> Duration {
    .seconds(60) / (limit - burst(perMinute: limit) + 1)
  }

  /// Requests one of so many lists in any hour.
  ///
  /// - Returns: how long to wait first; then it was not requested.
  mutating func requestList(perHour limit: Int, at now: Duration) -> Duration? {
    lists.removeAll { now - $0 >= Self.hour }
    guard lists.count < limit else { return lists[lists.count - limit] + Self.hour - now }
    lists.append(now)
    return nil
  }

  /// Takes back the last list, whose request never reached the host.
  mutating func takeBackList() { _ = lists.popLast() }

  // MARK: Answers

  mutating func succeed() {
    failures = 0
    ends = ends.filter { $0.key == .request }
  }

  /// Learns what another process, or an earlier one, was asked for and has requested.
  mutating func learn(requestedUntil end: Duration, paidOff: Duration?, lists: [Duration]) {
    hold(.request, until: end)
    if let paidOff { self.paidOff = max(self.paidOff, paidOff) }
    if lists.count > self.lists.count { self.lists = lists }
  }

  /// Records that the host asked to wait.
  mutating func obey(_ wait: Duration, at now: Duration) { hold(.request, until: now + wait) }

  /// Records a failure.
  ///
  /// - Parameter jitter: 0..<1, random, so that hosts that failed together do not retry together.
  mutating func fail(_ failure: Failure, at now: Duration, jitter: Double) {
    switch failure {
    case .offline: break
    // Longer than any launch.
    case .refused: ends[.refusal] = .seconds(1 << 40)
    case .resting(let wait): if requestedRest(at: now) == nil { hold(.limit, until: now + wait) }
    case .tooMany(let wait):
      failures += 1
      obey(wait ?? Self.firstWait, at: now)
      hold(.failures, until: now + backOff)
    case .useless:
      failures += 1
      // Between three quarters of the wait and all of it: never longer than the longest.
      hold(.failures, until: now + backOff * (1 - 0.25 * min(max(jitter, 0), 1)))
    }
  }

  /// The wait after this many failures.
  private var backOff: Duration {
    guard failures >= Self.patience else { return .zero }
    return min(Self.firstWait * (1 << min(failures - Self.patience, 10)), Self.longestWait)
  }

  private mutating func hold(_ reason: Reason, until end: Duration) {
    ends[reason] = max(ends[reason] ?? end, end)
  }
}
