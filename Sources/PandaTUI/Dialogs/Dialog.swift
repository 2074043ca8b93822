internal import PandaSession
internal import TerminalKit

/// A window over the screen that takes the keys while it is open.
enum Dialog: Equatable {
  case help(HelpDialog)
  case confirm(ConfirmDialog)
  case text(TextDialog)
  case input(InputDialog)
  case sources(SourcesDialog)
  case collections(CollectionsDialog)

  enum Outcome: Equatable {
    case stay
    case close
    case confirmed
    /// The user chose a command in the help.
    case perform(Command)
    case submit(String)
    case collection(CollectionsDialog.Request)
  }

  /// Handles a key; unknown keys change nothing.
  mutating func handle(_ key: Key, keys: KeyTable) -> Outcome {
    switch self {
    case .help(var dialog): change(&dialog, { .help($0) }) { $0.handle(key) }
    case .confirm(var dialog): change(&dialog, { .confirm($0) }) { $0.handle(key) }
    case .text(var dialog): change(&dialog, { .text($0) }) { $0.handle(key, keys: keys) }
    case .input(var dialog): change(&dialog, { .input($0) }) { $0.handle(key) }
    case .sources(var dialog): change(&dialog, { .sources($0) }) { $0.handle(key, keys: keys) }
    case .collections(var dialog):
      change(&dialog, { .collections($0) }) { $0.handle(key, keys: keys) }
    }
  }

  /// Handles the mouse: the wheel scrolls, a click chooses, a click outside closes.
  mutating func handle(_ event: MouseEvent) -> Outcome {
    switch self {
    case .help(var dialog): change(&dialog, { .help($0) }) { $0.handle(event) }
    case .confirm(var dialog): change(&dialog, { .confirm($0) }) { $0.handle(event) }
    case .text(var dialog): change(&dialog, { .text($0) }) { $0.handle(event) }
    case .input(var dialog): change(&dialog, { .input($0) }) { $0.handle(event) }
    case .sources(var dialog): change(&dialog, { .sources($0) }) { $0.handle(event) }
    case .collections(var dialog): change(&dialog, { .collections($0) }) { $0.handle(event) }
    }
  }

  var takesText: Bool {
    switch self {
    case .help, .input: true
    case .confirm, .text, .sources, .collections: false
    }
  }

  /// Inserts pasted text if the dialog has a text field.
  mutating func paste(_ text: String) {
    switch self {
    case .help(var dialog):
      dialog.paste(text)
      self = .help(dialog)
    case .input(var dialog):
      dialog.paste(text)
      self = .input(dialog)
    case .confirm, .text, .sources, .collections: break
    }
  }

  mutating func draw(into canvas: inout Canvas) {
    switch self {
    case .help(var dialog): change(&dialog, { .help($0) }) { $0.draw(into: &canvas) }
    case .confirm(var dialog): change(&dialog, { .confirm($0) }) { $0.draw(into: &canvas) }
    case .text(var dialog): change(&dialog, { .text($0) }) { $0.draw(into: &canvas) }
    case .input(var dialog): change(&dialog, { .input($0) }) { $0.draw(into: &canvas) }
    case .sources(var dialog): change(&dialog, { .sources($0) }) { $0.draw(into: &canvas) }
    case .collections(var dialog):
      change(&dialog, { .collections($0) }) { $0.draw(into: &canvas) }
    }
  }

  var hints: [HintBar.Hint] {
    let (select, close) = (("↑↓", "select", nil as Key?), ("esc", "close", Key.escape as Key?))
    let hints: [(key: String, text: String, pressed: Key?)] =
      switch self {
      case .help: [("enter", "run", .enter), close, select]
      case .confirm:
        [
          ("y", "yes", .character("y")), ("n", "no", .character("n")), ("←→", "select", nil),
          ("enter", "choose", .enter),
        ]
      case .text: [close, ("↑↓", "scroll", nil)]
      case .input(let dialog):
        [
          ("enter", "save", .enter), ("esc", "cancel", .escape),
          ("ctrl-u", "empty", .control("u")),
        ] + (dialog.completion.isEmpty ? [] : [("tab", "complete", .tab)])
      case .sources:
        [("space", "on or off", .character(" ")), close, ("t", "test", .character("t")), select]
      case .collections(let dialog):
        (dialog.isEmpty
          ? [close] : [("enter", "open", .enter), close])
          + (dialog.collections.isEmpty ? [] : [("x", "delete", .character("x"))])
          + (dialog.canRestore ? [("u", "undo", .character("u"))] : [])
          + (dialog.addition.map { [("a", $0, .character("a"))] } ?? [])
          + (dialog.isEmpty ? [] : [select])
      }
    return hints.map { hint in
      HintBar.Hint(key: hint.key, text: hint.text, command: nil, pressed: hint.pressed)
    }
  }

  private mutating func change<Content, Result>(
    _ content: inout Content, _ wrap: (Content) -> Dialog, _ body: (inout Content) -> Result
  ) -> Result {
    let result = body(&content)
    self = wrap(content)
    return result
  }
}

/// The place where a dialog was last drawn.
struct DialogWindow: Equatable, Sendable {
  private(set) var rect = CellRect(column: 0, row: 0, columns: 0, rows: 0)

  /// Draws a frame at an edge of the screen, and returns the area inside.
  mutating func dock(
    _ title: String, at dock: TextDialog.Dock, in canvas: inout Canvas
  ) -> CellRect {
    rect = CellRect(canvas.size)
    rect.rows = max(0, rect.rows - Self.linesBelow(canvas.size))
    switch dock {
    case .right(let columns):
      rect.column = canvas.size.columns - columns
      rect.columns = columns
    case .bottom(let rows):
      rect.row = rect.rows - rows
      rect.rows = rows
    }
    return drawFrame(title, in: &canvas)
  }

  /// The lines below, with the dialog's keys, stay visible.
  private static func linesBelow(_ size: CellSize) -> Int {
    size.rows >= 12 ? 2 : size.rows >= 6 ? 1 : 0
  }

  /// Clears a place, draws a frame, and returns the area inside.
  ///
  /// The place is in the middle of the screen.
  mutating func open(
    _ title: String, columns: Int, rows: Int, in canvas: inout Canvas
  ) -> CellRect {
    let area = CellSize(
      columns: canvas.size.columns, rows: canvas.size.rows - Self.linesBelow(canvas.size))
    rect = CellRect(area).centered(
      CellSize(
        columns: max(0, min(columns + 4, area.columns)), rows: max(0, min(rows + 2, area.rows))))
    // The view behind is disabled, except for the keys below; a margin separates it from the frame.
    canvas.recolor(.dim, rows: 0..<max(0, canvas.size.rows - 1))
    canvas.clear(rect.inset(columns: -2, rows: -1))
    return drawFrame(title, in: &canvas)
  }

  private func drawFrame(_ title: String, in canvas: inout Canvas) -> CellRect {
    canvas.clear(rect)
    // No text is typed behind a dialog.
    canvas.cursor = nil
    // If there is no space for a frame, the text gets all of it.
    let hasFrame = rect.rows > 2 && rect.columns > 4
    let inner = hasFrame ? rect.inset(columns: 2, rows: 1) : rect
    canvas.resting = CellPoint(column: inner.column, row: inner.row)
    if hasFrame {
      canvas.drawFrame(
        rect, title: title.fitted(to: max(0, rect.columns - 6)), ink: .accent, titleInk: .title)
    }
    return inner
  }

  /// Returns whether an event is a click outside the dialog.
  func closes(_ event: MouseEvent) -> Bool {
    guard case .press = event.kind else { return false }
    return !rect.contains(event.point)
  }
}

extension MouseEvent {
  var point: CellPoint { CellPoint(column: column, row: row) }
}
