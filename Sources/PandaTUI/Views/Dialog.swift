/// What lies over the screen and takes the keys while it does.
enum Dialog: Equatable {
  /// The list of keys, scrolled to a line.
  case help(firstLine: Int)
  /// "Remove all?" with the number of favourites; the answer that Enter would give.
  case clear(count: Int, answersYes: Bool)

  /// What a key leads to.
  enum Outcome: Equatable {
    case stay(Dialog)
    case close
    /// Close, and remove all favourites.
    case clear
  }

  /// Handles a key; everything that is not understood changes nothing.
  func handle(_ key: Key, keys: KeyTable) -> Outcome {
    let command = keys.command(for: key)
    switch self {
    case .help(let firstLine):
      switch (key, command) {
      case (.escape, _), (.enter, _), (_, .help), (_, .quit): return .close
      case (.down, _), (.character("j"), _): return .stay(.help(firstLine: firstLine + 1))
      case (.up, _), (.character("k"), _): return .stay(.help(firstLine: max(0, firstLine - 1)))
      default: return .stay(self)
      }
    case .clear(let count, let answersYes):
      switch key {
      case .character("y"), .character("Y"): return .clear
      case .character("n"), .character("N"), .escape, .character("q"): return .close
      case .enter: return answersYes ? .clear : .close
      case .left, .right, .tab, .backTab, .character("h"), .character("l"):
        return .stay(.clear(count: count, answersYes: !answersYes))
      default: return .stay(self)
      }
    }
  }

  func draw(keys: KeyTable, into canvas: inout Canvas) {
    switch self {
    case .help(let firstLine): drawHelp(keys, from: firstLine, into: &canvas)
    case .clear(let count, let answersYes): drawClear(count, answersYes, into: &canvas)
    }
  }

  private func drawHelp(_ keys: KeyTable, from firstLine: Int, into canvas: inout Canvas) {
    let lines = keys.bindings.map { binding in
      (keys: binding.keys.map(\.label).joined(separator: " "), help: binding.help)
    }
    let keyColumns = lines.map(\.keys.columns).max() ?? 0
    let columns = keyColumns + 2 + (lines.map(\.help.columns).max() ?? 0)
    let rect = CellRect(canvas.size).centered(
      CellSize(
        columns: min(columns + 4, canvas.size.columns),
        rows: min(lines.count + 2, canvas.size.rows)))
    canvas.clear(rect)
    canvas.drawFrame(rect, title: "Keys", ink: .accent, titleInk: .title)
    let inner = rect.inset(columns: 2, rows: 1)
    let first = max(0, min(firstLine, lines.count - inner.rows))
    for (offset, line) in lines.dropFirst(first).prefix(inner.rows).enumerated() {
      let row = inner.row + offset
      canvas.draw(
        line.keys.padded(to: keyColumns, alignment: .trailing),
        at: CellPoint(column: inner.column, row: row), ink: .key, width: inner.columns)
      canvas.draw(
        line.help.clipped(to: inner.columns - keyColumns - 2),
        at: CellPoint(column: inner.column + keyColumns + 2, row: row))
    }
    if first + inner.rows < lines.count {
      canvas.draw(
        " ↓ more ",
        at: CellPoint(
          column: rect.column + max(1, rect.columns - 10), row: rect.rowRange.upperBound - 1),
        ink: .dim)
    }
  }

  private func drawClear(_ count: Int, _ answersYes: Bool, into canvas: inout Canvas) {
    let question =
      count == 1 ? "Remove your 1 favorite?" : "Remove all \(count) favorites?"
    let note = "This cannot be undone."
    let rect = CellRect(canvas.size).centered(
      CellSize(
        columns: min(max(question.columns, note.columns) + 6, canvas.size.columns),
        rows: min(6, canvas.size.rows)))
    canvas.clear(rect)
    canvas.drawFrame(rect, title: "Clear", ink: .accent, titleInk: .title)
    let inner = rect.inset(columns: 3, rows: 1)
    canvas.draw(
      question.clipped(to: inner.columns), at: CellPoint(column: inner.column, row: inner.row))
    canvas.draw(
      note.clipped(to: inner.columns), at: CellPoint(column: inner.column, row: inner.row + 1),
      ink: .dim)
    let answers = inner.row + inner.rows - 1
    let column = canvas.draw(
      " No ", at: CellPoint(column: inner.column, row: answers),
      ink: answersYes ? .plain : .selected)
    canvas.draw(
      " Yes ", at: CellPoint(column: column + 2, row: answers),
      ink: answersYes ? .selected : .plain)
  }
}
