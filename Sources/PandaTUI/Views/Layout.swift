internal import TerminalKit

/// Where everything is on a screen of some size.
///
/// The card has what the others leave. On a wide screen the carousel stands beside the picture,
/// where a picture leaves room anyway; otherwise it lies below. As the screen gets lower, first the
/// thumbnails shrink, then the carousel becomes one line of text, then it goes; then the status line
/// shares the last row.
struct Layout: Hashable, Sendable {
  /// The frame around card and carousel; nil on a screen too small for one.
  var frame: CellRect?
  /// Where the picture goes.
  var picture: CellRect
  /// The line under the picture.
  var info: CellRect
  /// The row of the line between card and carousel, where one lies below the other.
  var dividerRow: Int?
  /// The column of the line between them, where one stands beside the other.
  var dividerColumn: Int?
  /// Where the favourites go: one row of text, a row of thumbnails, or a grid of them.
  var carousel: CellRect?
  /// The line for what happened; the same row as `hints` where there is no other.
  var status: CellRect
  /// The line for the keys.
  var hints: CellRect

  /// Whether the favourites are shown as thumbnails.
  var showsThumbnails: Bool { (carousel?.rows ?? 0) >= Self.leastThumbnailRows }
  /// Whether the thumbnails are a grid beside the card.
  var isGrid: Bool { dividerColumn != nil }

  /// The pane that commands are about: the one with the keyboard, or the card where the carousel
  /// cannot be seen.
  func pane(withFocus focus: Pane) -> Pane { carousel == nil ? .card : focus }

  static let leastThumbnailRows = 3
  /// From how many columns on the carousel may stand beside the card.
  private static let leastWideColumns = 120
  private static let leastWideRows = 16

  init(_ size: CellSize) {
    let last = max(0, size.rows - 1)
    hints = CellRect(column: 1, row: last, columns: size.columns - 1, rows: min(1, size.rows))
    let hasStatusRow = size.rows >= 12
    status = hints
    if hasStatusRow { status.row -= 1 }
    let boxRows = max(0, size.rows - (hasStatusRow ? 2 : 1))

    guard boxRows >= 4, size.columns >= 12 else {
      // No room for a frame: a line of text, and the keys.
      picture = CellRect(column: 0, row: 0, columns: size.columns, rows: max(0, boxRows - 1))
      info = CellRect(column: 0, row: max(0, boxRows - 1), columns: size.columns, rows: 1)
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
    guard carouselRows > 0 else { return }
    dividerRow = inner.row + cardRows
    carousel = CellRect(
      column: inner.column, row: inner.row + cardRows + 1, columns: inner.columns,
      rows: carouselRows)
    if size.columns >= Self.leastWideColumns, size.rows >= Self.leastWideRows {
      placeBeside(inner)
    }
  }

  /// The picture alone, for the slideshow: with the lines for the picture and the keys.
  init(slideshow size: CellSize) {
    let last = max(0, size.rows - 1)
    picture = CellRect(column: 0, row: 0, columns: size.columns, rows: max(0, size.rows - 2))
    info = CellRect(
      column: 1, row: max(0, last - 1), columns: size.columns - 2, rows: size.rows > 1 ? 1 : 0)
    hints = CellRect(column: 1, row: last, columns: size.columns - 1, rows: min(1, size.rows))
    status = hints
  }

  /// Stands the carousel beside the card if pictures are a good deal larger then.
  private mutating func placeBeside(_ inner: CellRect) {
    let sideColumns = min(64, max(28, inner.columns / 4))
    let card = CellRect(
      column: inner.column, row: inner.row, columns: inner.columns - sideColumns - 1,
      rows: inner.rows - 1)
    guard Self.pictureCells(in: card) * 5 > Self.pictureCells(in: picture) * 6 else { return }
    picture = card
    info = CellRect(
      column: inner.column + 1, row: inner.rowRange.upperBound - 1, columns: card.columns - 2,
      rows: 1)
    dividerRow = nil
    dividerColumn = card.columnRange.upperBound
    carousel = CellRect(
      column: card.columnRange.upperBound + 1, row: inner.row, columns: sideColumns,
      rows: inner.rows)
  }

  /// How many cells a picture of 4:3 takes in an area, with cells twice as high as wide.
  private static func pictureCells(in area: CellRect) -> Int {
    let rows = min(area.rows, area.columns * 3 / 8)
    return rows * rows * 8 / 3
  }

  private static func carouselRows(boxRows: Int) -> Int {
    switch boxRows {
    case ..<7: 0
    case ..<14: 1
    default: min(12, max(leastThumbnailRows, boxRows / 5))
    }
  }
}
