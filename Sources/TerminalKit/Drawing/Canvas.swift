/// One frame of the screen as values: text in cells, and pictures placed over some of them.
///
/// Views draw here and know nothing about a terminal. Drawing is clipped to the canvas; a character
/// that is two columns wide occupies the next cell too.
package struct Canvas: Sendable {
  package struct Cell: Hashable, Sendable {
    /// One character with its marks, or an emoji sequence, which the screen may reduce to its first
    /// emoji; empty in the second cell of a wide one.
    package var text: String
    package var ink: Ink

    /// Whether the cell begins an emoji sequence, which takes the next cell too.
    var isEmojiSequence: Bool { text.utf8.count > 4 && text.first?.isEmojiSequence == true }

    static let blank = Cell(text: " ", ink: .plain)
    /// The cell under a picture.
    ///
    /// A no-break space, because ncurses clears blanks with EL and ECH, which would erase the
    /// picture.
    static let underPicture = Cell(text: "\u{A0}", ink: .plain)
  }

  /// A picture and the position of its top left corner.
  package struct Placement: Sendable {
    package var picture: any PreparedPicture
    package var rect: CellRect
  }

  package let size: CellSize
  package private(set) var rows: [[Cell]]
  package private(set) var placements: [Placement] = []
  /// The cell where the next typed character goes; nil where no text is typed.
  ///
  /// The terminal's own cursor is there, for input methods and screen magnifiers.
  package var cursor: CellPoint?
  /// Where the cursor rests, hidden, while no text is typed: the first cell of what is selected.
  ///
  /// Braille displays, screen readers and magnifiers follow it there.
  package var resting: CellPoint?

  package init(size: CellSize) {
    self.size = size
    rows = Array(
      repeating: Array(repeating: .blank, count: max(0, size.columns)), count: max(0, size.rows))
  }

  /// Draws text to the right of a cell, up to `width` columns, and returns the column after it.
  @discardableResult
  package mutating func draw(
    _ text: String, at point: CellPoint, ink: Ink = .plain, width: Int = .max
  ) -> Int {
    guard rows.indices.contains(point.row) else { return point.column }
    let end = min(size.columns, width == .max ? size.columns : point.column + width)
    var column = point.column
    for character in text.drawable(keepsSequences: true) {
      let columns = character.columns
      guard columns > 0 else { continue }
      guard column + columns <= end else { break }
      if column >= 0 { put(String(character), columns: columns, ink, column, point.row) }
      column += columns
    }
    return column
  }

  /// Draws all text in some rows in one ink; pictures stay as they are.
  package mutating func recolor(_ ink: Ink, rows some: Range<Int>) {
    for row in some.clamped(to: rows.indices) {
      for column in rows[row].indices where rows[row][column] != .underPicture {
        rows[row][column].ink = ink
      }
    }
  }

  package mutating func clear(_ rect: CellRect) {
    fill(rect, with: .blank)
  }

  mutating func fill(_ rect: CellRect, with cell: Cell) {
    let columns = rect.columnRange.clamped(to: 0..<size.columns)
    for row in rect.rowRange.clamped(to: 0..<size.rows) {
      for column in columns { rows[row][column] = cell }
    }
  }

  /// Places a picture over a rectangle; only the part within `clip` is shown.
  ///
  /// Later drawing covers it, cell by cell.
  package mutating func place(_ picture: any PreparedPicture, in rect: CellRect, clip: CellRect) {
    let columns = rect.columnRange.clamped(to: clip.columnRange)
    let visible = rect.rowRange.clamped(to: clip.rowRange)
    fill(
      CellRect(
        column: columns.lowerBound, row: visible.lowerBound, columns: columns.count,
        rows: visible.count),
      with: .underPicture)
    placements.append(Placement(picture: picture, rect: rect))
  }

  /// Draws a frame around a rectangle, with a title in its top edge.
  package mutating func drawFrame(_ rect: CellRect, title: String, ink: Ink, titleInk: Ink) {
    guard rect.columns >= 2, rect.rows >= 2 else { return }
    let line = String(repeating: "─", count: rect.columns - 2)
    draw("╭\(line)╮", at: CellPoint(column: rect.column, row: rect.row), ink: ink)
    let bottom = rect.row + rect.rows - 1
    draw("╰\(line)╯", at: CellPoint(column: rect.column, row: bottom), ink: ink)
    for row in rect.row + 1..<bottom {
      draw("│", at: CellPoint(column: rect.column, row: row), ink: ink)
      draw("│", at: CellPoint(column: rect.column + rect.columns - 1, row: row), ink: ink)
    }
    drawTitle(title, in: rect, ink: titleInk)
  }

  /// Draws a title into the top edge of a frame.
  package mutating func drawTitle(_ title: String, in rect: CellRect, ink: Ink) {
    guard rect.columns >= 6 else { return }
    let text = " \(title.clipped(to: rect.columns - 6)) "
    draw(text, at: CellPoint(column: rect.column + 2, row: rect.row), ink: ink)
  }

  /// The ranges of a row that show the picture below.
  func columnsUnderPicture(row: Int, in columns: Range<Int>) -> [Range<Int>] {
    guard rows.indices.contains(row) else { return [] }
    var runs: [Range<Int>] = []
    for column in columns.clamped(to: 0..<size.columns)
    where rows[row][column] == .underPicture {
      if let last = runs.last, last.upperBound == column {
        runs[runs.count - 1] = last.lowerBound..<column + 1
      } else {
        runs.append(column..<column + 1)
      }
    }
    return runs
  }

  /// The text of the frame, one line per row: for tests and debugging.
  package var text: String {
    rows.map { row in row.map(\.text).joined() }.joined(separator: "\n")
  }

  private mutating func put(
    _ text: String, columns: Int, _ ink: Ink, _ column: Int, _ row: Int
  ) {
    // If half of a wide character is overwritten, the other half must go too.
    if rows[row][column].text.isEmpty, column > 0 { rows[row][column - 1] = .blank }
    rows[row][column] = Cell(text: text, ink: ink)
    if columns == 2 {
      rows[row][column + 1] = Cell(text: "", ink: ink)
    }
    let next = column + columns
    if next < size.columns, rows[row][next].text.isEmpty { rows[row][next] = .blank }
  }
}

extension Canvas.Placement: Equatable {
  package static func == (one: Self, other: Self) -> Bool {
    one.picture === other.picture && one.rect == other.rect
  }
}

extension Canvas: Equatable {}
