/// Paths that are not to be shown, as in kiosk mode.
extension String {
  /// The text with only the last name of each path; addresses stay as they are.
  var withoutPaths: String {
    split(separator: " ", omittingEmptySubsequences: false).map { word in
      guard word.contains("/"), !word.contains("://") else { return String(word) }
      return word.split(separator: "/").last.map(String.init) ?? ""
    }.joined(separator: " ")
  }
}

extension Message {
  /// The message with only the last name of each path.
  var withoutPaths: Message {
    switch self {
    case .info(let text): .info(text.withoutPaths)
    case .outcome(let text): .outcome(text.withoutPaths)
    case .news(let text): .news(text.withoutPaths)
    case .problem(let text): .problem(text.withoutPaths)
    }
  }
}
