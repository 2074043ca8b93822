extension String {
  /// The text in lines of at most so many columns, broken between words where that is possible.
  ///
  /// - Complexity: O(n).
  package func wrapped(to columns: Int) -> [String] {
    guard columns > 0 else { return [] }
    var lines: [String] = []
    var line = ""
    for word in split(separator: " ") {
      if line.isEmpty {
        line = String(word)
      } else if line.columns + 1 + word.columns <= columns {
        line += " " + word
      } else {
        lines.append(line)
        line = String(word)
      }
      // An address has no spaces: it is broken where the line ends.
      while line.columns > columns {
        let head = line.clipped(to: columns, ellipsis: "")
        guard !head.isEmpty else { break }
        lines.append(head)
        line = String(line.dropFirst(head.count))
      }
    }
    return line.isEmpty && !lines.isEmpty ? lines : lines + [line]
  }
}
