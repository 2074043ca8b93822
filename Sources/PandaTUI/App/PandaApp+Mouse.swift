internal import PandaCore
internal import TerminalKit

/// What the mouse does: a click selects, a double click favorites or shows, the wheel moves.
///
/// With Shift held the terminal selects text, and tells nobody here.
extension PandaApp {
  func handle(_ event: MouseEvent) {
    if dialog != nil {
      if let outcome = dialog?.handle(event) { follow(outcome) }
      return
    }
    switch event.kind {
    case .press(.left): press(event.point)
    case .scroll(let direction): scroll(direction)
    case .press, .release, .drag, .move: break
    }
  }

  private func press(_ point: CellPoint) {
    deferred = nil
    card.touch()
    message = nil
    _ = count.end()
    if slideshow.isRunning {
      pauseSlideshow()
      return
    }
    let layout = layout
    let isOnCard = layout.picture.contains(point) || layout.info.contains(point)
    let picture = carousel.image(at: point)?.id ?? (isOnCard ? card.image?.id : nil)
    let isDouble = clicks.isDouble(point, on: picture, at: moment)
    if let hint = hintPlaces.first(where: { $0.rect.contains(point) }) {
      perform(hint.command, count: 1)
      return
    }
    if let image = carousel.image(at: point) {
      focus = .carousel
      carousel.select(id: image.id)
      if isDouble { perform(isInTrash ? .favorite : .show, count: 1) }
    } else if layout.carousel?.contains(point) == true {
      focus = .carousel
    } else if isOnCard {
      focus = .card
      // What is a favorite already is not taken away, and not looked for, by a click.
      if isDouble, !card.isShownSaved { perform(.favorite, count: 1) }
    }
  }

  private func scroll(_ direction: MouseEvent.Direction) {
    let layout = layout
    guard carousel.selected != nil, layout.carousel != nil else { return }
    message = nil
    let isGrid = layout.isGrid
    switch direction {
    case .up: carousel.move(isGrid ? .up : .left)
    case .down: carousel.move(isGrid ? .down : .right)
    case .left: carousel.move(.left)
    case .right: carousel.move(.right)
    }
  }
}
