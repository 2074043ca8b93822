/// The keys worth knowing now, in one line: as many as fit, the most important ones longest.
struct HintBar {
  /// One key and what it does.
  struct Hint: Hashable {
    let key: String
    let text: String
    let importance: Int
    /// What a click on it runs.
    let command: Command?

    var columns: Int { key.columns + 1 + text.columns }
  }

  static let gap = 2

  let hints: [Hint]

  /// Picks from the key table.
  ///
  /// - Parameters:
  ///   - words: says other words for a command where the situation gives it another meaning; an
  ///     empty one leaves it out.
  ///   - urgent: the commands that the situation makes more important than all others.
  init(_ table: KeyTable, words: [Command: String] = [:], urgent: Set<Command> = []) {
    hints = table.bindings.compactMap { binding in
      guard let hint = words[binding.command] ?? binding.hint, !hint.isEmpty,
        let key = binding.keys.first
      else { return nil }
      let importance = binding.importance - (urgent.contains(binding.command) ? 100 : 0)
      return Hint(
        key: key.label, text: hint, importance: importance, command: binding.command)
    }
  }

  /// Shows other hints than those of the key table.
  init(_ hints: [Hint]) {
    self.hints = hints
  }

  /// Those that fit, in the order of the table.
  func fitting(_ columns: Int) -> [Hint] {
    var kept: Set<Hint> = []
    var room = columns + Self.gap
    for hint in hints.sorted(by: { $0.importance < $1.importance })
    where hint.columns + Self.gap <= room {
      room -= hint.columns + Self.gap
      kept.insert(hint)
    }
    return hints.filter(kept.contains)
  }

  /// Draws it, and returns where each command stands, for the mouse.
  @discardableResult
  func draw(in area: CellRect, into canvas: inout Canvas) -> [(rect: CellRect, command: Command)] {
    var places: [(rect: CellRect, command: Command)] = []
    var column = area.column
    for hint in fitting(area.columns) {
      if let command = hint.command {
        let rect = CellRect(column: column, row: area.row, columns: hint.columns, rows: 1)
        places.append((rect, command))
      }
      column = canvas.draw(hint.key, at: CellPoint(column: column, row: area.row), ink: .key)
      column = canvas.draw(
        " \(hint.text)", at: CellPoint(column: column, row: area.row), ink: .dim)
      column += Self.gap
    }
    return places
  }
}
