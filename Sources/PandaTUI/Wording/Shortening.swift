internal import TerminalKit

extension String {
  /// Returns the text if it fits, or else whole words of its beginning and an ellipsis.
  ///
  /// It ends with no word that only leads to the next, such as "A red panda peeking…", not "A red
  /// panda peeking from behind the…". A text whose first word is too long is cut within it.
  func shortened(to columns: Int) -> String {
    let beginning = clipped(to: columns)
    guard beginning != self else { return self }
    // One more character tells whether the cut is between two words.
    let kept = beginning.dropLast()
    var words = prefix(kept.count + 1).split(separator: " ", omittingEmptySubsequences: false)
    words.removeLast()
    while let last = words.last, Self.leadingOn.contains(last.lowercased()) { words.removeLast() }
    let text = words.joined(separator: " ")
    return text.isEmpty ? beginning : text + "…"
  }

  /// Words after which a text cannot end.
  private static let leadingOn: Set<String> = [
    "", "·", "-", "&", "a", "an", "and", "at", "behind", "by", "for", "from", "in", "into", "its",
    "of", "on", "or", "over", "the", "to", "under", "up", "with",
  ]
}

extension [String] {
  /// Returns the parts that fit, with signs between them, or the beginning of the first one.
  func listed(upTo columns: Int) -> String {
    var parts = self
    while parts.count > 1, parts.joined(separator: " · ").columns > columns { parts.removeLast() }
    return parts.joined(separator: " · ").shortened(to: columns)
  }
}
