/// A place on the screen, in cells from the top left.
struct CellPoint: Hashable, Sendable {
  var column: Int
  var row: Int
}

/// A width and a height in cells.
struct CellSize: Hashable, Sendable {
  var columns: Int
  var rows: Int

  var isEmpty: Bool { columns <= 0 || rows <= 0 }
}

/// A rectangle of cells.
struct CellRect: Hashable, Sendable {
  var column: Int
  var row: Int
  var columns: Int
  var rows: Int

  init(column: Int, row: Int, columns: Int, rows: Int) {
    self.column = column
    self.row = row
    self.columns = max(0, columns)
    self.rows = max(0, rows)
  }

  init(_ size: CellSize) {
    self.init(column: 0, row: 0, columns: size.columns, rows: size.rows)
  }

  var size: CellSize { CellSize(columns: columns, rows: rows) }
  var columnRange: Range<Int> { column..<column + columns }
  var rowRange: Range<Int> { row..<row + rows }
  var isEmpty: Bool { size.isEmpty }

  /// The rectangle without `amount` cells at each side.
  func inset(columns amount: Int, rows rowAmount: Int) -> CellRect {
    CellRect(
      column: column + amount, row: row + rowAmount, columns: columns - 2 * amount,
      rows: rows - 2 * rowAmount)
  }

  /// A rectangle of `size` in the middle of this one.
  func centered(_ size: CellSize) -> CellRect {
    CellRect(
      column: column + (columns - size.columns) / 2, row: row + (rows - size.rows) / 2,
      columns: size.columns, rows: size.rows)
  }
}
