internal import PandaCore
internal import TerminalKit

/// Lines to read, such as the details of a picture: wrapped, and scrolled if necessary.
struct TextDialog: Equatable {
  /// A line with a label.
  struct Line: Equatable {
    var label: String
    var text: String
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

  /// Returns the columns that details take at the right of a wide screen, beside their picture.
  ///
  /// Nil on a screen that is too narrow for both.
  static func dockedColumns(of size: CellSize) -> Int? {
    size.columns >= 100 ? min(56, size.columns * 2 / 5) : nil
  }

  init(title: String, lines: [Line], subject: RemoteImage? = nil) {
    self.title = title
    self.subject = subject
    self.lines = lines
  }

  mutating func handle(_ key: Key, keys: KeyTable) -> Dialog.Outcome {
    switch (key, keys.command(for: key)) {
    case (.escape, _), (.enter, _), (_, .quit), (_, .details), (_, .problem), (_, .help):
      return .close
    case (.down, _), (_, .down): firstRow += 1
    case (.up, _), (_, .up): firstRow -= 1
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
    let labelColumns = lines.map(\.label.columns).max() ?? 0
    let gap = labelColumns > 0 ? 2 : 0
    let docked = subject == nil ? nil : Self.dockedColumns(of: canvas.size)
    let most = docked.map { $0 - 4 } ?? min(Self.greatestWidth, canvas.size.columns - 4)
    let room = max(8, most - labelColumns - gap)
    let rows = lines.flatMap { line in
      line.text.wrapped(to: room).enumerated().map { number, text in
        (label: number == 0 ? line.label : "", text: text)
      }
    }
    let width = labelColumns + gap + (rows.map(\.text.columns).max() ?? 0)
    let inner =
      docked.map { window.dock(title, columns: $0, in: &canvas) }
      ?? window.open(title, columns: width, rows: rows.count, in: &canvas)
    rowsInView = max(1, inner.rows)
    firstRow = max(0, min(firstRow, rows.count - inner.rows))
    for (offset, row) in rows.dropFirst(firstRow).prefix(inner.rows).enumerated() {
      let point = CellPoint(column: inner.column, row: inner.row + offset)
      canvas.draw(
        row.label.padded(to: labelColumns, alignment: .trailing), at: point, ink: .dim,
        width: inner.columns)
      canvas.draw(
        row.text.clipped(to: max(0, inner.columns - labelColumns - gap)),
        at: CellPoint(column: inner.column + labelColumns + gap, row: point.row))
    }
    canvas.drawMore(above: firstRow > 0, below: firstRow + inner.rows < rows.count, in: window.rect)
  }
}

extension Canvas {
  /// Draws on a frame that there is more text above or below.
  mutating func drawMore(above: Bool, below: Bool, in rect: CellRect) {
    guard rect.columns > 14, rect.rows > 2 else { return }
    let column = rect.columnRange.upperBound - 10
    if above {
      draw(" ↑ more ", at: CellPoint(column: column, row: rect.row), ink: .dim)
    }
    if below {
      draw(" ↓ more ", at: CellPoint(column: column, row: rect.rowRange.upperBound - 1), ink: .dim)
    }
  }
}
