extension String {
  /// Wraps the text to lines of at most so many columns, breaking between words if possible.
  ///
  /// Only a line of a single character may be wider.
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
      // A URL has no spaces: break it at the end of the line.
      while line.columns > columns, line.dropFirst().first != nil {
        var head = line.clipped(to: columns, ellipsis: "")
        // A character that is wider than a line has one of its own.
        if head.isEmpty { head = String(line.prefix(1)) }
        lines.append(head)
        line = String(line.dropFirst(head.count))
      }
    }
    return line.isEmpty && !lines.isEmpty ? lines : lines + [line]
  }
}
