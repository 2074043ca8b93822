internal import PandaCore
internal import TerminalKit

/// The enlarged picture.
extension PandaApp {
  /// Shows the picture that commands apply to on the whole screen.
  func openZoom(_ change: ((inout ZoomState) -> Void)? = nil) {
    guard let image = target else { return }
    zoom.open(image)
    if let change { zoom.change(change) }
  }

  /// Enlarges at a cell of the screen, also a picture that is not enlarged yet.
  func zoom(by steps: Int, at point: CellPoint) {
    if !zoom.isOpen {
      guard steps > 0, reason(against: .zoom) == nil else { return }
      openZoom()
    } else if steps < 0, zoom.state?.isFitted == true {
      return zoom.close()
    }
    let area = layout.picture
    let place = CellPoint(column: point.column - area.column, row: point.row - area.row)
    zoom.change { $0.zoom(by: steps, at: place) }
  }

  /// Performs what a command means for an enlarged picture; returns whether it means anything.
  func performInZoom(_ command: Command, count: Int) -> Bool {
    // An arrow moves by about a quarter of the screen.
    let (across, down) = (max(1, display.size.columns / 4), max(1, display.size.rows / 4))
    switch command {
    case .larger: zoom.change { $0.zoom(by: count) }
    case .smaller: zoom.change { $0.zoom(by: -count) }
    case .zoom: zoom.change { $0.toggleActualSize() }
    case .left, .right:
      let sign = command == .left ? -1 : 1
      if zoom.state?.isFitted != false, pane == .carousel {
        browse(command == .left ? .left : .right, count)
      } else {
        zoom.change { $0.pan(columns: sign * across * count, rows: 0) }
      }
    case .up: zoom.change { $0.pan(columns: 0, rows: -down * count) }
    case .down: zoom.change { $0.pan(columns: 0, rows: down * count) }
    case .pageLeft, .pageRight:
      let rows = layout.picture.rows * count * (command == .pageLeft ? -1 : 1)
      zoom.change { $0.pan(columns: 0, rows: rows) }
    case .first: zoom.change { $0.pan(toEnd: false) }
    case .last: zoom.change { $0.pan(toEnd: true) }
    case .cancel, .show: zoom.close()
    default: return false
    }
    return true
  }

  /// Shows another favorite on the whole screen.
  private func browse(_ move: CarouselState.Move, _ count: Int) {
    // Once another terminal has removed the shown one, the next one is already selected.
    let isNextSelected = move == .right && carousel.selected?.id != zoom.image?.id
    carousel.move(move, count: isNextSelected ? count - 1 : count)
    if let image = carousel.selected, image.id != zoom.image?.id { zoom.open(image) }
  }
}
