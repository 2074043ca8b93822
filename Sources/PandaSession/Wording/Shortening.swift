internal import TerminalKit

extension String {
  /// Returns the text if it fits, or else whole words of its beginning and an ellipsis.
  ///
  /// It ends with no word that only leads to the next, such as "A red panda peeking…", not "A red
  /// panda peeking from behind the…", unless that leaves less than about half of the room. A text
  /// with a long word there is cut within it.
  package func shortened(to columns: Int) -> String {
    let beginning = clipped(to: columns)
    guard beginning != self else { return self }
    // One more character shows whether the cut is between two words.
    let kept = beginning.dropLast()
    var words = prefix(kept.count + 1).split(separator: " ", omittingEmptySubsequences: false)
    words.removeLast()
    words.removeTrailing(Self.signs)
    let whole = words
    words.removeTrailing(Self.leadingOn)
    guard !words.isEmpty else { return beginning }
    return [words, whole].map { words in
      var text = words.joined(separator: " ")
      while let last = text.last, ",;:".contains(last) { text.removeLast() }
      return text + "…"
    }
    .first { $0.columns * 100 >= columns * Self.leastPercent } ?? beginning
  }

  /// Returns the text if it fits, or else as many of its sentences and clauses as do.
  ///
  /// Such as "Added to your favorites" of "Added to your favorites; it looks like one from 3 Oct
  /// 2026". What a colon announces is left out only where there is little room for it. If not even
  /// the first clause fits, the text is shortened.
  package func fitted(to columns: Int) -> String {
    guard self.columns > columns else { return self }
    func beginnings(before end: String) -> [String] {
      ranges(of: end).map { String(self[..<$0.lowerBound]) }
    }
    // A short word before a period may be that of a name: Dr. Panda, St. Louis.
    let sentences = beginnings(before: ". ").filter { sentence in
      sentence.reversed().prefix { $0.isLetter || $0.isNumber }.count > 3
    }
    let clauses = sentences + ["; ", ", but "].flatMap(beginnings)
    let announcing = beginnings(before: ": ").filter {
      $0.columns * 100 >= columns * Self.leastPercent
    }
    let fitting = (clauses + announcing).filter { !$0.isEmpty && $0.columns <= columns }
    return fitting.max { $0.columns < $1.columns } ?? shortened(to: columns)
  }

  /// Wraps the text to at most so many lines; the last one ends with what fits of the rest.
  package func wrapped(to columns: Int, rows: Int) -> [String] {
    let lines = wrapped(to: columns)
    guard lines.count > rows, rows > 0 else { return Array(lines.prefix(max(0, rows))) }
    return lines.prefix(rows - 1)
      + [lines.dropFirst(rows - 1).joined(separator: " ").fitted(to: columns)]
  }

  /// Returns the name of a picture as ``shortened(to:)``, without what every title says.
  package func shortenedName(to columns: Int) -> String {
    guard self.columns > columns else { return self }
    let own = PictureTitle(self).own
    return own.isEmpty ? shortened(to: columns) : own.shortened(to: columns)
  }

  /// The least share of the room that a text takes, in percent.
  ///
  /// It applies if the end of the text can be chosen.
  private static let leastPercent = 45

  /// Signs that are no words, and never end a text.
  private static let signs: Set<String> = ["", "·", "-", "&"]

  /// Words after which a text should not end.
  private static let leadingOn = signs.union([
    "a", "an", "and", "at", "behind", "by", "for", "from", "in", "into", "its", "of", "on", "or",
    "over", "the", "to", "under", "up", "with",
  ])
}

extension [String] {
  /// Returns the parts that fit, with signs between them, or the beginning of the first one.
  ///
  /// - Parameter kept: a part that is left out last, and for which the first one is cut.
  package func listed(upTo columns: Int, keeping kept: String? = nil) -> String {
    var parts = self
    while parts.joined(separator: " · ").columns > columns,
      let index = parts.lastIndex(where: { $0 != kept }), index > 0
    {
      parts.remove(at: index)
    }
    let all = parts.joined(separator: " · ")
    if all.columns <= columns { return all }
    let room = columns - parts.dropFirst().joined().columns - 3
    guard parts.count == 2, room >= Self.leastFirst else {
      return parts[0].shortenedName(to: columns)
    }
    return "\(parts[0].shortenedName(to: room)) · \(parts[1])"
  }

  /// The fewest columns that a cut first part has beside another one.
  private static let leastFirst = 10
}

extension [Substring] {
  /// Removes words from the end as long as they are some of these, in lowercase.
  fileprivate mutating func removeTrailing(_ some: Set<String>) {
    while let last, some.contains(last.lowercased()) { removeLast() }
  }
}
