internal import PandaCore
internal import PandaSession
internal import Pantry
internal import PictureCodecs
internal import TerminalKit

extension FavoritesCarouselView {
  /// Draws the favorites into their part of the screen.
  func draw(
    _ layout: Layout, cell: PixelSize, isFocused: Bool, motion: MotionPlayer.Motion = .off,
    moment: Duration, into canvas: inout Canvas
  ) -> Drawing {
    var drawing = Drawing()
    (drawing.moves, drawing.row) = (presenter.moves, shown.row)
    drawing.state = presenter.state
    // Only a picture that is drawn moves, or is decoded for that.
    defer { if !drawing.hasMotion { player?.rest() } }
    guard var area = layout.carousel else {
      loader?.rest()
      return drawing
    }
    if layout.isFolded, area.columns >= Layout.leastTitledColumns {
      // The title is before it.
      let title = presenter.title(upTo: area.columns / 2).columns + 1
      area.column += title
      area.columns -= title
    }
    if let sentence = emptySentence {
      loader?.rest()
      // A single line has all columns.
      let room = max(1, area.rows > 1 ? area.columns - 2 : area.columns)
      let lines = sentence.text.wrapped(to: room, rows: area.rows)
      for (offset, line) in lines.enumerated() {
        let text = line.clipped(to: area.columns)
        canvas.draw(
          text,
          at: CellPoint(
            column: area.column + (area.columns - text.columns) / 2,
            row: area.row + max(0, area.rows - lines.count) / 2 + offset),
          ink: sentence.ink)
      }
    } else if layout.showsThumbnails, let loader {
      if layout.isGrid {
        let grid =
          layout.isWholeGrid
          ? wholeGrid(
            presenter.gridSize, area: area, cell: cell, from: loader, motion: motion,
            moment: moment)
          : Grid(
            area: area, cell: cell, isWhole: false, columns: Self.sideColumns,
            mostPictures: loader.capacity, sections: [presenter.list.count], motion: motion,
            moment: moment)
        drawGrid(grid, from: loader, isFocused: isFocused, &drawing, into: &canvas)
      } else {
        drawRow(
          from: loader, in: area, cell: cell, isFocused: isFocused, moment: moment, &drawing,
          into: &canvas)
      }
    } else {
      drawLines(in: area, isFocused: isFocused, &drawing, into: &canvas)
    }
    return drawing
  }

  /// The text in place of favorites until there are some.
  nonisolated static let invitation = "Red pandas you keep will appear here"

  private var emptySentence: (text: String, ink: Ink)? {
    guard presenter.list.isEmpty else { return nil }
    if let problem = presenter.problem { return (problem, .problem) }
    let isOfFiles = if case .files = presenter.collection { true } else { false }
    guard isOfFiles || presenter.controller.imagesHaveLoaded else {
      return ("Opening your favorites", .secondary)
    }
    if !presenter.filterText.isEmpty {
      if let problem = FavoritesFilter.problem(in: presenter.filterText) {
        return (problem.sanitized(upTo: 100), .problem)
      }
      if let unresolved = presenter.unresolved {
        guard presenter.controller.library.savedFilters.hasLoaded else {
          return ("Opening your collections", .secondary)
        }
        return (unresolved.sentence, .problem)
      }
      return (
        keys.sentence("No matches", separator: "; ", then: .program(.cancel), "shows all"),
        .secondary
      )
    }
    switch presenter.collection {
    case .favorites: return (Self.invitation, .secondary)
    case .trash:
      return presenter.controller.library.trash.hasLoaded
        ? (ActionWords.emptyTrash, .secondary) : ("Opening the trash", .secondary)
    case .files: return ("Looking for pictures", .secondary)
    }
  }

  // MARK: A row below the card

  private func drawRow(
    from loader: PictureLoader, in area: CellRect, cell: PixelSize, isFocused: Bool,
    moment: Duration, _ drawing: inout Drawing, into canvas: inout Canvas
  ) {
    // The upper edge of the selection has a row of its own, and the lower one is on the frame.
    let hasEdges = area.rows > Layout.leastThumbnailRows
    var area = area
    if hasEdges {
      area.row += 1
      area.rows -= 1
    }
    // Thumbnails are 4:3 on the screen, with a column on each side for the frame of the selection.
    let columns = max(4, area.rows * cell.height * 4 / 3 / cell.width)
    let slot = columns + 3
    let inner = area.inset(columns: 1, rows: 0)
    drawing.state.resize(capacity: (inner.columns + 1) / slot)
    let (list, state) = (presenter.list, drawing.state)
    let visible = (inner.columns + slot - 1) / slot
    // Thumbnails near the edges may be sliding out of view, or into it.
    let near = max(0, state.first - visible)..<min(list.count, state.first + 2 * visible)
    let targets = near.map { number in
      (id: state.ids[number], column: inner.column + 1 + (number - state.first) * slot)
    }
    drawing.row.follow(targets, at: moment, animates: slides)
    let size = CellSize(columns: columns, rows: area.rows)
    var wanted: [PictureLoader.Wanted] = []
    for (number, target) in zip(near, targets) {
      let column = target.column + drawing.row.offset(of: target.id, at: moment)
      let rect = CellRect(column: column, row: area.row, columns: columns, rows: area.rows)
      guard rect.columnRange.overlaps(inner.columnRange) else { continue }
      let picture = Self.thumbnail(of: list[number], in: size, cell: cell)
      wanted.append(picture)
      drawThumbnail(
        picture, from: loader, in: rect, clip: inner, cell: cell, isFocused: isFocused,
        hasEdges: hasEdges, &drawing, into: &canvas)
    }
    loader.want(wanted, cell: cell)
    let middle = area.row + area.rows / 2
    if state.first > 0 {
      canvas.draw("‹", at: CellPoint(column: area.column, row: middle), ink: .accent)
    }
    let end = inner.column + (list.count - state.first) * slot - 1
    if end > inner.columnRange.upperBound {
      canvas.draw(
        "›", at: CellPoint(column: area.columnRange.upperBound - 1, row: middle), ink: .accent)
    }
  }

  // MARK: A single thumbnail

  /// Returns what is shown of a picture in a place of 4:3: its largest part of that shape, or all
  /// of one whose shape would not be recognized.
  static func thumbnail(
    of image: RemoteImage, in place: CellSize, cell: PixelSize, isUncropped: Bool = false
  ) -> PictureLoader.Wanted {
    let isWhole = isUncropped || ThumbnailCache.isWhole(image.size)
    return PictureLoader.Wanted(
      image: image, size: isWhole ? place.fitting(image.size, cell: cell) : place, isWhole: isWhole)
  }

  func drawThumbnail(
    _ wanted: PictureLoader.Wanted, from loader: PictureLoader, in rect: CellRect, clip: CellRect,
    cell: PixelSize, isFocused: Bool, hasEdges: Bool,
    moving: (any PreparedPicture)? = nil, _ drawing: inout Drawing, into canvas: inout Canvas
  ) {
    let image = wanted.image
    drawing.places.append((rect, image.id, nil))
    let shape = rect.centered(wanted.size)
    switch loader.picture(wanted, cell: cell) {
    case .ready(let picture, _, _):
      canvas.place(moving ?? picture, in: shape, clip: clip)
      drawing.places[drawing.places.count - 1].picture = picture
    case .failed: draw("⊘", inMiddleOf: rect, clip: clip, ink: .problem, into: &canvas)
    case .underWay:
      draw("·", inMiddleOf: rect, clip: clip, ink: .secondary, into: &canvas)
      drawing.hasThumbnails = false
    }
    if image.id == drawing.state.selection {
      if isFocused, canvas.resting == nil {
        canvas.resting = CellPoint(column: max(rect.column, clip.column), row: rect.row)
      }
      drawSelection(
        around: shape, clip: clip, isFocused: isFocused,
        hasEdges: hasEdges || shape.rows + 2 <= rect.rows, into: &canvas)
    }
    if presenter.marks.contains(image.id),
      clip.contains(CellPoint(column: rect.column, row: rect.row))
    {
      let room = clip.columnRange.upperBound - rect.column
      canvas.draw(
        " ✓ ", at: CellPoint(column: rect.column, row: rect.row), ink: .mark,
        width: min(rect.columns, room))
    }
  }

  private func draw(
    _ text: String, inMiddleOf rect: CellRect, clip: CellRect, ink: Ink, into canvas: inout Canvas
  ) {
    let point = CellPoint(column: rect.column + rect.columns / 2, row: rect.row + rect.rows / 2)
    guard clip.contains(point) else { return }
    canvas.draw(text, at: point, ink: ink)
  }

  /// Draws a frame around the selected thumbnail.
  ///
  /// Its lines are in the middle of their cells, so that they are seen beside a picture of their
  /// own color.
  ///
  /// - Parameter hasEdges: whether the rows above and below are free for it.
  private func drawSelection(
    around rect: CellRect, clip: CellRect, isFocused: Bool, hasEdges: Bool,
    into canvas: inout Canvas
  ) {
    let ink: Ink = isFocused ? .accent : .secondary
    let (left, right) = (rect.column - 1, rect.columnRange.upperBound)
    for row in rect.rowRange.clamped(to: clip.rowRange) {
      for column in [left, right] where clip.columnRange.contains(column) {
        canvas.draw("┃", at: CellPoint(column: column, row: row), ink: ink)
      }
    }
    guard hasEdges else { return }
    let columns = (left..<right + 1).clamped(to: clip.columnRange)
    let (above, below) = (rect.row - 1, min(rect.rowRange.upperBound, clip.rowRange.upperBound))
    for (row, signs) in [(above, "┏━┓"), (below, "┗━┛")] {
      for column in columns {
        let sign = Array(signs)[column == left ? 0 : column == right ? 2 : 1]
        canvas.draw(String(sign), at: CellPoint(column: column, row: row), ink: ink)
      }
    }
  }

  /// Draws lines of text if there is no space for thumbnails, or none are wanted.
  ///
  /// The selected one is the first that is certain to be visible.
  private func drawLines(
    in area: CellRect, isFocused: Bool, _ drawing: inout Drawing, into canvas: inout Canvas
  ) {
    guard let selected = drawing.state.selectedIndex else { return }
    drawing.state.arrange(presenter.gridRows(columns: 1), lines: area.rows, rowLines: 1)
    let list = presenter.list
    for offset in 0..<area.rows {
      let number = drawing.state.first + offset
      guard list.indices.contains(number) else { break }
      let image = list[number]
      let sign =
        presenter.marks.contains(image.id) ? "✓" : presenter.collection == .favorites ? "★" : "·"
      let place = "\(sign) \(number + 1)/\(list.count) "
      let room = max(0, area.columns - 2 - place.columns)
      let text = place + ImageDescription(image).listed(upTo: room)
      let point = CellPoint(column: area.column + 1, row: area.row + offset)
      let isSelected = number == selected
      if isSelected, isFocused { canvas.resting = point }
      canvas.draw(
        text.clipped(to: area.columns - 2), at: point,
        ink: isSelected && isFocused
          ? .selected : isSelected || area.rows == 1 ? .plain : .secondary)
      drawing.places.append(
        (
          CellRect(column: point.column, row: point.row, columns: area.columns - 2, rows: 1),
          image.id, nil
        )
      )
    }
  }
}
