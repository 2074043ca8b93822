internal import PandaCore
internal import PandaSession
internal import TerminalKit

/// Lists the collections and the tags with their counts, each of which can be shown.
///
/// A collection can be deleted, and brought back.
struct CollectionsDialog: Equatable {
  enum Request: Equatable {
    case show(filter: String)
    case keep(filter: String)
    /// Makes the marked favorites a collection.
    case collect
    case delete(name: String)
    /// Brings back the collection that was deleted last.
    case restore
  }

  private static let greatestWidth = 70

  var collections: [SavedFilter] {
    didSet {
      // The selection is a collection, as long as that is there, or a tag.
      guard selection < oldValue.count || oldValue.isEmpty else {
        return selection += collections.count - oldValue.count
      }
      let selected = oldValue.indices.contains(selection) ? oldValue[selection].name : nil
      let place = collections.firstIndex { $0.name == selected } ?? selection
      selection = max(0, min(place, max(0, collections.count - 1)))
    }
  }
  var tags: [Tags.Use] = []
  /// The number of favorites that match each filter; none for one not counted yet.
  var counts: [String: Int] = [:]
  var canRestore = false
  /// The effect of the last deletion on other collections; nil if there was none.
  private var deletion: String?
  /// The present filter; empty if there is none.
  let filter: String
  private let filterKey: String
  private let markedCount: Int
  /// The action of `a`; nil if it has none.
  var addition: String? {
    if markedCount > 0 { return "collect the marked" }
    return filter.isEmpty ? nil : "save the filter"
  }
  private var selection = 0
  private var window = DialogWindow()
  private var list = CellRect(column: 0, row: 0, columns: 0, rows: 0)
  private var firstRow = 0
  /// The places of the tags, in their order.
  private var chips: [CellRect] = []

  /// - Parameters:
  ///   - filterKey: the key by which the user filters; empty if there is none.
  ///   - markedCount: how many favorites are marked; those can be collected.
  init(_ collections: [SavedFilter], filter: String, filterKey: String, markedCount: Int = 0) {
    self.markedCount = markedCount
    self.collections = collections
    self.filter = filter
    self.filterKey = filterKey
  }

  private var selected: SavedFilter? {
    collections.indices.contains(selection) ? collections[selection] : nil
  }

  private var chosenFilter: String? {
    let number = selection - collections.count
    return selected?.filter
      ?? (tags.indices.contains(number) ? "#=\(tags[number].tag)" : nil)
  }

  mutating func handle(_ key: Key, keys: KeyTable) -> Dialog.Outcome {
    deletion = nil
    switch (key, keys.command(for: key)) {
    case (.escape, _), (_, .program(.quit)), (_, .favorites(.collections)): return .close
    case (.enter, _): return chosenFilter.map { .collection(.show(filter: $0)) } ?? .stay
    case (.character("a"), _) where markedCount > 0: return .collection(.collect)
    case (.character("a"), _): return filter.isEmpty ? .stay : .collection(.keep(filter: filter))
    case (.character("x"), _), (.delete, _):
      guard let selected else { return .stay }
      deletion = collections.consequence(ofDeleting: selected).map { "Deleted. \($0)" } ?? "Deleted"
      return .collection(.delete(name: selected.name))
    case (.character("u"), _), (_, .favorites(.undo)):
      return canRestore ? .collection(.restore) : .stay
    case (.down, _), (.right, _), (_, .move(.down)), (_, .move(.right)), (.tab, _): move(1)
    case (.up, _), (.left, _), (_, .move(.up)), (_, .move(.left)), (.backTab, _): move(-1)
    case (.home, _), (_, .move(.first)): move(-count)
    case (.end, _), (_, .move(.last)): move(count)
    default: break
    }
    return .stay
  }

  mutating func handle(_ event: MouseEvent) -> Dialog.Outcome {
    switch event.kind {
    case .scroll(.down): move(1)
    case .scroll(.up): move(-1)
    case .press(.left) where list.contains(event.point):
      let clicked = firstRow + event.row - list.row
      guard collections.indices.contains(clicked) else { return .stay }
      if clicked == selection, let selected {
        return .collection(.show(filter: selected.filter))
      }
      selection = clicked
    case .press(.left) where chips.contains { $0.contains(event.point) }:
      selection = collections.count + (chips.firstIndex { $0.contains(event.point) } ?? 0)
      return chosenFilter.map { .collection(.show(filter: $0)) } ?? .stay
    default: return window.closes(event) ? .close : .stay
    }
    return .stay
  }

  var isEmpty: Bool { count == 0 }

  private var count: Int { collections.count + tags.count }

  private mutating func move(_ amount: Int) {
    selection = max(0, min(count - 1, selection + amount))
  }

  // MARK: Drawing

  /// A note about the actions besides showing a collection.
  private var note: String {
    if let deletion { return "\(deletion). u brings it back" }
    if markedCount > 0 {
      return
        "a collects \(markedCount == 1 ? "the marked panda" : "the \(markedCount) marked pandas")"
    }
    if !filter.isEmpty { return "a keeps /\(filter) as a collection".sanitized(upTo: 100) }
    let how = filterKey.isEmpty ? "A filter" : "\(filterKey) filters; the filter"
    return "\(how) can be saved here with a name"
  }

  mutating func draw(into canvas: inout Canvas) {
    let names = collections.map { $0.name.sanitized(upTo: SavedFilter.nameLimit) }
    let numbers = collections.map { counts[$0.filter].map(String.init) ?? "…" }
    // The counts stay in view beside a long name.
    let mostColumns = max(8, canvas.size.columns - 16)
    let nameColumns = min(mostColumns, names.map(\.columns).max() ?? 0)
    let numberColumns = numbers.map(\.columns).max() ?? 0
    let rows = collections.indices.map { index in
      let name = names[index].shortened(to: nameColumns).padded(to: nameColumns)
      let number = numbers[index].padded(to: numberColumns, alignment: .trailing)
      return "\(name)  \(number)  /\(collections[index].filter.sanitized(upTo: 100))"
    }
    let width = min(
      Self.greatestWidth, max(40, note.columns, rows.map(\.columns).max() ?? 0),
      canvas.size.columns - 4)
    let lines = chipLines(upTo: width)
    let chipRows = lines.isEmpty ? 0 : lines.count + (rows.isEmpty ? 0 : 1)
    let inner = window.open(
      tags.isEmpty ? "Collections" : "Collections and tags", columns: width,
      rows: rows.count + chipRows + (rows.isEmpty && lines.isEmpty ? 1 : 2), in: &canvas)
    // A window without room for all has the collections.
    let inView = rows.isEmpty ? 0 : max(1, inner.rows - 2 - chipRows)
    list = CellRect(
      column: inner.column, row: inner.row, columns: inner.columns, rows: min(inView, rows.count))
    firstRow = max(selection - inView + 1, min(firstRow, selection))
    firstRow = max(0, min(firstRow, rows.count - inView))
    for (offset, row) in rows.dropFirst(firstRow).prefix(inView).enumerated() {
      let isSelected = firstRow + offset == selection
      let text = row.clipped(to: inner.columns)
      let point = CellPoint(column: inner.column, row: inner.row + offset)
      if isSelected { canvas.resting = point }
      canvas.draw(
        isSelected ? text.padded(to: inner.columns) : text, at: point,
        ink: isSelected ? .selected : .plain)
    }
    drawChips(lines, in: inner, below: list.rowRange.upperBound, into: &canvas)
    if rows.isEmpty || inner.rows > inView {
      canvas.draw(
        note.fitted(to: inner.columns),
        at: CellPoint(column: inner.column, row: inner.row + max(0, inner.rows - 1)),
        ink: .secondary)
    }
    canvas.drawMore(
      above: firstRow > 0, below: firstRow + inView < rows.count, in: window.rect)
  }

  /// The lines of tags, the most used ones: what fits a few lines.
  private func chipLines(upTo columns: Int) -> [[String]] {
    var lines: [[String]] = []
    var room = 0
    for use in tags {
      let chip = " #\(use.tag.sanitized(upTo: 40)) \(use.count) ".clipped(to: columns)
      if chip.columns > room {
        guard lines.count < Self.mostChipLines else { break }
        lines.append([])
        room = columns
      }
      lines[lines.count - 1].append(chip)
      room -= chip.columns + 1
    }
    return lines
  }

  private static let mostChipLines = 4

  private mutating func drawChips(
    _ lines: [[String]], in inner: CellRect, below end: Int, into canvas: inout Canvas
  ) {
    chips = []
    var row = end + (collections.isEmpty ? 0 : 1)
    for line in lines where row < inner.rowRange.upperBound - 1 {
      var column = inner.column
      for chip in line {
        let isSelected = selection == collections.count + chips.count
        let point = CellPoint(column: column, row: row)
        chips.append(CellRect(column: column, row: row, columns: chip.columns, rows: 1))
        if isSelected { canvas.resting = point }
        column = canvas.draw(chip, at: point, ink: isSelected ? .selected : .key) + 1
      }
      row += 1
    }
    // An invisible line cannot be chosen.
    tags = Array(tags.prefix(chips.count))
    selection = max(0, min(selection, count - 1))
  }
}
