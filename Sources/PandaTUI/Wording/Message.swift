/// A one-line message for the user.
enum Message: Hashable, Sendable {
  /// The result of the last key press.
  case info(String)
  /// An unsolicited event: it never replaces the answer to a key press.
  case news(String)
  case problem(String)

  var text: String {
    switch self {
    case .info(let text), .news(let text), .problem(let text): text
    }
  }

  /// Returns whether it may replace another message.
  func replaces(_ other: Message?) -> Bool {
    guard case .news = self, let other else { return true }
    if case .news = other { return true }
    return false
  }
}
