/// A position on the screen, in cells from the top left.
package struct CellPoint: Hashable, Sendable {
  package var column: Int
  package var row: Int

  package init(column: Int, row: Int) {
    self.column = column
    self.row = row
  }
}

package struct CellSize: Hashable, Sendable {
  package var columns: Int
  package var rows: Int

  package init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  package var isEmpty: Bool { columns <= 0 || rows <= 0 }
}

package struct CellRect: Hashable, Sendable {
  package var column: Int
  package var row: Int
  package var columns: Int
  package var rows: Int

  package init(column: Int, row: Int, columns: Int, rows: Int) {
    self.column = column
    self.row = row
    self.columns = max(0, columns)
    self.rows = max(0, rows)
  }

  package init(_ size: CellSize) {
    self.init(column: 0, row: 0, columns: size.columns, rows: size.rows)
  }

  package var size: CellSize { CellSize(columns: columns, rows: rows) }
  package var columnRange: Range<Int> { column..<column + columns }
  package var rowRange: Range<Int> { row..<row + rows }
  package var isEmpty: Bool { size.isEmpty }

  package func contains(_ point: CellPoint) -> Bool {
    columnRange.contains(point.column) && rowRange.contains(point.row)
  }

  /// Returns the rectangle without its outer `amount` columns and `rowAmount` rows on each side.
  package func inset(columns amount: Int, rows rowAmount: Int) -> CellRect {
    CellRect(
      column: column + amount, row: row + rowAmount, columns: columns - 2 * amount,
      rows: rows - 2 * rowAmount)
  }

  /// Returns a rectangle of `size` centered in this one.
  package func centered(_ size: CellSize) -> CellRect {
    CellRect(
      column: column + (columns - size.columns) / 2, row: row + (rows - size.rows) / 2,
      columns: size.columns, rows: size.rows)
  }
}
