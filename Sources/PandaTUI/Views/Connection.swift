internal import PandaCore

/// Tracks whether the source is reachable and when to retry, as a pure state machine.
struct Connection: Equatable, Sendable {
  /// Why a fetch failed.
  struct Failure: Equatable, Sendable {
    /// One user message, without a period.
    var sentence: String
    /// Whether the machine's own network is the likely cause.
    var isOffline = false
    /// The server's Retry-After.
    var retryAfter: Duration?
  }

  /// The longest time between two attempts.
  static let greatestWait = Duration.seconds(300)

  /// The first delay; each later one is twice as long.
  let firstWait: Duration
  private(set) var failures = 0
  private(set) var isOffline = false
  /// The delay before the next attempt; zero while the source is reachable.
  private(set) var wait = Duration.zero

  init(firstWait: Duration = .seconds(5)) {
    self.firstWait = firstWait
  }

  var isUp: Bool { failures == 0 }

  /// Returns a word or two for the corner of the card.
  ///
  /// Nil while the source is reachable.
  func badge(sourceName: String) -> String? {
    guard !isUp else { return nil }
    return isOffline ? "offline" : "\(sourceName) does not answer"
  }

  /// Records a failure, and returns the delay before the next attempt.
  mutating func fail(_ failure: Failure) -> Duration {
    failures += 1
    isOffline = failure.isOffline
    let doubled = firstWait * (1 << min(failures - 1, 16))
    wait = max(min(doubled, Self.greatestWait), failure.retryAfter ?? .zero)
    return wait
  }

  /// Records an answer; returns whether it is the first one after failures.
  mutating func succeed() -> Bool {
    defer { self = Connection(firstWait: firstWait) }
    return !isUp
  }
}

extension Connection.Failure {
  /// Describes why fetching failed.
  init(_ error: any Error) {
    let network = error as? HTTPError
    var wait = network?.retryAfter
    if case .resting(let time)? = (error as? ImageSourceError)?.kind { wait = time }
    self.init(
      sentence: userMessage(for: error), isOffline: network?.isOffline ?? false,
      retryAfter: wait)
  }
}
