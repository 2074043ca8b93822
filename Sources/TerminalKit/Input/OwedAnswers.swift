/// The answers that the terminal still owes, counted by their sentinels.
package struct OwedAnswers: Hashable, Sendable {
  /// The time that an answer may take: a slow line's.
  private static let patience = Duration.seconds(1)

  /// The image ids of questions whether something has passed through tmux.
  package static let arrivals = 1_000..<2_000

  /// The number of answers to DA1 still expected.
  package private(set) var count = 0
  /// The number of questions without a sentinel whose answers are awaited.
  private var others = 0
  /// Whether the terminal has answered at all.
  private var hasAnswered = false
  /// The time of the last question.
  private var lastQuestion: ContinuousClock.Instant?

  /// Nothing is owed.
  package init() {}

  /// Notes that questions were sent, with one sentinel behind them.
  package mutating func ask(at moment: ContinuousClock.Instant = .now) {
    count += 1
    lastQuestion = moment
  }

  /// Notes a question with one of ``arrivals``, or that its answer is given up.
  package mutating func await(_ isAsked: Bool, at moment: ContinuousClock.Instant = .now) {
    others = max(0, others + (isAsked ? 1 : -1))
    if isAsked { lastQuestion = moment }
  }

  /// Whether any answer is still expected.
  package var isEmpty: Bool { count == 0 && others == 0 }

  /// Counts the sentinels among events, and the answers without one.
  package mutating func take(_ events: [InputEvent]) {
    for case .reply(.kittyGraphics(let id?, _)) in events
    where Self.arrivals.contains(id) {
      others = max(0, others - 1)
    }
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
    guard !isEmpty, let lastQuestion else { return nil }
    return max(moment, (hasAnswered ? moment : lastQuestion) + Self.patience)
  }
}
