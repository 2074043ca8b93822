internal import PictureCodecs
internal import TerminalKit

/// Places everything on a screen of a given size.
///
/// The card gets the space that the others leave. Where pictures get larger by it, the carousel is
/// beside the card, which is as wide as its pictures; otherwise it is below, and on a tall screen
/// it gets what a square picture leaves. As the screen gets lower, the thumbnails shrink first.
/// Then the carousel becomes one line of text, then it disappears, and then the status line shares
/// the last row.
struct Layout: Hashable, Sendable {
  /// The frame around card and carousel.
  ///
  /// Nil on a screen that is too small for it.
  var frame: CellRect?
  /// The area of the picture.
  var picture: CellRect
  /// The line below the picture, or two where one would be short.
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
  /// A row of its own; on a low screen the lower edge of the frame; without one that of `hints`.
  var status: CellRect
  /// The line for the key hints.
  var hints: CellRect

  /// Whether messages are on the lower edge of the frame.
  var hasStatusOnFrame: Bool {
    frame?.contains(CellPoint(column: status.column, row: status.row)) ?? false
  }
  /// Whether the favorites are shown as thumbnails.
  var showsThumbnails: Bool { (carousel?.rows ?? 0) >= Self.leastThumbnailRows }
  /// Whether the thumbnails have the whole screen.
  var isWholeGrid = false
  /// Whether the thumbnails are a grid, beside or below the card or on the whole screen.
  var isGrid: Bool {
    dividerColumn != nil || isWholeGrid || (carousel?.rows ?? 0) > Self.mostThumbnailRows
  }

  /// Returns the pane that commands apply to.
  ///
  /// It is the focused one, or the only one that is visible.
  func pane(withFocus focus: Pane) -> Pane {
    isWholeGrid ? .carousel : carousel == nil ? .card : focus
  }

  /// The columns beside the last lines; a narrow screen has none to spare at the right.
  private static func margins(_ size: CellSize) -> Int { size.columns < 60 ? 1 : 2 }

  static let leastThumbnailRows = 3
  /// The number of rows beyond which the carousel is a grid.
  private static let mostThumbnailRows = 12
  /// The screen from which the carousel may be beside the card.
  private static let leastWide = CellSize(columns: 76, rows: 16)
  /// The least columns of a carousel beside the card.
  private static let sideColumns = 26
  /// The columns in which a line about a picture has space for its title.
  private static let titleColumns = 64

  /// - Parameter cell: the size of a cell in pixels; only its shape matters.
  init(_ size: CellSize, cell: PixelSize = PixelSize(width: 8, height: 16)) {
    let last = max(0, size.rows - 1)
    hints = CellRect(
      column: 1, row: last, columns: size.columns - Self.margins(size), rows: min(1, size.rows))
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
    if !hasStatusRow {
      status = CellRect(column: 3, row: boxRows - 1, columns: size.columns - 6, rows: 1)
    }
    let inner = box.inset(columns: 1, rows: 1)
    var carouselRows = Self.carouselRows(boxRows: boxRows)
    var cardRows = inner.rows - (carouselRows > 0 ? carouselRows + 1 : 0)
    let surplus = cardRows - 1 - inner.columns * cell.width / cell.height
    if surplus > 0, carouselRows >= Self.leastThumbnailRows {
      if carouselRows + surplus > Self.mostThumbnailRows {
        carouselRows += surplus
      } else {
        // In a row, a whole thumbnail fits beside the signs at its ends.
        let most = (inner.columns - 4) * cell.width * 3 / (4 * cell.height)
        carouselRows = max(carouselRows, min(carouselRows + surplus, most))
      }
      cardRows = inner.rows - carouselRows - 1
    }
    picture = CellRect(
      column: inner.column, row: inner.row, columns: inner.columns, rows: cardRows - 1)
    info = CellRect(
      column: inner.column + 1, row: inner.row + cardRows - 1, columns: inner.columns - 2, rows: 1)
    guard carouselRows > 0 else { return }
    dividerRow = inner.row + cardRows
    carousel = CellRect(
      column: inner.column, row: inner.row + cardRows + 1, columns: inner.columns,
      rows: carouselRows)
    if size.columns >= Self.leastWide.columns, size.rows >= Self.leastWide.rows {
      placeBeside(inner, cell)
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
    hints = CellRect(
      column: 1, row: last, columns: size.columns - Self.margins(size), rows: min(1, size.rows))
    // A message takes the place of the facts for a while, not that of the keys or of the zoom's
    // percentage, which is at the end of the line.
    status = info.rows > 0 ? info : hints
    if info.rows > 0 { status.columns = max(0, info.columns - 8) }
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

  /// Moves the last two lines of the screen below a dialog that takes the rows before them.
  mutating func moveLastLines(down rows: Int) {
    let last = hints.row
    for line in [\Layout.info, \.status, \.hints] where self[keyPath: line].row >= last - 1 {
      self[keyPath: line].row += rows
    }
  }

  /// Places the carousel beside the card if that makes pictures considerably larger.
  private mutating func placeBeside(_ inner: CellRect, _ cell: PixelSize) {
    // Ordinary pictures are 4:3. What they leave is the carousel's, but for a line about them.
    let wide = (inner.rows - 1) * cell.height * 4 / (3 * cell.width)
    let columns = min(
      inner.columns - Self.sideColumns - 1, max(wide, min(Self.titleColumns, inner.columns / 2)))
    var card = CellRect(
      column: inner.column, row: inner.row, columns: columns, rows: inner.rows - 1)
    let size = Self.pictureSize(in: card, cell)
    let below = Self.pictureSize(in: picture, cell)
    guard size.columns * size.rows * 5 > below.columns * below.rows * 6 else { return }
    let infoRows = columns < Self.titleColumns ? 2 : 1
    card.rows = inner.rows - infoRows
    picture = card
    info = CellRect(
      column: inner.column + 1, row: card.rowRange.upperBound, columns: card.columns - 2,
      rows: infoRows)
    dividerRow = nil
    dividerColumn = card.columnRange.upperBound
    carousel = CellRect(
      column: card.columnRange.upperBound + 1, row: inner.row,
      columns: inner.columns - card.columns - 1, rows: inner.rows)
  }

  /// Returns the cells that a 4:3 picture takes in an area.
  private static func pictureSize(in area: CellRect, _ cell: PixelSize) -> CellSize {
    let rows = min(area.rows, area.columns * cell.width * 3 / (4 * cell.height))
    return CellSize(columns: rows * cell.height * 4 / (3 * cell.width), rows: rows)
  }

  private static func carouselRows(boxRows: Int) -> Int {
    switch boxRows {
    case ..<7: 0
    case ..<14: 1
    default: min(mostThumbnailRows, max(leastThumbnailRows, boxRows / 5))
    }
  }
}
