/// Suggests the intended word for a misspelled one.
package enum Spelling {
  /// Returns the word nearest to another, ignoring case; nil if none is close.
  ///
  /// Close means at most one edit for every three characters: an insertion, a deletion, a
  /// substitution or a transposition.
  package static func nearest(to word: String, among words: some Sequence<String>) -> String? {
    // Longer words are not typos, and the time grows with the square of the length.
    guard word.utf8.count <= 64 else { return nil }
    let best =
      words
      .map { (word: $0, distance: distance($0.lowercased(), word.lowercased())) }
      .min { $0.distance < $1.distance }
    guard let best, best.distance <= max(1, best.word.count / 3),
      best.distance < best.word.count
    else { return nil }
    return best.word
  }

  /// Returns the edit distance between two words (optimal string alignment).
  package static func distance(_ first: String, _ second: String) -> Int {
    let first = Array(first)
    let second = Array(second)
    var rows = [Array(0...second.count)]
    for row in 0..<first.count {
      var next = [row + 1]
      for column in 0..<second.count {
        let isSame = first[row] == second[column]
        var least = min(
          rows[row][column] + (isSame ? 0 : 1), rows[row][column + 1] + 1, next[column] + 1)
        if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
          least = min(least, rows[row - 1][column - 1] + 1)
        }
        next.append(least)
      }
      rows.append(next)
    }
    return rows[first.count][second.count]
  }
}
