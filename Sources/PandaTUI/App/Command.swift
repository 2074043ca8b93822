/// What a key press asks for; the same in every pane.
enum Command: String, CaseIterable, Hashable, Sendable {
  case fetch, favorite, remove, clear
  case nextPane, show
  case left, right, first, last, pageLeft, pageRight
  case party
  case help, cancel, redraw, suspend, quit
}
