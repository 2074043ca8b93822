/// A one-line message for the user.
enum Message: Hashable, Sendable {
  /// The answer to the last key press.
  case info(String)
  /// The outcome of a change that a key press began, shown once it is saved.
  ///
  /// It never replaces the answer to a newer key press.
  case outcome(String)
  /// An unsolicited event: it replaces no answer and no outcome.
  case news(String)
  case problem(String)

  var text: String {
    switch self {
    case .info(let text), .outcome(let text), .news(let text), .problem(let text): text
    }
  }

  func replaces(_ other: Message?) -> Bool {
    switch (self, other) {
    case (_, nil), (.info, _), (.problem, _), (_, .news?): true
    case (.outcome, .outcome?), (.outcome, .problem?): true
    case (.outcome, .info?), (.news, _): false
    }
  }
}
