internal import PandaCore

/// Whether the source can be reached, and when to try again if not, as a pure state machine.
struct Connection: Equatable, Sendable {
  /// Why a fetch failed.
  struct Failure: Equatable, Sendable {
    /// One calm sentence, without a full stop.
    var sentence: String
    /// Whether the machine's own network is the likely cause.
    var isOffline = false
    /// How long the server asked to be left alone.
    var retryAfter: Duration?
  }

  /// The longest time between two attempts.
  static let greatestWait = Duration.seconds(300)

  /// How long the first wait is; each later one is twice as long.
  let firstWait: Duration
  private(set) var failures = 0
  private(set) var isOffline = false
  /// How long to wait for the next attempt; none while all is well.
  private(set) var wait = Duration.zero

  init(firstWait: Duration = .seconds(5)) {
    self.firstWait = firstWait
  }

  var isUp: Bool { failures == 0 }

  /// A word or two for the corner of the card; nil while all is well.
  func badge(sourceName: String) -> String? {
    guard !isUp else { return nil }
    return isOffline ? "offline" : "\(sourceName) does not answer"
  }

  /// Notes a failure, and says how long to wait for the next attempt.
  mutating func fail(_ failure: Failure) -> Duration {
    failures += 1
    isOffline = failure.isOffline
    let doubled = firstWait * (1 << min(failures - 1, 16))
    wait = max(min(doubled, Self.greatestWait), failure.retryAfter ?? .zero)
    return wait
  }

  /// Notes an answer; whether it is the first after failures.
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
