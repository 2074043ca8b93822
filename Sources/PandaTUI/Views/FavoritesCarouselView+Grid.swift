internal import PandaCore
internal import PandaSession
internal import PictureCodecs
internal import TerminalKit

/// The grid, beside the card or on the whole screen.
extension FavoritesCarouselView {
  /// The least columns of a thumbnail and its edges in the grid beside the card.
  static let sideColumns = 21

  struct Grid {
    let area: CellRect
    let cell: PixelSize
    /// Whether it is the whole screen's, with sections and names.
    let isWhole: Bool
    /// Whether each picture is shown whole, and all in the middle.
    let isUncropped: Bool
    /// Whether the selected picture moves.
    let motion: MotionPlayer.Motion
    let moment: Duration
    /// The number of thumbnails next to each other.
    private(set) var across: Int
    /// The size of a thumbnail: 4:3 on the screen.
    private(set) var size: CellSize
    /// The columns of a thumbnail with its edges.
    var slot: Int { area.columns / across }
    /// The columns before the first slot: half of those that the slots leave.
    var margin: Int { (area.columns - slot * across) / 2 }
    /// The columns before a thumbnail in its slot.
    var inset: Int { max(1, (slot - size.columns) / 2) }
    /// Whether the selection has an upper and a lower edge; side bars are enough on a low screen.
    var hasEdges: Bool { area.rows >= Self.leastRowsWithEdges }
    var hasLabels: Bool { isWhole && size.columns >= PictureTitle.leastColumns }
    /// The lines of a row: the upper edge, the thumbnail, and the label, in whose line is the lower
    /// edge.
    var rowLines: Int { size.rows + (hasEdges ? 1 : 0) + (hasLabels ? 1 : 0) }
    /// The lines for rows; the lower edge of one without a name is in the line below it.
    var lines: Int { area.rows - (hasEdges && !hasLabels ? 1 : 0) }

    /// - Parameters:
    ///   - columns: the least columns of a thumbnail.
    ///   - mostPictures: the most thumbnails that are visible at a time; if more would be, all are
    ///     larger.
    ///   - sections: how many favorites each section has; the thumbnails grow as long as all of
    ///     them are in view. Empty: they do not grow.
    ///   - isUncropped: whether each picture is shown whole, and all in the middle.
    init(
      area: CellRect, cell: PixelSize, isWhole: Bool, columns: Int, mostPictures: Int,
      sections: [Int] = [], isUncropped: Bool = false, motion: MotionPlayer.Motion, moment: Duration
    ) {
      self.isUncropped = isUncropped
      self.motion = motion
      self.moment = moment
      self.area = area
      self.cell = cell
      self.isWhole = isWhole
      // A column on each side for the frame of the selection, and one between.
      across = max(1, area.columns / (columns + 3))
      size = Self.size(area, cell, across: across)
      while across > 1, across * ((area.rows + rowLines - 1) / rowLines) > mostPictures {
        across -= 1
        size = Self.size(area, cell, across: across)
      }
      // Beside the card, those that are not all in view are small enough for some rows.
      let count = sections.reduce(0, +)
      while !isWhole, across < area.columns / (Self.leastPanelColumns + 3),
        lines / rowLines < Self.leastPanelRows, count > across * (lines / rowLines)
      {
        across += 1
        size = Self.size(area, cell, across: across)
      }
      while across > 1, !sections.isEmpty {
        let former = (across, size)
        across -= 1
        size = Self.size(area, cell, across: across)
        // The title of the first section is above the grid.
        let needed = sections.map { ($0 + across - 1) / across * rowLines + 1 }.reduce(-1, +)
        // Those as high as the area get no larger.
        guard needed <= lines, size.rows > former.1.rows else {
          (across, size) = former
          break
        }
      }
    }

    /// The most pictures that are few enough to be shown whole.
    static let mostUncropped = 4
    /// The least columns of a thumbnail of symbols at the standard size: smaller ones are a blur.
    static let coarseColumns = 22

    /// The rows of a grid from which there is room for edges.
    private static let leastRowsWithEdges = 7

    /// The least columns of a thumbnail beside the card, and the rows that are in view then.
    private static let leastPanelColumns = 14
    private static let leastPanelRows = 2

    @MainActor
    func thumbnail(of image: RemoteImage) -> PictureLoader.Wanted {
      FavoritesCarouselView.thumbnail(of: image, in: size, cell: cell, isUncropped: isUncropped)
    }

    private static func size(_ area: CellRect, _ cell: PixelSize, across: Int) -> CellSize {
      let wide = max(1, area.columns / across - 3)
      let most = max(2, area.rows - (area.rows >= leastRowsWithEdges ? 2 : 1))
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
    let count = presenter.list.count
    let grows = size == .standard && (1...loader.capacity).contains(count)
    let sections = presenter.sections.map(\.count)
    let isCoarse = size == .standard && loader.isCoarse(cell)
    return Grid(
      area: area, cell: cell, isWhole: true,
      columns: isCoarse ? Grid.coarseColumns : size.columns, mostPictures: loader.capacity,
      sections: !grows ? [] : sections.isEmpty ? [count] : sections,
      isUncropped: grows && count <= Grid.mostUncropped, motion: motion, moment: moment)
  }

  func drawGrid(
    _ grid: Grid, from loader: PictureLoader, isFocused: Bool, _ drawing: inout Drawing,
    into canvas: inout Canvas
  ) {
    let rows = presenter.gridRows(columns: grid.across, isSectioned: grid.isWhole)
    drawing.state.arrange(rows, lines: grid.lines, rowLines: grid.rowLines)
    let (list, state) = (presenter.list, drawing.state)
    let area = grid.area
    let end = area.rowRange.upperBound
    let top = rows.row(with: state.first)
    if grid.isWhole, presenter.sections.count > 1 { drawing.section = section(with: state.first) }
    let inView = rows.rows[top...].prefix(grid.lines / grid.rowLines + 1).flatMap(\.items)
    let labels = grid.hasLabels ? inView.map { list[$0] }.labels(upTo: grid.size.columns) : []
    var wanted: [PictureLoader.Wanted] = []
    var line = area.row
    if grid.isUncropped { line += max(0, grid.lines - rows.rows.count * grid.rowLines) / 2 }
    var number = top
    while number < rows.rows.count {
      let row = rows.rows[number]
      // The first title is above the grid.
      let title = number == top ? nil : row.title
      let first = line + (title == nil ? 0 : 1) + (grid.hasEdges ? 1 : 0)
      let isWhole = first + grid.rowLines - (grid.hasEdges ? 1 : 0) <= area.row + grid.lines
      // A part of the next row shows that there is one, if a blank line below it can stay.
      guard isWhole || number == top || end - 1 - first >= Self.leastPartRows else { break }
      var clip = area
      clip.rows = (isWhole ? end : end - 1) - area.row
      if let title { drawSectionTitle(title, in: area, line: line, into: &canvas) }
      let spare = grid.isUncropped ? (grid.across - row.items.count) * grid.slot / 2 : 0
      for (place, index) in row.items.enumerated() {
        let rect = CellRect(
          column: area.column + grid.margin + spare + place * grid.slot + grid.inset, row: first,
          columns: grid.size.columns, rows: grid.size.rows)
        let picture = grid.thumbnail(of: list[index])
        wanted.append(picture)
        drawThumbnail(
          picture, from: loader, in: rect, clip: clip, cell: grid.cell, isFocused: isFocused,
          hasEdges: grid.hasEdges, moving: moving(list[index], in: grid, &drawing), &drawing,
          into: &canvas)
        if grid.hasLabels, isWhole {
          drawLabel(
            list[index], labels[index - (inView.first ?? 0)],
            isSelected: list[index].id == state.selection, isFocused: isFocused, below: rect,
            edge: grid.hasEdges ? rect.centered(picture.size) : nil, into: &canvas)
          // The name is clicked as well as the picture.
          drawing.places[drawing.places.count - 1].rect.rows += 1
        }
      }
      number += 1
      line = first + grid.rowLines - (grid.hasEdges ? 1 : 0)
      guard isWhole else { break }
    }
    let near = near(rows, top..<number, in: grid)
    loader.want(
      wanted + near.prefix(max(0, loader.capacity - wanted.count)), cell: grid.cell)
    drawArrows(rows, top..<number, in: grid, into: &canvas)
  }

  /// The rows of a picture of which a part is worth to be seen.
  private static let leastPartRows = 2

  /// Draws the title of the whole screen's grid: the pictures, and the month or source at its top.
  func drawTitle(_ layout: Layout, _ drawing: Drawing, into canvas: inout Canvas) {
    guard let frame = layout.frame else { return }
    let room = frame.columns - 6
    let part = drawing.section.map { " · \($0.title) (\($0.count))".sanitized(upTo: 100) } ?? ""
    let title = presenter.title(upTo: max(room / 2, room - part.columns))
    let text = title.columns + part.columns <= room ? title + part : title
    canvas.drawTitle(text, in: frame, ink: .title)
  }

  /// Returns the section that a favorite is in; nil without sections.
  private func section(with index: Int) -> GridRows.Section? {
    var end = 0
    return presenter.sections.first { section in
      end += section.count
      return index < end
    }
  }

  /// Returns the frame that is due of the selected picture, if it moves.
  private func moving(
    _ image: RemoteImage, in grid: Grid, _ drawing: inout Drawing
  ) -> (any PreparedPicture)? {
    guard grid.isWhole, image.id == drawing.state.selection else { return nil }
    drawing.hasMotion = true
    return player?.frame(
      of: image, size: grid.thumbnail(of: image).size, cell: grid.cell, grid.motion,
      at: grid.moment)
  }

  /// The rows that come into view next, so that scrolling finds them ready.
  private func near(
    _ rows: GridRows, _ visible: Range<Int>, in grid: Grid
  ) -> [PictureLoader.Wanted] {
    let after = visible.upperBound..<min(rows.rows.count, visible.upperBound + visible.count)
    let before = max(0, visible.lowerBound - visible.count)..<visible.lowerBound
    return (Array(after) + before.reversed()).flatMap { row in
      rows.rows[row].items.map { grid.thumbnail(of: presenter.list[$0]) }
    }
  }

  private func drawSectionTitle(
    _ title: String, in area: CellRect, line: Int, into canvas: inout Canvas
  ) {
    canvas.draw(
      String(repeating: "─", count: area.columns),
      at: CellPoint(column: area.column, row: line), ink: .secondary)
    let text = title.shortened(to: max(0, area.columns - 4))
    canvas.draw(" \(text) ", at: CellPoint(column: area.column + 2, row: line), ink: .title)
  }

  /// Draws a picture's label in the line below it.
  ///
  /// - Parameter shape: what the selection has edges around; nil without edges. The lower one may
  ///   be in the line of the label, which is cut to be within it.
  private func drawLabel(
    _ image: RemoteImage, _ label: String, isSelected: Bool, isFocused: Bool, below rect: CellRect,
    edge shape: CellRect?, into canvas: inout Canvas
  ) {
    let row = rect.rowRange.upperBound
    var text = label
    if isSelected, let shape, shape.rowRange.upperBound == row {
      text = shape.columns < Self.leastEdgeColumns ? "" : label.shortened(to: shape.columns - 2)
    }
    let point = CellPoint(column: rect.column + (rect.columns - text.columns) / 2, row: row)
    if isSelected, isFocused, !text.isEmpty { canvas.resting = point }
    canvas.draw(
      text, at: point,
      ink: presenter.marks.contains(image.id) ? .star : isSelected ? .accent : .secondary)
  }

  /// The columns of an edge in which a label is readable.
  private static let leastEdgeColumns = 10

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
