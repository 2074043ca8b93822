internal import PictureCodecs
internal import TerminalKit

/// Places everything on a screen of a given size.
///
/// The favorites are beside the card or below it, whichever shows the picture larger. Without
/// favorites, or without room, they are one line in the lower frame. As the screen gets lower
/// still, the status line shares the last row.
struct Layout: Hashable, Sendable {
  /// The place of the favorites.
  enum Panel: Hashable, Sendable { case beside, below }

  /// The frame around card and carousel.
  ///
  /// Nil on a screen that is too small for it.
  var frame: CellRect?
  var picture: CellRect
  /// The two lines below the picture; one on a low screen.
  var info: CellRect
  /// The row of the line between card and carousel, if one is below the other.
  var dividerRow: Int?
  /// The column of the line between them, if one is beside the other.
  var dividerColumn: Int?
  /// The area of the favorites.
  ///
  /// A row of thumbnails, a grid of them, or one row of text in the lower frame.
  var carousel: CellRect?
  /// The line for messages.
  ///
  /// A row of its own; on a low screen the lower edge of the frame; without one that of `hints`.
  var status: CellRect
  var hints: CellRect
  var isWholeGrid = false
  /// Whether the favorites are but a line in the lower frame.
  var isFolded = false

  /// Whether messages are on the lower edge of the frame.
  var hasStatusOnFrame: Bool {
    frame?.contains(CellPoint(column: status.column, row: status.row)) ?? false
  }
  var showsThumbnails: Bool { (carousel?.rows ?? 0) >= Self.leastThumbnailRows }
  /// Whether the thumbnails are a grid, beside or below the card or on the whole screen.
  var isGrid: Bool {
    dividerColumn != nil || isWholeGrid || (carousel?.rows ?? 0) > Self.mostStripRows
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
  /// The rows of the box from which there is room for thumbnails, and for two lines about the
  /// picture.
  private static let leastBoxRows = 14
  /// The number of rows beyond which the favorites below the card are a grid.
  private static let mostStripRows = 12
  /// The rows of a strip that has the upper edge of the selected thumbnail.
  private static let leastStripRows = 4
  /// The least columns of favorites beside the card.
  private static let panelColumns = 22
  private static let leastCardColumns = 40
  /// The columns of a line in the lower frame that has a title before what is selected.
  static let leastTitledColumns = 24
  /// The columns in which the lines about a picture are seldom cut.
  private static let titleColumns = 64

  /// - Parameters:
  ///   - cell: the size of a cell in pixels; only its shape matters.
  ///   - panel: the place of the favorites; below if there is no room beside.
  ///   - isFolded: whether there are no favorites to show.
  init(
    _ size: CellSize, cell: PixelSize = PixelSize(width: 8, height: 16), panel: Panel = .beside,
    isFolded: Bool = false
  ) {
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
    (picture, info) = Self.card(inner, infoRows: boxRows < Self.leastBoxRows ? 1 : 2)
    if isFolded || boxRows < Self.leastBoxRows {
      self.isFolded = true
      if !isFolded, boxRows >= 7 {
        carousel = CellRect(column: 3, row: boxRows - 1, columns: size.columns - 6, rows: 1)
      }
    } else if panel == .beside, let columns = Self.cardColumns(inner, cell) {
      placeBeside(inner, cardColumns: columns)
    } else {
      placeBelow(inner, cell)
    }
  }

  /// Returns the areas of the picture and of the lines about it in that of the card.
  private static func card(
    _ area: CellRect, infoRows: Int
  ) -> (picture: CellRect, info: CellRect) {
    var (picture, info) = (area, area.inset(columns: 1, rows: 0))
    picture.rows -= infoRows
    (info.row, info.rows) = (picture.rowRange.upperBound, infoRows)
    return (picture, info)
  }

  private mutating func placeBeside(_ inner: CellRect, cardColumns: Int) {
    var area = inner
    area.columns = cardColumns
    (picture, info) = Self.card(area, infoRows: 2)
    dividerColumn = area.columnRange.upperBound
    carousel = CellRect(
      column: area.columnRange.upperBound + 1, row: inner.row,
      columns: inner.columns - cardColumns - 1, rows: inner.rows)
  }

  /// Places the favorites below the card: a strip, and on a tall screen what a square picture
  /// leaves.
  private mutating func placeBelow(_ inner: CellRect, _ cell: PixelSize) {
    var rows = min(Self.mostStripRows, max(Self.leastStripRows, (inner.rows + 4) / 6))
    let surplus = inner.rows - rows - 3 - inner.columns * cell.width / cell.height
    if surplus > 0 {
      if rows + surplus > Self.mostStripRows {
        rows += surplus
      } else {
        // In a row, a whole thumbnail fits beside the signs at its ends.
        let most = (inner.columns - 4) * cell.width * 3 / (4 * cell.height)
        rows = max(rows, min(rows + surplus, most + 1))
      }
    }
    var area = inner
    area.rows -= rows + 1
    (picture, info) = Self.card(area, infoRows: 2)
    dividerRow = area.rowRange.upperBound
    carousel = CellRect(
      column: inner.column, row: area.rowRange.upperBound + 1, columns: inner.columns, rows: rows)
  }

  /// Returns the columns of a card with favorites beside it; nil if there is no room for them.
  ///
  /// It is as wide as a photo of 3:2, so that the line between them stays from one picture to the
  /// next.
  private static func cardColumns(_ inner: CellRect, _ cell: PixelSize) -> Int? {
    let most = inner.columns - max(panelColumns, (inner.columns + 2) * 22 / 100) - 1
    guard most >= leastCardColumns else { return nil }
    let wide = (inner.rows - 2) * cell.height * 3 / (2 * cell.width)
    return min(most, max(wide, titleColumns, inner.columns / 2))
  }

  /// The shape that is assumed without a picture: that of an ordinary photo.
  static let usualShape = PixelSize(width: 4, height: 3)

  /// Returns the layout in which a picture is larger, by its area and nothing else.
  ///
  /// - Parameter shape: its size in any unit.
  static func fitting(
    _ shape: PixelSize, _ size: CellSize, cell: PixelSize, isFolded: Bool = false
  ) -> Layout {
    let beside = Layout(size, cell: cell, panel: .beside, isFolded: isFolded)
    let below = Layout(size, cell: cell, panel: .below, isFolded: isFolded)
    return below.area(of: shape, cell: cell) > beside.area(of: shape, cell: cell) ? below : beside
  }

  /// Returns the area in pixels that a picture takes.
  ///
  /// - Parameter shape: its size in any unit.
  func area(of shape: PixelSize, cell: PixelSize) -> Int {
    let fitted = shape.fitted(
      in: PixelSize(width: picture.columns * cell.width, height: picture.rows * cell.height))
    return fitted.width * fitted.height
  }

  /// Lays out the slideshow.
  ///
  /// It has the picture, and the lines for the picture and the keys.
  ///
  /// - Parameter hasHints: whether there is the line for the keys.
  init(slideshow size: CellSize, hasHints: Bool = true) {
    let last = max(0, size.rows - 1)
    let lines = hasHints ? 2 : 1
    picture = CellRect(column: 0, row: 0, columns: size.columns, rows: max(0, size.rows - lines))
    info = CellRect(
      column: 1, row: max(0, size.rows - lines), columns: size.columns - 2,
      rows: size.rows > 1 ? 1 : 0)
    hints = CellRect(
      column: 1, row: last, columns: size.columns - Self.margins(size), rows: min(1, size.rows))
    // A message takes the place of the facts for a while, not that of the keys or of the zoom's
    // percentage, which is at the end of the line.
    if !hasHints { hints.columns = 0 }
    status = info.rows > 0 ? info : hints
    if info.rows > 0 { status.columns = max(0, info.columns - 8) }
  }

  /// Lays out the grid of favorites on the whole screen.
  ///
  /// Its last line is about the selected one.
  init(grid size: CellSize) {
    self.init(size, isFolded: true)
    (isWholeGrid, isFolded) = (true, false)
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
}
