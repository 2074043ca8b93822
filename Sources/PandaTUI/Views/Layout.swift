internal import TerminalKit

/// Places everything on a screen of a given size.
///
/// The card gets the space that the others leave. On a wide screen the carousel is beside the
/// picture, where pictures leave space anyway; otherwise it is below. As the screen gets lower, the
/// thumbnails shrink first. Then the carousel becomes one line of text, then it disappears, and
/// then the status line shares the last row.
struct Layout: Hashable, Sendable {
  /// The frame around card and carousel.
  ///
  /// Nil on a screen that is too small for it.
  var frame: CellRect?
  /// The area of the picture.
  var picture: CellRect
  /// The line below the picture.
  var info: CellRect
  /// The row of the line between card and carousel, if one is below the other.
  var dividerRow: Int?
  /// The column of the line between them, if one is beside the other.
  var dividerColumn: Int?
  /// The area of the favorites.
  ///
  /// One row of text, a row of thumbnails, or a grid of them.
  var carousel: CellRect?
  /// The line for messages.
  ///
  /// The same row as `hints` if there is no space for both.
  var status: CellRect
  /// The line for the key hints.
  var hints: CellRect

  /// Whether the favorites are shown as thumbnails.
  var showsThumbnails: Bool { (carousel?.rows ?? 0) >= Self.leastThumbnailRows }
  /// Whether the thumbnails have the whole screen.
  var isWholeGrid = false
  /// Whether the thumbnails are a grid, beside the card or on the whole screen.
  var isGrid: Bool { dividerColumn != nil || isWholeGrid }

  /// Returns the pane that commands apply to.
  ///
  /// It is the focused one, or the only one that is visible.
  func pane(withFocus focus: Pane) -> Pane {
    isWholeGrid ? .carousel : carousel == nil ? .card : focus
  }

  static let leastThumbnailRows = 3
  /// The number of columns from which the carousel may be beside the card.
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
      // No space for a frame: a line of text, and the keys.
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

  /// Lays out the slideshow.
  ///
  /// It has the picture, and the lines for the picture and the keys.
  init(slideshow size: CellSize) {
    let last = max(0, size.rows - 1)
    picture = CellRect(column: 0, row: 0, columns: size.columns, rows: max(0, size.rows - 2))
    info = CellRect(
      column: 1, row: max(0, last - 1), columns: size.columns - 2, rows: size.rows > 1 ? 1 : 0)
    hints = CellRect(column: 1, row: last, columns: size.columns - 1, rows: min(1, size.rows))
    status = hints
  }

  /// Lays out the grid of favorites on the whole screen.
  ///
  /// Its last line is about the selected one.
  init(grid size: CellSize) {
    self.init(size)
    isWholeGrid = true
    (dividerRow, dividerColumn) = (nil, nil)
    var area =
      frame?.inset(columns: 1, rows: 1)
      ?? CellRect(column: 0, row: 0, columns: size.columns, rows: max(0, size.rows - 1))
    if area.rows > 1 {
      area.rows -= 1
      info = CellRect(
        column: area.column + 1, row: area.rowRange.upperBound, columns: area.columns - 2, rows: 1)
    } else {
      info.rows = 0
    }
    picture = CellRect(column: 0, row: 0, columns: 0, rows: 0)
    carousel = area
  }

  /// Places the carousel beside the card if that makes pictures considerably larger.
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

  /// Returns the number of cells that a 4:3 picture takes in an area.
  ///
  /// Cells are twice as high as wide.
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
