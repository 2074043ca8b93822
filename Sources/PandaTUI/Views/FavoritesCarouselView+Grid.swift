internal import PandaCore
internal import PictureCodecs
internal import TerminalKit

/// The grid, beside the card or on the whole screen.
extension FavoritesCarouselView {
  /// The least columns of a thumbnail and its edges in the grid beside the card.
  static let sideColumns = 21

  /// The measures of a grid.
  struct Grid {
    let area: CellRect
    let cell: PixelSize
    /// Whether it is the whole screen's, with sections and names.
    let isWhole: Bool
    /// Whether the selected picture moves.
    let motion: MotionPlayer.Motion
    let moment: Duration
    /// The number of thumbnails next to each other.
    let across: Int
    /// The size of a thumbnail: 4:3 on the screen.
    let size: CellSize
    /// The columns of a thumbnail with its edges.
    var slot: Int { area.columns / across }
    /// The columns before the first slot: half of those that the slots leave.
    var margin: Int { (area.columns - slot * across) / 2 }
    /// The columns before a thumbnail in its slot.
    var inset: Int { max(1, (slot - size.columns) / 2) }
    /// The lines of a row.
    var rowLines: Int { size.rows + 1 }
    /// The lines of the view.
    ///
    /// The gap below the last row may be cut off; its name may not.
    var lines: Int { area.rows + (isWhole ? 0 : 1) }

    /// - Parameters:
    ///   - columns: the least columns of a thumbnail.
    ///   - mostPictures: the most thumbnails that are visible at a time; if more would be, all are
    ///     larger.
    ///   - sections: how many favorites each section has; the thumbnails grow as long as all of
    ///     them are in view. Empty: they do not grow.
    init(
      area: CellRect, cell: PixelSize, isWhole: Bool, columns: Int, mostPictures: Int,
      sections: [Int] = [], motion: MotionPlayer.Motion, moment: Duration
    ) {
      self.motion = motion
      self.moment = moment
      self.area = area
      self.cell = cell
      self.isWhole = isWhole
      // A column on each side for the frame of the selection, and one between.
      var across = max(1, area.columns / (columns + 3))
      var size = Self.size(area, cell, across: across, isWhole: isWhole)
      let most = isWhole ? across : area.columns / (Self.leastColumns + 3)
      while across < most, area.rows < Self.leastRows * (size.rows + 1) {
        across += 1
        size = Self.size(area, cell, across: across, isWhole: isWhole)
      }
      while across > 1, across * ((area.rows + size.rows) / (size.rows + 1)) > mostPictures {
        across -= 1
        size = Self.size(area, cell, across: across, isWhole: isWhole)
      }
      while across > 1, !sections.isEmpty {
        let next = Self.size(area, cell, across: across - 1, isWhole: isWhole)
        let lines = sections.map { ($0 + across - 2) / (across - 1) * (next.rows + 1) + 1 }
        // Larger ones would be blurred, and those as high as the area get no larger.
        guard next.columns * cell.width <= ThumbnailCache.size.width,
          next.rows > size.rows,
          lines.reduce(0, +) <= area.rows
        else { break }
        across -= 1
        size = next
      }
      (self.across, self.size) = (across, size)
    }

    /// The rows that a grid beside the card has at least, by smaller thumbnails.
    private static let leastRows = 3
    /// The least columns of those, as in a row below the card.
    private static let leastColumns = 10

    private static func size(
      _ area: CellRect, _ cell: PixelSize, across: Int, isWhole: Bool
    ) -> CellSize {
      let wide = max(1, area.columns / across - 3)
      let most = max(2, area.rows - (isWhole ? 2 : 0))
      // One that is as high as the area is narrower than its slot.
      let widest = max(1, (most * cell.height * 4 + 2 * cell.width) / (3 * cell.width))
      return CellSize(
        columns: min(wide, widest), rows: max(2, min(most, rows(of: wide, cell))))
    }

    /// Returns the rows of a thumbnail of 4:3 on the screen.
    private static func rows(of columns: Int, _ cell: PixelSize) -> Int {
      columns * cell.width * 3 / 4 / cell.height
    }
  }

  /// Returns how many pictures are next to each other in a grid of some size.
  ///
  /// Nil without pictures, whose lines of text have no size.
  func picturesAcross(_ size: GridSize, in layout: Layout, cell: PixelSize) -> Int? {
    guard let area = layout.carousel, layout.isWholeGrid, let loader else { return nil }
    return wholeGrid(
      size, area: area, cell: cell, from: loader, motion: .off, moment: .zero
    ).across
  }

  /// Returns the measures of the grid on the whole screen.
  ///
  /// At the standard size, a few favorites are enlarged as long as all stay in view.
  func wholeGrid(
    _ size: GridSize, area: CellRect, cell: PixelSize, from loader: PictureLoader,
    motion: MotionPlayer.Motion, moment: Duration
  ) -> Grid {
    var counts: [Int] = []
    if size == .standard, (1...loader.capacity).contains(presenter.list.count) {
      let sections = presenter.sections.map(\.count)
      counts = sections.isEmpty ? [presenter.list.count] : sections
    }
    return Grid(
      area: area, cell: cell, isWhole: true, columns: size.columns, mostPictures: loader.capacity,
      sections: counts, motion: motion, moment: moment)
  }

  /// Draws the visible rows.
  func drawGrid(
    _ grid: Grid, from loader: PictureLoader, isFocused: Bool, _ drawing: inout Drawing,
    into canvas: inout Canvas
  ) {
    let rows = presenter.gridRows(columns: grid.across, isSectioned: grid.isWhole)
    drawing.state.arrange(rows, lines: grid.lines, rowLines: grid.rowLines)
    let (list, state) = (presenter.list, drawing.state)
    let area = grid.area
    let top = rows.row(with: state.first)
    var wanted: [PictureLoader.Wanted] = []
    var line = area.row
    var number = top
    while number < rows.rows.count, line < area.rowRange.upperBound {
      let row = rows.rows[number]
      if let title = row.title {
        drawSectionTitle(title, in: area, line: line, into: &canvas)
        line += 1
      }
      for (place, index) in row.items.enumerated() {
        let rect = CellRect(
          column: area.column + grid.margin + place * grid.slot + grid.inset, row: line,
          columns: grid.size.columns, rows: grid.size.rows)
        guard rect.row < area.rowRange.upperBound else { break }
        wanted.append(PictureLoader.Wanted(image: list[index], size: grid.size))
        drawThumbnail(
          list[index], from: loader, in: rect, clip: area, cell: grid.cell, isFocused: isFocused,
          edges: grid.isWhole ? .corners : .lines,
          moving: moving(list[index], in: grid, &drawing), &drawing, into: &canvas)
        if grid.isWhole {
          drawName(
            of: list[index], isSelected: list[index].id == state.selection, below: rect,
            clip: area, into: &canvas)
          // The name is clicked as well as the picture.
          drawing.places[drawing.places.count - 1].rect.rows += 1
        }
      }
      line += grid.rowLines
      number += 1
    }
    let near = near(rows, top..<number, size: grid.size)
    loader.want(
      wanted + near.prefix(max(0, loader.capacity - wanted.count)), cell: grid.cell)
    drawArrows(rows, top..<number, in: grid, into: &canvas)
  }

  /// Returns the frame that is due of the selected picture, if it moves.
  private func moving(
    _ image: RemoteImage, in grid: Grid, _ drawing: inout Drawing
  ) -> (any PreparedPicture)? {
    guard grid.isWhole, image.id == drawing.state.selection else { return nil }
    drawing.hasMotion = true
    return player?.frame(
      of: image, size: grid.size, cell: grid.cell, grid.motion, at: grid.moment)
  }

  /// The rows that come into view next, so that scrolling finds them ready.
  private func near(
    _ rows: GridRows, _ visible: Range<Int>, size: CellSize
  ) -> [PictureLoader.Wanted] {
    let after = visible.upperBound..<min(rows.rows.count, visible.upperBound + visible.count)
    let before = max(0, visible.lowerBound - visible.count)..<visible.lowerBound
    return (Array(after) + before.reversed()).flatMap { row in
      rows.rows[row].items.map { PictureLoader.Wanted(image: presenter.list[$0], size: size) }
    }
  }

  private func drawSectionTitle(
    _ title: String, in area: CellRect, line: Int, into canvas: inout Canvas
  ) {
    canvas.draw(
      String(repeating: "─", count: area.columns),
      at: CellPoint(column: area.column, row: line), ink: .dim)
    let text = title.shortened(to: max(0, area.columns - 4))
    canvas.draw(" \(text) ", at: CellPoint(column: area.column + 2, row: line), ink: .title)
  }

  /// Draws what a picture is called, in the line below it.
  private func drawName(
    of image: RemoteImage, isSelected: Bool, below rect: CellRect, clip: CellRect,
    into canvas: inout Canvas
  ) {
    let point = CellPoint(column: rect.column, row: rect.rowRange.upperBound)
    guard clip.contains(point) else { return }
    let ink: Ink =
      isSelected ? .selected : presenter.marks.contains(image.id) ? .star : .dim
    let name = (image.caption ?? image.title ?? image.source).sanitized(upTo: 200)
      .shortenedName(to: rect.columns)
    canvas.draw(
      ink == .selected ? name.padded(to: rect.columns) : name, at: point, ink: ink)
  }

  private func drawArrows(
    _ rows: GridRows, _ visible: Range<Int>, in grid: Grid, into canvas: inout Canvas
  ) {
    let column = grid.area.columnRange.upperBound - 1
    if visible.lowerBound > 0 {
      canvas.draw("↑", at: CellPoint(column: column, row: grid.area.row), ink: .accent)
    }
    let last = rows.top(above: rows.rows.count - 1, lines: grid.lines, rowLines: grid.rowLines)
    if visible.lowerBound < last {
      canvas.draw(
        "↓", at: CellPoint(column: column, row: grid.area.rowRange.upperBound - 1), ink: .accent)
    }
  }
}
