/// Tracks a source's failures and when it may be asked again: a state machine, as a value.
///
/// Times come from a clock that is never set back.
package struct SourceHealth: Equatable, Sendable {
  package enum Failure: Equatable, Sendable {
    /// It did not answer, or its answer was unusable.
    case useless
    /// It refuses this program (401, 403).
    case refused
    /// It asked to wait (429, or another status with a Retry-After).
    case tooMany(wait: Duration?)
    /// Its rate limit kept it from being asked.
    case resting(Duration)
    /// The machine's own network is the likely cause.
    case offline
  }

  package enum State: Equatable, Sendable {
    case ready
    case waiting(until: Duration)
    /// Not until the next start.
    case off
  }

  /// The number of consecutive failures before it has to wait.
  static let patience = 3
  /// The first wait; each further failure doubles it.
  static let firstWait = Duration.seconds(30)
  static let longestWait = Duration.seconds(15 * 60)

  /// The number of consecutive failures.
  package private(set) var failures = 0
  private(set) var state = State.ready
  /// Whether the source itself asked for the wait.
  private var isWaitRequested = false

  /// Returns whether it may be asked at a moment.
  package func state(at now: Duration) -> State {
    if case .waiting(let end) = state, end <= now { .ready } else { state }
  }

  mutating func succeed() { self = SourceHealth() }

  /// Records a failure.
  ///
  /// - Parameter jitter: 0..<1, random, so that sources that failed together do not retry together.
  mutating func fail(_ failure: Failure, at now: Duration, jitter: Double) {
    switch failure {
    case .offline: break
    case .refused: state = .off
    case .resting(let wait): hold(until: now + wait)
    case .tooMany(let wait):
      failures += 1
      isWaitRequested = true
      hold(until: now + max(wait ?? Self.firstWait, ownWait))
    case .useless:
      failures += 1
      // Between three quarters of the wait and all of it: never longer than the longest.
      hold(until: now + ownWait * (1 - 0.25 * min(max(jitter, 0), 1)))
    }
  }

  /// The back-off after this many failures, regardless of the source's own request.
  private var ownWait: Duration {
    guard failures >= Self.patience else { return .zero }
    return min(Self.firstWait * (1 << min(failures - Self.patience, 10)), Self.longestWait)
  }

  /// Resets the failures, but not a wait that the source asked for.
  mutating func forgive() {
    guard isWaitRequested, case .waiting = state else { return self = SourceHealth() }
    failures = 0
  }

  /// Describes the consequence of the failures, for the log.
  func words(at now: Duration) -> String {
    switch state(at: now) {
    case .ready: "It may be asked again; failures in a row: \(failures)"
    case .waiting(let end): "It is not asked for \((end - now).roughWords)"
    case .off: "Disabled until the next launch"
    }
  }

  private mutating func hold(until end: Duration) {
    guard state != .off else { return }
    if case .waiting(let former) = state, former > end { return }
    state = .waiting(until: end)
  }
}

extension SourceHealth.Failure {
  /// The rank of the failure: lower ones better explain why there is no picture.
  var rank: Int {
    switch self {
    case .useless, .refused, .tooMany: 0
    case .offline: 1
    case .resting: 2
    }
  }

  package init(_ error: any Error) {
    switch error {
    case let error as HTTPError where error.isOffline: self = .offline
    case let error as HTTPError where error.isUnsent && error.retryAfter != nil:
      self = .resting(error.retryAfter ?? .zero)
    case let error as HTTPError where error.status == 401 || error.status == 403: self = .refused
    case let error as HTTPError where error.status == 429: self = .tooMany(wait: error.retryAfter)
    case let error as HTTPError where error.retryAfter != nil:
      self = .tooMany(wait: error.retryAfter)
    case let error as ImageSourceError:
      switch error.kind {
      case .resting(let wait): self = .resting(wait)
      case .unreachable: self = .offline
      default: self = .useless
      }
    default: self = .useless
    }
  }
}
