/// Where everything is on a screen of some size.
///
/// The card has what the others leave. As the screen gets lower, first the thumbnails shrink, then
/// the carousel becomes one line of text, then it goes; then the status line shares the last row.
struct Layout: Hashable, Sendable {
  /// The frame around card and carousel; nil on a screen too small for one.
  var frame: CellRect?
  /// Where the picture goes.
  var picture: CellRect
  /// The line under the picture.
  var info: CellRect
  /// The row of the line between card and carousel.
  var dividerRow: Int?
  /// Where the favourites go: one row of text, or the height of the thumbnails.
  var carousel: CellRect?
  /// The line for what happened; the same row as `hints` where there is no other.
  var status: CellRect
  /// The line for the keys.
  var hints: CellRect

  /// Whether the favourites are shown as thumbnails.
  var showsThumbnails: Bool { (carousel?.rows ?? 0) >= Self.leastThumbnailRows }

  static let leastThumbnailRows = 3

  init(_ size: CellSize) {
    let all = CellRect(size)
    let last = max(0, size.rows - 1)
    hints = CellRect(column: 1, row: last, columns: size.columns - 2, rows: min(1, size.rows))
    let hasStatusRow = size.rows >= 12
    status = hints
    if hasStatusRow { status.row -= 1 }
    let boxRows = max(0, size.rows - (hasStatusRow ? 2 : 1))

    guard boxRows >= 4, size.columns >= 12 else {
      // No room for a frame: a line of text, and the keys.
      picture = CellRect(column: 0, row: 0, columns: size.columns, rows: max(0, boxRows - 1))
      info = CellRect(column: 0, row: max(0, boxRows - 1), columns: all.columns, rows: 1)
      if boxRows == 0 { info.rows = 0 }
      return
    }
    let box = CellRect(column: 0, row: 0, columns: size.columns, rows: boxRows)
    frame = box
    let inner = box.inset(columns: 1, rows: 1)
    let carouselRows = Self.carouselRows(boxRows: boxRows)
    let cardRows = inner.rows - (carouselRows > 0 ? carouselRows + 1 : 0)
    picture = CellRect(
      column: inner.column, row: inner.row, columns: inner.columns, rows: cardRows - 1)
    info = CellRect(
      column: inner.column + 1, row: inner.row + cardRows - 1, columns: inner.columns - 2, rows: 1)
    if carouselRows > 0 {
      dividerRow = inner.row + cardRows
      carousel = CellRect(
        column: inner.column, row: inner.row + cardRows + 1, columns: inner.columns,
        rows: carouselRows)
    }
  }

  private static func carouselRows(boxRows: Int) -> Int {
    switch boxRows {
    case ..<7: 0
    case ..<14: 1
    default: min(12, max(leastThumbnailRows, boxRows / 5))
    }
  }
}
