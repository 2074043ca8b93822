/// How the help lists and finds commands.
extension Command {
  /// A part of the help, in its order.
  enum HelpGroup: String, CaseIterable {
    /// Not of a command itself: what matters most where the user is.
    case here = "Here"
    case panda = "The panda"
    case favorites = "Your favorites"
    case moving = "Moving"
    case program = "The program"
  }

  /// The part of the help that lists it.
  var helpGroup: HelpGroup {
    switch self {
    case .fetch, .back, .details, .open, .copyAddress, .copyCredit, .save, .shareCard: .panda
    case .slideshow, .hide, .party, .sources: .panda
    case .favorite, .remove, .undo, .redo, .caption, .tags: .favorites
    case .filter, .sort, .collections, .clear, .trash, .mark, .markRange, .markAll: .favorites
    case .grid, .larger, .smaller, .zoom: .moving
    case .nextPane, .show, .left, .right, .up, .down, .first, .last, .pageLeft, .pageRight: .moving
    case .problem, .cancel, .help, .redraw, .suspend, .quit: .program
    }
  }

  /// What else a user may call it, in lowercase.
  var synonyms: [String] {
    switch self {
    case .fetch: ["next", "new", "load", "get"]
    case .back: ["previous", "before", "history"]
    case .favorite: ["star", "like", "love", "keep", "heart", "bookmark"]
    case .remove: ["delete", "unfavorite", "unstar", "discard"]
    case .clear: ["delete", "empty", "remove", "discard"]
    case .undo: ["revert", "restore", "back"]
    case .redo: ["repeat"]
    case .nextPane: ["switch", "focus"]
    case .show: ["view", "display", "look"]
    case .filter: ["search", "find"]
    case .sort: ["order", "random"]
    case .collections: ["album", "saved", "folder", "filter"]
    case .grid: ["gallery", "thumbnails", "overview", "wall"]
    case .larger: ["zoom", "bigger", "size"]
    case .smaller: ["zoom", "size"]
    case .zoom: ["enlarge", "fullscreen", "full screen", "magnify"]
    case .mark, .markRange: ["select", "several", "many"]
    case .markAll: ["select", "unmark", "all"]
    case .trash: ["restore", "deleted", "removed", "bin", "recover"]
    case .caption: ["note", "comment", "name", "title"]
    case .tags: ["label", "keyword"]
    case .details: ["info", "information", "about", "license", "author"]
    case .open: ["page", "web"]
    case .copyAddress: ["url", "link", "clipboard"]
    case .copyCredit: ["author", "license", "attribution", "clipboard"]
    case .save: ["export", "download", "write"]
    case .shareCard: ["png", "postcard", "export", "image"]
    case .slideshow: ["automatic", "play"]
    case .hide: ["block", "dislike", "ban"]
    case .sources: ["services", "providers"]
    case .party: ["color", "fun"]
    case .left: ["previous"]
    case .right: ["next"]
    case .first: ["top", "start", "beginning"]
    case .last: ["bottom", "end"]
    case .pageLeft, .pageRight: ["scroll"]
    case .problem: ["error", "why", "failure"]
    case .cancel: ["abort", "escape"]
    case .help: ["shortcuts", "manual"]
    case .redraw: ["refresh", "repaint"]
    case .suspend: ["background", "pause"]
    case .quit: ["exit", "leave", "close", "end", "bye"]
    case .up, .down: []
    }
  }
}
