/// A command of the screen, bound to keys; the same in every pane.
enum Command: String, CaseIterable, Hashable, Sendable {
  case fetch, back, favorite, remove, clear, undo, redo
  case nextPane, show
  case left, right, up, down, first, last, pageLeft, pageRight
  case filter, sort, collections, trash
  case grid, larger, smaller, zoom
  case mark, markRange, markAll
  case caption, tags, details
  case open, copyAddress, copyCredit, save, shareCard
  case slideshow, hide, party, sources
  case problem, help, cancel, redraw, suspend, quit
}
