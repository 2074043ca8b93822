/// The answers that the terminal still owes, counted by their sentinels.
package struct OwedAnswers: Hashable, Sendable {
  /// The time that an answer may take: a slow line's.
  private static let patience = Duration.seconds(1)

  /// DA1, the last question of a series.
  package static let sentinel = "\u{1B}[c"

  /// The number of answers to DA1 still expected.
  package private(set) var count = 0
  package private(set) var hasAnswered = false
  private var lastQuestion: ContinuousClock.Instant?

  package init() {}

  /// Notes that questions were sent, with one sentinel behind them.
  package mutating func ask(at moment: ContinuousClock.Instant = .now) {
    count += 1
    lastQuestion = moment
  }

  /// Forgets the questions among bytes that were not sent after all.
  package mutating func drop(_ bytes: [UInt8]) {
    count = max(0, count - bytes.ranges(of: Array(Self.sentinel.utf8)).count)
  }

  /// Counts the sentinels among events.
  package mutating func receive(_ events: [InputEvent]) {
    for case .reply(.primaryAttributes) in events {
      count = max(0, count - 1)
      hasAnswered = true
    }
  }

  /// Returns how long to read before the shell does; nil if nothing is owed.
  ///
  /// A terminal that has never answered gets no more than a second after it was asked, so that a
  /// silent one delays the end of short runs only.
  package func deadline(
    endingAt moment: ContinuousClock.Instant
  ) -> ContinuousClock.Instant? {
    guard count > 0, let lastQuestion else { return nil }
    return max(moment, (hasAnswered ? moment : lastQuestion) + Self.patience)
  }
}
