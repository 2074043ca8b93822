internal import PandaCore

/// The carousel: the favourites, newest first.
///
/// It owns an ``ImagesController`` of its own and shows what the Store holds through it; nobody
/// tells it about favourites.
@MainActor
final class FavoritesCarouselView {
  let controller: ImagesController
  private(set) var state = CarouselState()
  /// Why the favourites could not be read, if they could not.
  var problem: String?

  /// Nil where pictures are not shown.
  private var loader: PictureLoader?
  private let thumbnails: ThumbnailCache
  private let onChange: @MainActor () -> Void
  private let onMessage: @MainActor (Message) -> Void
  /// Whether thumbnails slide to where they belong; otherwise they are there at once.
  private let maySlide: Bool
  private var slides = false
  private var row = SlidingRow()

  /// Creates a carousel.
  ///
  /// - Parameters:
  ///   - output: how its thumbnails are shown; nil shows words instead.
  ///   - thumbnails: where they are kept.
  ///   - slides: whether they may move.
  ///   - onChange: told when the carousel looks different.
  ///   - onMessage: told what the person should read.
  init(
    controller: ImagesController, output: (any PictureOutput)?, thumbnails: ThumbnailCache,
    slides: Bool,
    onChange: @escaping @MainActor () -> Void, onMessage: @escaping @MainActor (Message) -> Void
  ) {
    self.controller = controller
    self.onMessage = onMessage
    self.onChange = onChange
    self.thumbnails = thumbnails
    maySlide = slides
    show(by: output)
  }

  /// Shows thumbnails by `output` from now on; words where it is nil.
  func show(by output: (any PictureOutput)?) {
    slides = maySlide && output?.redrawsCheaply == true
    loader = output.map {
      PictureLoader(output: $0, thumbnails: thumbnails, capacity: 64, onChange: onChange)
    }
  }

  /// The selected favourite.
  var selected: RemoteImage? {
    state.selection.flatMap { id in controller.images.last { $0.id == id } }
  }

  /// Follows the Store: call it when the favourites have changed.
  func update() {
    state.update(controller.images.reversed().map(\.id))
  }

  /// Moves the selection.
  func move(_ move: CarouselState.Move) { state.move(move) }

  /// Selects a favourite, if it is one.
  func select(_ image: RemoteImage) { state.select(image.id) }

  /// Removes the selected favourite.
  func remove() async {
    guard let image = selected else {
      onMessage(.info("No favorite is selected"))
      return
    }
    do {
      try await controller.removeImage(image: image)
      onMessage(.info("Removed from your favorites"))
    } catch {
      onMessage(.problem("Not removed: \(calmSentence(for: error)). x tries again"))
    }
  }

  /// Removes all favourites; who calls it has asked.
  func clear() async {
    do {
      try await controller.clearAllImages()
      onMessage(.info("All favorites are removed"))
    } catch {
      onMessage(.problem("Not cleared: \(calmSentence(for: error)). C tries again"))
    }
  }

  /// The title with the count.
  var title: String {
    controller.imagesHaveLoaded ? "Favorites (\(controller.images.count))" : "Favorites"
  }

  // MARK: Drawing

  /// Draws the favourites into their part of the screen.
  func draw(
    _ layout: Layout, cell: PixelSize, isFocused: Bool, moment: Duration, into canvas: inout Canvas
  ) {
    guard let area = layout.carousel else { return }
    if let sentence = emptySentence {
      loader?.want([], cell: cell)
      let text = sentence.text.clipped(to: area.columns - 2)
      canvas.draw(
        text,
        at: CellPoint(
          column: area.column + (area.columns - text.columns) / 2, row: area.row + area.rows / 2),
        ink: sentence.ink)
    } else if layout.showsThumbnails, let loader {
      drawThumbnails(
        from: loader, in: area, cell: cell, isFocused: isFocused, moment: moment, into: &canvas)
    } else {
      drawLine(in: area, isFocused: isFocused, into: &canvas)
    }
  }

  private var emptySentence: (text: String, ink: Ink)? {
    if let problem { return (problem, .problem) }
    guard controller.imagesHaveLoaded else { return ("Opening your favorites", .dim) }
    return controller.images.isEmpty ? ("Red pandas you favorite will appear here", .dim) : nil
  }

  private func drawThumbnails(
    from loader: PictureLoader, in area: CellRect, cell: PixelSize, isFocused: Bool,
    moment: Duration, into canvas: inout Canvas
  ) {
    // Thumbnails are 4:3 on the screen; each has a column at its sides for the selection's frame.
    let columns = max(4, area.rows * cell.height * 4 / 3 / cell.width)
    let slot = columns + 3
    let inner = area.inset(columns: 1, rows: 0)
    state.resize(capacity: (inner.columns + 1) / slot)
    let images = controller.images
    let visible = (inner.columns + slot - 1) / slot
    // What is near the edges may be sliding out of view, or into it.
    let near = max(0, state.first - visible)..<min(images.count, state.first + 2 * visible)
    let places = near.map { number in
      (id: state.ids[number], column: inner.column + 1 + (number - state.first) * slot)
    }
    row.follow(places, at: moment, animates: slides)
    let size = CellSize(columns: columns, rows: area.rows)
    var wanted: [PictureLoader.Wanted] = []
    var selection: CellRect?
    for (number, place) in zip(near, places) {
      let image = images[images.count - 1 - number]
      let column = place.column + row.offset(of: place.id, at: moment)
      let rect = CellRect(column: column, row: area.row, columns: columns, rows: area.rows)
      guard rect.columnRange.overlaps(inner.columnRange) else { continue }
      wanted.append(PictureLoader.Wanted(image: image, size: size))
      drawThumbnail(image, from: loader, in: rect, clip: inner, cell: cell, into: &canvas)
      if image.id == state.selection { selection = rect }
    }
    if let selection {
      drawSelection(around: selection, clip: area, isFocused: isFocused, into: &canvas)
    }
    loader.want(wanted, cell: cell)
    let middle = area.row + area.rows / 2
    if state.first > 0 {
      canvas.draw("‹", at: CellPoint(column: area.column, row: middle), ink: .accent)
    }
    let end = inner.column + (images.count - state.first) * slot - 1
    if end > inner.columnRange.upperBound {
      canvas.draw(
        "›", at: CellPoint(column: area.columnRange.upperBound - 1, row: middle), ink: .accent)
    }
  }

  /// Whether thumbnails have not arrived where they belong.
  func isMoving(at moment: Duration) -> Bool { row.isMoving(at: moment) }

  private func drawThumbnail(
    _ image: RemoteImage, from loader: PictureLoader, in rect: CellRect, clip: CellRect,
    cell: PixelSize,
    into canvas: inout Canvas
  ) {
    switch loader.picture(image, size: rect.size, cell: cell) {
    case .ready(let picture, _): canvas.place(picture, in: rect, clip: clip)
    case .failed: draw("⊘", inMiddleOf: rect, clip: clip, ink: .problem, into: &canvas)
    case .underWay: draw("·", inMiddleOf: rect, clip: clip, ink: .dim, into: &canvas)
    }
  }

  private func draw(
    _ text: String, inMiddleOf rect: CellRect, clip: CellRect, ink: Ink, into canvas: inout Canvas
  ) {
    let column = rect.column + rect.columns / 2
    guard clip.columnRange.contains(column) else { return }
    canvas.draw(text, at: CellPoint(column: column, row: rect.row + rect.rows / 2), ink: ink)
  }

  private func drawSelection(
    around rect: CellRect, clip: CellRect, isFocused: Bool, into canvas: inout Canvas
  ) {
    let ink: Ink = isFocused ? .accent : .dim
    for row in rect.rowRange {
      if clip.columnRange.contains(rect.column - 1) {
        canvas.draw("▐", at: CellPoint(column: rect.column - 1, row: row), ink: ink)
      }
      let right = rect.columnRange.upperBound
      if clip.columnRange.contains(right) {
        canvas.draw("▌", at: CellPoint(column: right, row: row), ink: ink)
      }
    }
  }

  /// One line of text where there is no room for thumbnails.
  private func drawLine(in area: CellRect, isFocused: Bool, into canvas: inout Canvas) {
    guard let image = selected, let index = state.selectedIndex else { return }
    let text = "★ \(index + 1)/\(state.ids.count) \(ImageDescription(image).line)"
    canvas.draw(
      text.clipped(to: area.columns - 2), at: CellPoint(column: area.column + 1, row: area.row),
      ink: isFocused ? .accent : .plain)
  }
}
