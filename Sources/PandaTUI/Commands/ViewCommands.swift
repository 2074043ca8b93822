internal import PandaSession
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
    case .grid: context.display.size.rows < 4 ? "The window is too small for the grid" : nil
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
    context.remembered.gridStep(of: context.display.output, cell: context.display.cell)
  }

  /// Says that there is no other size of the pictures.
  nonisolated static func noOtherSize(isLarger: Bool) -> String {
    "The pictures are as \(isLarger ? "large" : "small") as they get"
  }

  private func resizeGrid(by steps: Int) {
    var size = favorites.gridSize
    for _ in 0..<abs(steps) {
      guard
        let next = carousel.nextGridSize(
          from: size, isLarger: steps > 0, in: context.layout, cell: context.display.cell)
      else { break }
      size = next
    }
    guard size != favorites.gridSize else {
      return context.say(.info(Self.noOtherSize(isLarger: steps > 0)))
    }
    favorites.gridSize = size
    if context.picking == nil { gridStep.set(size.step) }
  }
}
