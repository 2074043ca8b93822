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

  /// Whether a number typed before it repeats it.
  var takesCount: Bool {
    switch self {
    case .left, .right, .up, .down, .pageLeft, .pageRight, .back, .undo, .redo, .remove: true
    case .larger, .smaller, .mark: true
    default: false
    }
  }

  /// Whether it came after version 0.1.0, whose configuration files may give its keys to others.
  var isNew: Bool {
    switch self {
    case .grid, .larger, .smaller, .zoom, .mark, .markRange, .markAll, .collections: true
    case .shareCard: true
    default: false
    }
  }

  /// Whether it is about the card, so that a grid on the whole screen makes way for it.
  var needsCard: Bool {
    switch self {
    case .fetch, .back, .hide, .party, .nextPane, .show: true
    default: false
    }
  }

  /// Whether it shows something else, so that an enlarged picture makes way for it.
  var endsZoom: Bool {
    switch self {
    case .favorite, .remove, .filter, .grid, .trash, .slideshow, .mark, .markRange, .markAll, .sort:
      true
    case .collections: true
    default: needsCard
    }
  }

  /// Whether its key only pauses a running slideshow.
  var pausesSlideshow: Bool {
    switch self {
    case .favorite, .redraw, .suspend, .quit: false
    default: true
    }
  }
}
