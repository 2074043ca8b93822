internal import TerminalKit

/// Lists all commands with their keys: typing filters them, and Enter runs one.
///
/// A command that is not available says why.
struct HelpDialog: Equatable {
  /// A line of the help.
  struct Entry: Equatable {
    var command: Command
    var keys: String
    var help: String
    /// Why the command is not available; nil if it is.
    var reason: String?
  }

  private let all: [Entry]
  private(set) var field = TextField("", limit: 40)
  private var selection = 0
  private var firstRow = 0
  private var rowsInView = 1
  private var window = DialogWindow()
  private var list = CellRect(column: 0, row: 0, columns: 0, rows: 0)

  /// - Parameter reason: returns why a command is not available; nil if it is.
  init(_ keys: KeyTable, reason: (Command) -> String?) {
    all = keys.bindings.map { binding in
      Entry(
        command: binding.command, keys: binding.keys.map(\.label).joined(separator: " "),
        help: binding.help, reason: reason(binding.command))
    }
  }

  /// The entries whose keys or text contain all the typed words.
  var entries: [Entry] {
    let words = field.text.lowercased().split(separator: " ")
    guard !words.isEmpty else { return all }
    return all.filter { entry in
      let text = entry.help.lowercased()
      return words.allSatisfy { word in
        text.contains(word) || entry.command.rawValue.lowercased().contains(word)
          || entry.keys.split(separator: " ").contains { $0.lowercased() == word }
      }
    }
  }

  /// The entry that Enter runs.
  var selected: Entry? {
    let entries = entries
    return entries.indices.contains(selection) ? entries[selection] : nil
  }

  mutating func handle(_ key: Key) -> Dialog.Outcome {
    switch key {
    case .escape, .control("g"): return .close
    case .character("?") where field.text.isEmpty: return .close
    case .enter:
      guard let selected else { return .stay }
      return selected.reason == nil ? .perform(selected.command) : .stay
    case .down, .control("n"), .tab: move(1)
    case .up, .control("p"), .backTab: move(-1)
    case .pageDown: move(rowsInView)
    case .pageUp: move(-rowsInView)
    default:
      if field.handle(key) { selection = 0 }
    }
    return .stay
  }

  mutating func paste(_ text: String) {
    field.paste(text)
    selection = 0
  }

  mutating func handle(_ event: MouseEvent) -> Dialog.Outcome {
    switch event.kind {
    case .scroll(.down): move(1)
    case .scroll(.up): move(-1)
    case .press(.left) where list.contains(event.point):
      let clicked = firstRow + event.row - list.row
      guard entries.indices.contains(clicked) else { return .stay }
      if clicked == selection, let selected, selected.reason == nil {
        return .perform(selected.command)
      }
      selection = clicked
    default: return window.closes(event) ? .close : .stay
    }
    return .stay
  }

  private mutating func move(_ amount: Int) {
    selection = max(0, min(entries.count - 1, selection + amount))
  }

  mutating func draw(into canvas: inout Canvas) {
    let keyColumns = all.map(\.keys.columns).max() ?? 0
    let columns = keyColumns + 2 + (all.map(\.help.columns).max() ?? 0)
    let inner = window.open("Keys", columns: columns, rows: all.count + 3, in: &canvas)
    drawField(in: inner, into: &canvas)
    list = CellRect(
      column: inner.column, row: inner.row + 1, columns: inner.columns, rows: inner.rows - 2)
    rowsInView = max(1, list.rows)
    let entries = entries
    // The list scrolls just enough to keep the selection visible.
    firstRow = max(selection - rowsInView + 1, min(firstRow, selection))
    firstRow = max(0, min(firstRow, entries.count - rowsInView))
    for (offset, entry) in entries.dropFirst(firstRow).prefix(list.rows).enumerated() {
      draw(
        entry, isSelected: firstRow + offset == selection, keyColumns: min(keyColumns, 14),
        at: list.row + offset, into: &canvas)
    }
    if entries.isEmpty, list.rows > 0 {
      canvas.draw(
        "No key is about that".clipped(to: list.columns),
        at: CellPoint(column: list.column, row: list.row), ink: .dim)
    }
    canvas.drawMore(
      above: firstRow > 0, below: firstRow + list.rows < entries.count, in: window.rect)
    guard inner.rows > 1, let reason = selected?.reason else { return }
    canvas.draw(
      "Not now: \(reason)".clipped(to: inner.columns),
      at: CellPoint(column: inner.column, row: inner.row + inner.rows - 1), ink: .accent)
  }

  private func drawField(in inner: CellRect, into canvas: inout Canvas) {
    let point = CellPoint(column: inner.column, row: inner.row)
    guard field.text.isEmpty else {
      field.draw(at: point, columns: inner.columns, into: &canvas)
      return
    }
    canvas.draw(" ", at: point, ink: .selected)
    canvas.draw(
      "type to filter".clipped(to: max(0, inner.columns - 2)),
      at: CellPoint(column: inner.column + 2, row: inner.row), ink: .dim)
  }

  private func draw(
    _ entry: Entry, isSelected: Bool, keyColumns: Int, at row: Int, into canvas: inout Canvas
  ) {
    let isUsable = entry.reason == nil
    canvas.draw(
      entry.keys.padded(to: keyColumns, alignment: .trailing),
      at: CellPoint(column: list.column, row: row), ink: isUsable ? .key : .dim,
      width: list.columns)
    let column = list.column + keyColumns + 2
    let room = max(0, list.columnRange.upperBound - column)
    let text = entry.help.clipped(to: room)
    canvas.draw(
      isSelected ? text.padded(to: room) : text, at: CellPoint(column: column, row: row),
      ink: isSelected ? .selected : isUsable ? .plain : .dim)
  }
}
