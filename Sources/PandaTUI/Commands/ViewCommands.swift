internal import PandaCore
internal import Pantry
internal import TerminalKit

/// The commands for the view: the panes, the grid of all favorites, one enlarged picture.
@MainActor
struct ViewCommands {
  let context: CommandContext

  private var favorites: FavoritesPresenter { context.favorites }
  private var carousel: FavoritesCarouselView { context.carousel }
  private var keys: KeyTable { context.keys }

  func reason(against command: Command.View) -> String? {
    switch command {
    case .nextPane: nil
    case .grid: context.display.size.rows < 4 ? "There is no room for the grid" : nil
    case .larger: context.model.showsGrid ? nil : ZoomCommands(context: context).reason
    case .smaller:
      context.model.showsGrid
        ? nil : keys.sentence("Only the grid has sizes", then: .view(.grid), "opens it")
    case .zoom: ZoomCommands(context: context).reason
    }
  }

  func perform(_ command: Command.View, _ count: Int) {
    switch command {
    case .nextPane: context.model.focus = context.pane == .card ? .carousel : .card
    case .grid: toggleGrid()
    case .larger where !context.model.showsGrid:
      ZoomCommands(context: context).open { $0.zoom(by: count) }
    case .larger: resizeGrid(by: count)
    case .smaller: resizeGrid(by: -count)
    case .zoom: ZoomCommands(context: context).open()
    }
  }

  private func toggleGrid() {
    guard !context.model.showsGrid else { return leaveGrid() }
    openGrid()
  }

  /// Shows all favorites on the whole screen.
  func openGrid() {
    context.model.showsGrid = true
    context.model.returnsToGrid = false
    favorites.gridSize = GridSize(step: gridStep.wrappedValue)
  }

  /// Shows the card again, with the favorites beside or below it focused.
  func leaveGrid() {
    guard context.model.showsGrid else { return }
    context.model.showsGrid = false
    context.model.focus = .carousel
  }

  /// The size that is remembered for this way of showing pictures.
  private var gridStep: StoredValue<Int> {
    let cell = context.display.cell
    let isOfSymbols = context.display.output.map { $0.pixelsPerCell(cell) != cell } ?? false
    return isOfSymbols ? context.remembered.gridStepOfSymbols : context.remembered.gridStep
  }

  /// Says that there is no other size of the pictures.
  nonisolated static func noOtherSize(isLarger: Bool) -> String {
    "The pictures are as \(isLarger ? "large" : "small") as they get"
  }

  private func resizeGrid(by steps: Int) {
    var size = favorites.gridSize
    for _ in 0..<abs(steps) {
      guard let next = nextGridSize(from: size, isLarger: steps > 0) else { break }
      size = next
    }
    guard size != favorites.gridSize else {
      return context.say(.info(Self.noOtherSize(isLarger: steps > 0)))
    }
    favorites.gridSize = size
    gridStep.set(size.step)
  }

  /// Returns the next size that looks different, the standard one if it is the same; nil if there
  /// is none.
  ///
  /// Few favorites are larger at the standard size than at others, and what the window or the
  /// terminal's images allow may be the same at several.
  private func nextGridSize(from size: GridSize, isLarger: Bool) -> GridSize? {
    func across(_ size: GridSize) -> Int? {
      carousel.picturesAcross(size, in: context.layout, cell: context.display.cell)
    }
    guard let former = across(size) else { return size.larger(by: isLarger ? 1 : -1) }
    let sizes = GridSize.all.map { (size: $0, across: across($0) ?? former) }
    let next =
      isLarger
      ? sizes.filter { $0.across < former }.max { $0.across < $1.across }
      : sizes.filter { $0.across > former }.min { $0.across < $1.across }
    return next.map { across(.standard) == $0.across ? .standard : $0.size }
  }
}
