internal import PandaSession
internal import TerminalKit

/// A yes-or-no question; no is preselected.
struct ConfirmDialog: Equatable {
  let answer: Answer<Void>
  let title: String
  let question: String
  let note: String
  private(set) var answersYes = false
  private(set) var window = DialogWindow()
  private var answers: [Bool: CellRect] = [:]

  init(
    title: String, question: String, note: String, answer: @escaping @MainActor () -> Void
  ) {
    self.answer = Answer { _ in answer() }
    self.title = title
    self.question = question
    self.note = note
  }

  mutating func handle(_ key: Key) -> Dialog.Outcome {
    switch key {
    case .character("y"), .character("Y"): return .confirmed
    case .character("n"), .character("N"), .escape, .character("q"): return .close
    case .enter: return answersYes ? .confirmed : .close
    case .left, .right, .tab, .backTab, .character("h"), .character("l"): answersYes.toggle()
    default: break
    }
    return .stay
  }

  mutating func handle(_ event: MouseEvent) -> Dialog.Outcome {
    guard case .press(.left) = event.kind else { return window.closes(event) ? .close : .stay }
    if answers[true]?.contains(event.point) == true { return .confirmed }
    if answers[false]?.contains(event.point) == true { return .close }
    return window.closes(event) ? .close : .stay
  }

  mutating func draw(into canvas: inout Canvas) {
    let columns = min(max(question.columns, note.columns) + 2, canvas.size.columns - 4)
    let asked = question.wrapped(to: columns)
    let noted = note.wrapped(to: columns)
    let inner = window.open(
      title, columns: columns, rows: asked.count + noted.count + 2, in: &canvas)
    let row = inner.row + max(0, inner.rows - 1)
    // Lines that do not fit above the answers are left out, the note first.
    let room = max(0, inner.rows - 1 - asked.count)
    let lines =
      asked.map { ($0, Ink.plain) }
      + note.wrapped(to: columns, rows: room).map { ($0, Ink.secondary) }
    for (number, (text, ink)) in lines.enumerated() where inner.row + number < row {
      canvas.draw(
        text.clipped(to: inner.columns),
        at: CellPoint(column: inner.column, row: inner.row + number), ink: ink)
    }
    var column = inner.column
    for (answer, text) in [(false, " No "), (true, " Yes ")] {
      answers[answer] = CellRect(column: column, row: row, columns: text.columns, rows: 1)
      if answersYes == answer { canvas.resting = CellPoint(column: column, row: row) }
      column =
        canvas.draw(
          text, at: CellPoint(column: column, row: row),
          ink: answersYes == answer ? .selected : .plain) + 2
    }
  }
}
