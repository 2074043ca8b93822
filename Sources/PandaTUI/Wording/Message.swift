/// A line for the person.
enum Message: Hashable, Sendable {
  /// What their last key did.
  case info(String)
  /// What came by itself: never over a line that answers their key.
  case news(String)
  case problem(String)

  var text: String {
    switch self {
    case .info(let text), .news(let text), .problem(let text): text
    }
  }

  /// Whether it may take the place of another one.
  func replaces(_ other: Message?) -> Bool {
    guard case .news = self, let other else { return true }
    if case .news = other { return true }
    return false
  }
}
