internal import PandaCore
internal import PandaSession
internal import TerminalKit

@MainActor
struct ZoomCommands {
  let context: CommandContext

  private var zoom: ZoomView { context.zoom }

  /// The reason why no picture can be enlarged; nil if one can.
  var reason: String? {
    if !zoom.canOpen { return "This terminal shows no pictures" }
    return context.target == nil ? context.reasonWithoutPicture : nil
  }

  /// Shows the picture that commands apply to on the whole screen.
  func open(_ change: ((inout ZoomState) -> Void)? = nil) {
    guard let image = context.target else { return }
    zoom.open(image, preview: context.picture(of: image))
    if let change { zoom.change(change) }
  }

  /// Enlarges at a cell of the screen, also a picture that is not enlarged yet.
  func zoom(by steps: Int, at point: CellPoint) {
    if !zoom.isOpen {
      guard steps > 0, reason == nil else { return }
      open()
    } else if steps < 0, zoom.state?.isFitted == true {
      return zoom.close()
    }
    let area = context.layout.picture
    let place = CellPoint(column: point.column - area.column, row: point.row - area.row)
    zoom.change { $0.zoom(by: steps, at: place) }
  }

  /// Performs what a command means here; returns whether it means anything.
  func perform(_ command: Command, count: Int) -> Bool {
    switch command {
    case .view(.larger): zoom.change { $0.zoom(by: count) }
    case .view(.smaller): zoom.change { $0.zoom(by: -count) }
    case .view(.zoom): zoom.change { $0.toggleActualSize() }
    case .move(let move): perform(move, count)
    case .program(.cancel): zoom.close()
    case .favorites(.show):
      if zoom.state?.isFitted == true { zoom.change { $0.toggleActualSize() } }
    default: return false
    }
    return true
  }

  /// Moves the picture, or shows the favorite beside it if it fits the screen.
  private func perform(_ move: Command.Move, _ count: Int) {
    // An arrow moves by about a quarter of the screen.
    let size = context.display.size
    let (across, down) = (max(1, size.columns / 4), max(1, size.rows / 4))
    let page = context.layout.picture.rows
    func pan(columns: Int = 0, rows: Int = 0) {
      zoom.change { $0.pan(columns: columns * count, rows: rows * count) }
    }
    switch move {
    case .left, .right:
      if zoom.state?.isFitted != false, context.pane == .carousel {
        browse(move, count)
      } else {
        pan(columns: move == .left ? -across : across)
      }
    case .up: pan(rows: -down)
    case .down: pan(rows: down)
    case .pageLeft: pan(rows: -page)
    case .pageRight: pan(rows: page)
    case .first: zoom.change { $0.pan(toEnd: false) }
    case .last: zoom.change { $0.pan(toEnd: true) }
    }
  }

  /// Shows another favorite on the whole screen.
  private func browse(_ move: Command.Move, _ count: Int) {
    // Once another terminal has removed the shown one, the next one is already selected.
    let favorites = context.favorites!
    let isNextSelected = move == .right && favorites.selected?.id != zoom.image?.id
    favorites.move(move, count: isNextSelected ? count - 1 : count)
    if let image = favorites.selected, image.id != zoom.image?.id { zoom.open(image) }
  }
}
