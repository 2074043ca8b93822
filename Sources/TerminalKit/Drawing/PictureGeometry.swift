package import PictureCodecs

extension CellSize {
  /// Returns the cells that a whole picture takes of these, as many as fit.
  package func fitting(_ picture: PixelSize, cell: PixelSize) -> CellSize {
    let pixels = picture.fitted(in: CellRect(self).pixels(cell: cell).size)
    return CellSize(
      columns: min(columns, max(1, (pixels.width + cell.width / 2) / cell.width)),
      rows: min(rows, max(1, (pixels.height + cell.height / 2) / cell.height)))
  }
}

extension CellRect {
  /// Returns the rectangle in pixels, for cells of `cell` pixels.
  package func pixels(cell: PixelSize) -> PixelRect {
    PixelRect(
      x: column * cell.width, y: row * cell.height,
      size: PixelSize(width: columns * cell.width, height: rows * cell.height))
  }

  /// Returns the part within the first `count` columns and rows.
  package func clamped(to count: Int) -> CellRect {
    let columns = columnRange.clamped(to: 0..<count)
    let rows = rowRange.clamped(to: 0..<count)
    return CellRect(
      column: columns.lowerBound, row: rows.lowerBound, columns: columns.count, rows: rows.count)
  }
}

extension Bitmap {
  /// Returns the picture stretched to fill a rectangle of cells exactly, in pixels.
  func scaled(filling size: CellSize, cell: PixelSize) -> Bitmap {
    scaled(to: CellRect(size).pixels(cell: cell).size)
  }
}

extension [UInt8] {
  mutating func appendMove(to point: CellPoint) {
    self += "\u{1B}[\(point.row + 1);\(point.column + 1)H".utf8
  }
}
