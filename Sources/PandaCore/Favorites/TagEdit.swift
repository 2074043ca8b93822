/// Tags to add to pictures, and to take from them.
package struct TagEdit: Equatable, Sendable {
  package let added: [String]
  package let removed: [String]

  /// Parses a change as the user types it: words to add, and words after a minus to take away.
  package init(_ text: String) {
    let words = text.split { $0 == "," || $0 == ";" || $0.isWhitespace }
    added = Tags.parse(words.filter { !$0.hasPrefix("-") }.joined(separator: " "))
    removed = Tags.parse(
      words.filter { $0.hasPrefix("-") }.map { $0.drop { $0 == "-" } }.joined(separator: " "))
  }

  /// Whether it has no tags.
  package var isEmpty: Bool { added.isEmpty && removed.isEmpty }

  /// Returns changed tags, ignoring case.
  package func applied(to tags: [String]) -> [String] {
    let gone = Set(removed.map { $0.lowercased() })
    let kept = tags.filter { !gone.contains($0.lowercased()) }
    return Tags.parse(Tags.text(kept + added))
  }
}
