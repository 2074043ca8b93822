internal import TerminalKit

/// Lists all commands with their keys in groups: typing filters them, and Enter runs one.
///
/// A command is also found by its synonyms. One that is not available says why.
struct HelpDialog: Equatable {
  /// A line of the help.
  struct Entry: Equatable {
    var command: Command
    var keys: String
    var firstKey: String
    var help: String
    var group: CommandEntry.HelpGroup
    /// The reason why the command is not available; nil if it is.
    var reason: String?
  }

  /// A row of the list.
  private enum Row {
    case heading(CommandEntry.HelpGroup)
    /// The entry with this index.
    case entry(Int)
  }

  /// What is in the field until something is typed.
  static let prompt = "type to filter"

  private let all: [Entry]
  private(set) var field = TextField("", limit: 40)
  private var selection = 0
  private var firstRow = 0
  private var rowsInView = 1
  private var window = DialogWindow()
  private var list = CellRect(column: 0, row: 0, columns: 0, rows: 0)

  /// - Parameters:
  ///   - texts: replace the texts of commands that do something else now.
  ///   - here: the commands that matter most where the user is; they come first.
  ///   - reason: returns why a command is not available; nil if it is.
  init(
    _ keys: KeyTable, texts: [Command: String] = [:], here: Set<Command> = [],
    reason: (Command) -> String?
  ) {
    let entries = keys.bindings.map { binding in
      Entry(
        command: binding.command, keys: binding.keys.map(\.label).joined(separator: " "),
        firstKey: binding.keys.first?.label ?? "",
        help: texts[binding.command] ?? binding.help,
        group: here.contains(binding.command) ? .here : binding.group,
        reason: reason(binding.command))
    }
    all = CommandEntry.HelpGroup.allCases.flatMap { group in entries.filter { $0.group == group } }
  }

  /// The entries whose keys or text contain all the typed words, then those with synonyms of them.
  var entries: [Entry] {
    let words = field.text.lowercased().split(separator: " ")
    guard !words.isEmpty else { return all }
    let named = all.filter { entry in words.allSatisfy(entry.names) }
    return named
      + all.filter { entry in
        words.allSatisfy { entry.names($0) || entry.isSynonym($0) } && !named.contains(entry)
      }
  }

  /// The rows of the list: its entries, and their groups while nothing is typed.
  private var rows: [Row] {
    let entries = entries
    guard field.text.isEmpty else { return entries.indices.map { .entry($0) } }
    var rows: [Row] = []
    for (index, entry) in entries.enumerated() {
      if index == 0 || entries[index - 1].group != entry.group {
        rows.append(.heading(entry.group))
      }
      rows.append(.entry(index))
    }
    return rows
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
      let row = firstRow + event.row - list.row
      let rows = rows
      guard rows.indices.contains(row), case .entry(let clicked) = rows[row] else { return .stay }
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
    var keyColumns = all.map(\.keys.columns).max() ?? 0
    let columns = keyColumns + 2 + (all.map(\.help.columns).max() ?? 0)
    let inner = window.open(
      "Keys", columns: columns, rows: all.count + CommandEntry.HelpGroup.allCases.count + 3,
      in: &canvas)
    drawField(in: inner, into: &canvas)
    list = CellRect(
      column: inner.column, row: inner.row + 1, columns: inner.columns, rows: inner.rows - 2)
    rowsInView = max(1, list.rows)
    let isNarrow = list.columns < Self.leastColumns
    if isNarrow { keyColumns = all.map(\.firstKey.columns).max() ?? 0 }
    keyColumns = min(keyColumns, 14)
    let (entries, rows) = (entries, rows)
    scroll(through: rows)
    for (offset, row) in rows.dropFirst(firstRow).prefix(list.rows).enumerated() {
      switch row {
      case .heading(let group):
        canvas.draw(
          group.rawValue.clipped(to: list.columns),
          at: CellPoint(column: list.column, row: list.row + offset), ink: .title)
      case .entry(let index):
        draw(
          entries[index], isSelected: index == selection, isNarrow: isNarrow,
          keyColumns: keyColumns, at: list.row + offset, into: &canvas)
      }
    }
    if entries.isEmpty, list.rows > 0 {
      canvas.draw(
        "No key is about that".clipped(to: list.columns),
        at: CellPoint(column: list.column, row: list.row), ink: .dim)
    }
    canvas.drawMore(
      above: firstRow > 0, below: firstRow + list.rows < rows.count, in: window.rect)
    let note = field.cutNotice ?? selected.flatMap { remark(on: $0, keyColumns) }
    guard inner.rows > 1, let note else { return }
    canvas.draw(
      note.fitted(to: inner.columns),
      at: CellPoint(column: inner.column, row: inner.row + inner.rows - 1), ink: .accent)
  }

  /// In fewer columns only one key of each command is shown.
  private static let leastColumns = 50

  /// Returns why an entry is not available, or else what its line has no room for.
  private func remark(on entry: Entry, _ keyColumns: Int) -> String? {
    if let reason = entry.reason { return "Not now: \(reason)" }
    let room = list.columns - keyColumns - 2
    guard entry.help.columns > room else { return nil }
    let shown = entry.help.shortened(to: room).dropLast()
    return "…" + entry.help.dropFirst(shown.count).drop { $0 == " " }
  }

  /// Scrolls just enough to show the selection, and the name of its group above the first of it.
  private mutating func scroll(through rows: [Row]) {
    let row =
      rows.firstIndex { if case .entry(selection) = $0 { true } else { false } } ?? 0
    var top = row
    if row > 0, rowsInView > 1, case .heading = rows[row - 1] { top -= 1 }
    firstRow = max(row - rowsInView + 1, min(firstRow, top))
    firstRow = max(0, min(firstRow, rows.count - rowsInView))
  }

  private func drawField(in inner: CellRect, into canvas: inout Canvas) {
    let point = CellPoint(column: inner.column, row: inner.row)
    guard field.text.isEmpty else {
      field.draw(at: point, columns: inner.columns, into: &canvas)
      return
    }
    canvas.draw(" ", at: point, ink: .selected)
    canvas.cursor = point
    canvas.draw(
      Self.prompt.clipped(to: max(0, inner.columns - 2)),
      at: CellPoint(column: inner.column + 2, row: inner.row), ink: .dim)
  }

  private func draw(
    _ entry: Entry, isSelected: Bool, isNarrow: Bool, keyColumns: Int, at row: Int,
    into canvas: inout Canvas
  ) {
    let isUsable = entry.reason == nil
    canvas.draw(
      (isNarrow ? entry.firstKey : entry.keys).padded(to: keyColumns, alignment: .trailing),
      at: CellPoint(column: list.column, row: row), ink: isUsable ? .key : .dim,
      width: list.columns)
    let column = list.column + keyColumns + 2
    let room = max(0, list.columnRange.upperBound - column)
    let text = entry.help.shortened(to: room)
    canvas.draw(
      isSelected ? text.padded(to: room) : text, at: CellPoint(column: column, row: row),
      ink: isSelected ? .selected : isUsable ? .plain : .dim)
  }
}

extension HelpDialog.Entry {
  /// Whether its text contains a word, or a key of it is the word.
  fileprivate func names(_ word: Substring) -> Bool {
    help.lowercased().contains(word) || command.rawValue.lowercased().contains(word)
      || keys.split(separator: " ").contains { $0.lowercased() == word }
  }

  /// Whether a word begins one of its synonyms.
  fileprivate func isSynonym(_ word: Substring) -> Bool {
    command.entry.synonyms.contains { $0.hasPrefix(word) }
  }
}
