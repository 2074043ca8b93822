internal import PandaCore
internal import PandaSession

/// Tracks whether the source is reachable and when to retry, as a pure state machine.
struct Connection: Equatable, Sendable {
  struct Failure: Equatable, Sendable {
    /// One user message, without a period.
    var sentence: String
    var reason = Reason.trouble
    var retryAfter: Duration?
  }

  /// The kinds of failures, in the words of the card's corner.
  enum Reason: String, Sendable {
    /// The machine's own network is the likely cause.
    case offline
    /// A server, or its limits that Panda keeps, asks for a wait.
    case tooMany = "too many requests"
    case trouble
  }

  /// The longest time between two attempts, unless a server asks for more.
  static let greatestWait = Duration.seconds(60)

  /// The first delay; each later one is twice as long.
  static let firstWait = Duration.seconds(5)

  private(set) var failures = 0
  /// The reason why pictures cannot be fetched; nil while the source is reachable.
  private(set) var reason: Reason?
  /// The delay before the next attempt; zero while the source is reachable.
  private(set) var wait = Duration.zero

  var isUp: Bool { failures == 0 }

  /// Records a failure, and returns the delay before the next attempt.
  mutating func fail(_ failure: Failure) -> Duration {
    failures += 1
    reason = failure.reason
    let doubled = Self.firstWait * (1 << min(failures - 1, 16))
    wait = max(min(doubled, Self.greatestWait), failure.retryAfter ?? .zero)
    return wait
  }

  /// Records an answer; returns whether it is the first one after failures.
  mutating func succeed() -> Bool {
    defer { self = Connection() }
    return !isUp
  }
}

extension Connection.Failure {
  init(_ error: any Error) {
    let network = error as? HTTPError
    var wait = network?.retryAfter
    if case .resting(let time)? = (error as? ImageSourceError)?.kind { wait = time }
    let reason: Connection.Reason =
      switch RequestGate.Failure(error) {
      case .offline: .offline
      case .tooMany where network?.status == 429, .resting: .tooMany
      default: .trouble
      }
    self.init(sentence: userMessage(for: error), reason: reason, retryAfter: wait)
  }
}
