internal import PandaSession
internal import TerminalKit

/// Lists the commands with their keys: first those that matter, then all of them in groups.
///
/// Typing filters all, and Enter runs one. A command is also found by its synonyms. One that is not
/// available says why.
struct HelpDialog: Equatable {
  struct Entry: Equatable {
    var command: Command
    var keys: String
    var firstKey: String
    var help: String
    var group: CommandEntry.HelpGroup
    /// The reason why the command is not available; nil if it is.
    var reason: String?
  }

  private enum Row {
    case heading(CommandEntry.HelpGroup)
    case entry(Int)

    var isHeading: Bool { if case .heading = self { true } else { false } }
  }

  /// The commands that the help opens with.
  static let first: [Command] = [
    .card(.fetch), .favorites(.favorite), .view(.nextPane), .favorites(.show), .program(.cancel),
    .favorites(.filter), .favorites(.undo), .program(.quit),
  ]

  /// Those that are only found by typing.
  static let rare: [Command] = [.picture(.shareCard), .favorites(.markRange)]

  /// What the shell or the settings do, by words that a user may type for it.
  private static let elsewhere: [(words: [String], place: String)] = [
    (["wallpaper", "background"], "A line of shell does that: see Scripting.md"),
    (["import"], "In the shell: panda import DIR"),
    (["theme", "light", "dark"], "theme in the settings: see man panda-config"),
    (["settings", "config", "preferences"], "panda config prints them: see man panda-config"),
    (["print", "printer"], "In the shell: panda show ID prints it"),
  ]

  /// The placeholder of the field.
  static let prompt = "type to filter"

  private let all: [Entry]
  private(set) var field = TextField("", limit: 40)
  /// Whether all keys are shown before something is typed.
  private(set) var showsAll = false
  private var selection = 0
  private var firstRow = 0
  private var rowsInView = 1
  private var window = DialogWindow()
  private var parts: [Part] = []

  /// A column of the list where it was last drawn.
  private struct Part: Equatable {
    let rect: CellRect
    /// The number of its first row.
    let first: Int
    let count: Int
  }

  /// - Parameters:
  ///   - texts: replace the texts of commands that do something else now.
  ///   - reason: returns why a command is not available; nil if it is.
  init(_ keys: KeyTable, texts: [Command: String] = [:], reason: (Command) -> String?) {
    let entries = keys.bindings.map { binding in
      Entry(
        command: binding.command, keys: binding.keys.map(\.label).joined(separator: " "),
        firstKey: binding.keys.first?.label ?? "",
        help: texts[binding.command] ?? binding.help, group: binding.group,
        reason: reason(binding.command))
    }
    all = CommandEntry.HelpGroup.allCases.flatMap { group in entries.filter { $0.group == group } }
  }

  private var first: [Entry] {
    Self.first.compactMap { command in all.first { $0.command == command } }
  }

  /// The first ones, or all; of what is typed, the entries whose keys or text contain all words,
  /// then those with synonyms of them.
  var entries: [Entry] {
    let words = field.text.lowercased().split(separator: " ")
    guard !words.isEmpty else {
      return showsAll ? all.filter { !Self.rare.contains($0.command) } : first
    }
    let named = all.filter { entry in words.allSatisfy(entry.names) }
    return named
      + all.filter { entry in
        words.allSatisfy { entry.names($0) || entry.isSynonym($0) } && !named.contains(entry)
      }
  }

  /// Where what is typed is done, if not by a key; nil for anything else.
  private var place: String? {
    let text = field.text.lowercased()
    guard text.count > 2 else { return nil }
    return Self.elsewhere.first { $0.words.contains { $0.hasPrefix(text) } }?.place
  }

  /// The rows of the list: its entries, and their groups if all are shown.
  private var rows: [Row] {
    let entries = entries
    guard field.text.isEmpty, showsAll else { return entries.indices.map { .entry($0) } }
    var rows: [Row] = []
    for (index, entry) in entries.enumerated() {
      if index == 0 || entries[index - 1].group != entry.group {
        rows.append(.heading(entry.group))
      }
      rows.append(.entry(index))
    }
    return rows
  }

  var selected: Entry? {
    let entries = entries
    return entries.indices.contains(selection) ? entries[selection] : nil
  }

  mutating func handle(_ key: Key) -> Dialog.Outcome {
    switch key {
    case .escape, .control("g"): return .close
    case .character("?") where field.text.isEmpty:
      guard !showsAll else { return .close }
      (showsAll, selection) = (true, 0)
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
    case .press(.left) where parts.contains { $0.rect.contains(event.point) }:
      let rows = rows
      guard let part = parts.first(where: { $0.rect.contains(event.point) }),
        event.row - part.rect.row < part.count,
        case .entry(let clicked) = rows[part.first + event.row - part.rect.row]
      else { return .stay }
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
    let keyColumns = min(Self.mostKeyColumns, all.map(\.keys.columns).max() ?? 0)
    let needed = keyColumns + 2 + (all.map(\.help.columns).max() ?? 0)
    let (entries, rows) = (entries, rows)
    let isWide = canvas.size.columns >= Self.leastColumnsOfTwo && showsAll && field.text.isEmpty
    // Pictures beside so many lines would only distract.
    canvas.clear(
      CellRect(
        column: 0, row: 0, columns: canvas.size.columns, rows: max(0, canvas.size.rows - 1)))
    let allRows =
      showsAll ? all.count - Self.rare.count + CommandEntry.HelpGroup.allCases.count : first.count
    let inner = window.open(
      "Keys", columns: isWide ? canvas.size.columns - 6 : needed,
      rows: (isWide ? canvas.size.rows : allRows + 3), in: &canvas)
    drawField(in: inner, into: &canvas)
    arrange(
      rows,
      in: CellRect(
        column: inner.column, row: inner.row + 1, columns: inner.columns, rows: inner.rows - 2),
      columns: isWide ? 2 : 1)
    for part in parts {
      for (offset, row) in rows[part.first..<part.first + part.count].enumerated() {
        let point = CellPoint(column: part.rect.column, row: part.rect.row + offset)
        switch row {
        case .heading(let group):
          canvas.draw(group.rawValue.clipped(to: part.rect.columns), at: point, ink: .title)
        case .entry(let index):
          draw(
            entries[index], isSelected: index == selection, keyColumns, in: part.rect,
            at: point.row, into: &canvas)
        }
      }
    }
    if entries.isEmpty, let list = parts.first?.rect, list.rows > 0 {
      canvas.draw(
        (place ?? "No matching key").fitted(to: list.columns),
        at: CellPoint(column: list.column, row: list.row), ink: place == nil ? .secondary : .plain)
    }
    let shown = parts.reduce(0) { $0 + $1.count }
    canvas.drawMore(
      above: firstRow > 0, below: firstRow + shown < rows.count, in: window.rect)
    let more = showsAll || !field.text.isEmpty ? nil : Self.more
    let elsewhere = entries.isEmpty ? nil : place
    let note =
      field.cutNotice ?? elsewhere ?? selected.flatMap { remark(on: $0, keyColumns) } ?? more
    guard inner.rows > 1, let note else { return }
    canvas.draw(
      note.fitted(to: inner.columns),
      at: CellPoint(column: inner.column, row: inner.row + inner.rows - 1),
      ink: note == more ? .secondary : .accent)
  }

  /// Places the rows in columns next to each other, scrolled to the selection.
  private mutating func arrange(_ rows: [Row], in list: CellRect, columns: Int) {
    rowsInView = max(1, list.rows * columns)
    scroll(through: rows)
    parts = []
    var next = firstRow
    let width = (list.columns - 3 * (columns - 1)) / columns
    for column in 0..<columns {
      var rect = list
      rect.column += column * (width + 3)
      rect.columns = width
      let rest = max(0, rows.count - next)
      let isLast = column == columns - 1
      // A group begins the next column, if both have room.
      let breaks = (1..<max(2, rest)).filter { count in
        !isLast && count <= list.rows && rest - count <= list.rows && rows[next + count].isHeading
      }
      let count =
        breaks.min { abs(2 * $0 - rest) < abs(2 * $1 - rest) } ?? min(list.rows, rest)
      parts.append(Part(rect: rect, first: next, count: count))
      next += count
    }
  }

  static let more = "? shows all keys"
  private static let mostKeyColumns = 14
  /// The columns of a screen from which all keys are in two columns.
  private static let leastColumnsOfTwo = 100

  /// In fewer columns, and in two columns, only one key of each command is shown.
  private static let leastColumns = 50

  /// Returns why an entry is not available, or else what its line has no room for.
  private func remark(on entry: Entry, _ keyColumns: Int) -> String? {
    if let reason = entry.reason { return "Not now: \(reason)" }
    let columns = parts.first?.rect.columns ?? 0
    let room = columns - self.keyColumns(keyColumns, in: columns) - 2
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
    canvas.cursor = point
    canvas.draw(
      Self.prompt.clipped(to: max(0, inner.columns - 2)),
      at: CellPoint(column: inner.column + 2, row: inner.row), ink: .secondary)
  }

  /// Returns the columns of keys in a list of so many columns.
  private func keyColumns(_ most: Int, in columns: Int) -> Int {
    columns < Self.leastColumns || parts.count > 1
      ? min(most, all.map(\.firstKey.columns).max() ?? 0) : most
  }

  private func draw(
    _ entry: Entry, isSelected: Bool, _ mostKeyColumns: Int, in list: CellRect, at row: Int,
    into canvas: inout Canvas
  ) {
    let isUsable = entry.reason == nil
    let keyColumns = keyColumns(mostKeyColumns, in: list.columns)
    canvas.draw(
      (list.columns < Self.leastColumns || parts.count > 1 ? entry.firstKey : entry.keys)
        .padded(to: keyColumns, alignment: .trailing),
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
