internal import PandaCore
internal import PandaSession
internal import TerminalKit

/// Lines to read, such as the details of a picture: wrapped, and scrolled if necessary.
struct TextDialog: Equatable {
  struct Line: Equatable {
    var label: String
    var text: String
    /// Whether the beginning says enough, so that it is not wrapped.
    var isOneLine = false
  }

  private static let greatestWidth = 90

  let title: String
  /// Text from outside must already be sanitized.
  var lines: [Line]
  /// The picture that they describe, if any.
  let subject: RemoteImage?
  private var firstRow = 0
  private var rowsInView = 1
  private var window = DialogWindow()

  /// The place of a dialog beside the picture that it describes.
  enum Dock: Equatable {
    case right(columns: Int)
    /// At its end, above the lines for messages and keys.
    case bottom(rows: Int)
  }

  /// Returns where the dialog docks; nil if it describes no picture, or has no room beside it.
  func dock(on size: CellSize) -> Dock? {
    guard subject != nil else { return nil }
    let isTall = size.rows * 2 > size.columns && size.rows >= 22
    if !isTall, size.columns >= 60, size.rows >= 12 {
      let most = min(56, max(34, size.columns * 2 / 5)) - 4
      let text = wrapped(to: most).map(\.text.columns).max() ?? 0
      return .right(columns: min(most, textColumn(in: most) + text) + 4)
    }
    guard size.rows >= 22 else { return nil }
    // At least twelve rows are for the picture and the lines about it.
    let needed = wrapped(to: size.columns - 4).count + 2
    return .bottom(rows: min(needed, size.rows / 2, size.rows - 12))
  }

  init(title: String, lines: [Line], subject: RemoteImage? = nil) {
    self.title = title
    self.subject = subject
    self.lines = lines
  }

  mutating func handle(_ key: Key, keys: KeyTable) -> Dialog.Outcome {
    switch (key, keys.command(for: key)) {
    case (.escape, _), (.enter, _), (_, .program(.quit)), (_, .picture(.details)),
      (_, .program(.problem)), (_, .program(.help)):
      return .close
    case (.down, _), (_, .move(.down)): firstRow += 1
    case (.up, _), (_, .move(.up)): firstRow -= 1
    case (.pageDown, _), (.character(" "), _): firstRow += rowsInView
    case (.pageUp, _): firstRow -= rowsInView
    case (.home, _): firstRow = 0
    case (.end, _): firstRow = .max / 2
    default: break
    }
    return .stay
  }

  mutating func handle(_ event: MouseEvent) -> Dialog.Outcome {
    switch event.kind {
    case .scroll(.down): firstRow += 1
    case .scroll(.up): firstRow -= 1
    default: return window.closes(event) ? .close : .stay
    }
    return .stay
  }

  mutating func draw(into canvas: inout Canvas) {
    let dock = dock(on: canvas.size)
    let most =
      switch dock {
      case .right(let columns): columns - 4
      case .bottom: canvas.size.columns - 4
      case nil: min(Self.greatestWidth, canvas.size.columns - 4)
      }
    let rows = wrapped(to: most)
    let width = textColumn(in: most) + (rows.map(\.text.columns).max() ?? 0)
    let inner =
      dock.map { window.dock(title, at: $0, in: &canvas) }
      ?? window.open(title, columns: width, rows: rows.count, in: &canvas)
    rowsInView = max(1, inner.rows)
    firstRow = max(0, min(firstRow, rows.count - inner.rows))
    let textColumn = textColumn(in: most)
    for (offset, row) in rows.dropFirst(firstRow).prefix(inner.rows).enumerated() {
      let point = CellPoint(column: inner.column, row: inner.row + offset)
      let label =
        isStacked(in: most)
        ? row.label : row.label.padded(to: labelColumns, alignment: .trailing)
      canvas.draw(label, at: point, ink: .secondary, width: inner.columns)
      canvas.draw(
        row.text.clipped(to: max(0, inner.columns - textColumn)),
        at: CellPoint(column: inner.column + textColumn, row: point.row))
    }
    canvas.drawMore(above: firstRow > 0, below: firstRow + inner.rows < rows.count, in: window.rect)
  }

  private var labelColumns: Int { lines.map(\.label.columns).max() ?? 0 }

  /// The columns of text that a label beside it must leave.
  private static let leastTextColumns = 14

  /// Whether each label is above its text, for want of columns.
  private func isStacked(in columns: Int) -> Bool {
    labelColumns > 0 && columns - labelColumns - 2 < Self.leastTextColumns
  }

  private func textColumn(in columns: Int) -> Int {
    isStacked(in: columns) ? 1 : labelColumns > 0 ? labelColumns + 2 : 0
  }

  /// Returns the rows of text in a number of columns, each label beside the first of its line, or
  /// above it.
  private func wrapped(to columns: Int) -> [Line] {
    let isStacked = isStacked(in: columns)
    return lines.flatMap { line -> [Line] in
      let room = max(8, columns - textColumn(in: columns))
      let texts = line.isOneLine ? [line.text.clipped(to: room)] : line.text.wrapped(to: room)
      let rows = texts.enumerated().map { number, text in
        Line(label: number == 0 && !isStacked ? line.label : "", text: text)
      }
      return isStacked && !line.label.isEmpty ? [Line(label: line.label, text: "")] + rows : rows
    }
  }
}

extension Canvas {
  /// Draws on a frame that there is more text above or below.
  mutating func drawMore(above: Bool, below: Bool, in rect: CellRect) {
    guard rect.columns > 14, rect.rows > 2 else { return }
    let column = rect.columnRange.upperBound - 10
    if above {
      draw(" ↑ more ", at: CellPoint(column: column, row: rect.row), ink: .secondary)
    }
    if below {
      draw(
        " ↓ more ", at: CellPoint(column: column, row: rect.rowRange.upperBound - 1),
        ink: .secondary)
    }
  }
}
