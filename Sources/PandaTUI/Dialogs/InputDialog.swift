internal import FoundationEssentials
internal import PandaSession
internal import TerminalKit

/// A line of text that the user types: a caption, tags, a file name.
struct InputDialog: Equatable {
  private static let columns = 64
  static let titleColumns = columns - 2

  /// Distinguishes the dialog from another one that asks the same question.
  let id = UUID()
  /// Does what the text was asked for; the dialog stays open until it is closed.
  let answer: Answer<(text: String, dialog: InputDialog)>
  let title: String
  let note: String
  var field: TextField
  var problem: String?
  /// Whether the text is being saved, so that it is not saved twice.
  var isSaving = false
  private(set) var completion: TagCompletion
  private(set) var window = DialogWindow()
  /// The tags that a click completes to, with the places where they were last drawn.
  private var chips: [TagChip] = []

  private struct TagChip: Equatable {
    let tag: String
    let rect: CellRect
  }

  init(
    title: String, note: String, field: TextField,
    completion: TagCompletion = TagCompletion([]),
    answer: @escaping @MainActor (String, InputDialog) -> Void
  ) {
    self.completion = completion
    self.answer = Answer { answer($0.text, $0.dialog) }
    self.title = title
    self.note = note
    self.field = field
  }

  mutating func handle(_ key: Key) -> Dialog.Outcome {
    switch key {
    case .enter: return isSaving ? .stay : .submit(field.text)
    case .escape, .control("g"): return .close
    case .tab:
      completion.complete(&field)
      return .stay
    default:
      completion.end()
      if field.handle(key) { problem = nil }
      return .stay
    }
  }

  mutating func paste(_ text: String) {
    completion.end()
    field.paste(text)
  }

  /// Handles the mouse: a click on a tag completes the word to it, one outside closes.
  mutating func handle(_ event: MouseEvent) -> Dialog.Outcome {
    if case .press(.left) = event.kind, !isSaving,
      let chip = chips.first(where: { $0.rect.contains(event.point) })
    {
      completion.complete(&field, to: chip.tag)
      problem = nil
      return .stay
    }
    return window.closes(event) ? .close : .stay
  }

  mutating func draw(into canvas: inout Canvas) {
    let inner = window.open(title, columns: Self.columns, rows: 5, in: &canvas)
    field.draw(
      at: CellPoint(column: inner.column, row: inner.row), columns: inner.columns, into: &canvas)
    let complaint = problem ?? field.cutNotice
    let lines = (isSaving ? "Saving" : complaint ?? note)
      .wrapped(to: max(1, inner.columns), rows: inner.rows - 2)
    for (offset, line) in lines.enumerated() {
      canvas.draw(
        line.clipped(to: inner.columns),
        at: CellPoint(column: inner.column, row: inner.row + 2 + offset),
        ink: complaint == nil || isSaving ? .secondary : .problem)
    }
    chips = []
    let rows = 2 + lines.count
    if complaint == nil, !isSaving, rows < inner.rows {
      drawChips(
        in: CellRect(
          column: inner.column, row: inner.row + rows, columns: inner.columns, rows: 1),
        into: &canvas)
    }
  }

  /// Draws the tags that Tab would take.
  private mutating func drawChips(in area: CellRect, into canvas: inout Canvas) {
    let key = "Tab "
    let offered = completion.chips(for: field, columns: area.columns - key.columns)
    guard !offered.isEmpty else { return }
    var column = canvas.draw(
      key, at: CellPoint(column: area.column, row: area.row), ink: .secondary)
    for chip in offered {
      let start = CellPoint(column: column, row: area.row)
      column = canvas.draw(chip.text, at: start, ink: chip.isNext ? .selected : .key)
      let rect = CellRect(
        column: start.column, row: start.row, columns: column - start.column, rows: 1)
      chips.append(TagChip(tag: chip.tag, rect: rect))
      column += 1
    }
  }
}
