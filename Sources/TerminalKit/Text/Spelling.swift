/// Finds what a misspelt word was meant to be.
package enum Spelling {
  /// The word that is nearest to another, whatever the case; nil when none is close.
  ///
  /// Close is one change for every three characters: a character too many, missing or wrong, or two
  /// that changed places.
  package static func nearest(to word: String, among words: some Sequence<String>) -> String? {
    // Longer ones are not misspelt, and this takes time with the square of the length.
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

  /// How many changes lead from one word to another (the optimal string alignment distance).
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
