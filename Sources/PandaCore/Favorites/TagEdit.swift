/// Tags to add to pictures, and to take from them.
package struct TagEdit: Equatable, Sendable {
  package let added: [String]
  package let removed: [String]
  /// The limit that the typed tags exceed; nil if all of them can be tags.
  package let excess: Tags.Excess?

  /// Parses a change as the user types it: words to add, with or without a plus, and words after a
  /// minus to take away.
  package init(_ text: String) {
    let words = text.split { $0 == "," || $0 == ";" || $0.isWhitespace }
    let additions = words.filter { !$0.hasPrefix("-") }
      .map { $0.hasPrefix("+") ? $0.dropFirst() : $0 }.joined(separator: " ")
    added = Tags.parse(additions)
    excess = Tags.excess(in: additions)
    removed = Tags.parse(
      words.filter { $0.hasPrefix("-") }.map { $0.drop { $0 == "-" } }.joined(separator: " "))
  }

  package var isEmpty: Bool { added.isEmpty && removed.isEmpty }

  /// Returns changed tags, ignoring case.
  package func applied(to tags: [String]) -> [String] {
    Tags.parse(Tags.text(merged(with: tags)))
  }

  /// Returns whether pictures with these tags have no room for all that are added.
  package func overflows(_ tags: [String]) -> Bool {
    Tags.excess(in: Tags.text(merged(with: tags))) != nil
  }

  private func merged(with tags: [String]) -> [String] {
    let gone = Set(removed.map { $0.lowercased() })
    // Adding a tag in another spelling changes its spelling.
    let spellings = Dictionary(added.map { ($0.lowercased(), $0) }) { first, _ in first }
    return tags.filter { !gone.contains($0.lowercased()) }
      .map { spellings[$0.lowercased()] ?? $0 } + added
  }
}
