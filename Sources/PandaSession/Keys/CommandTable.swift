internal import TerminalKit

/// A command of the screen, bound to keys; the same in every pane.
///
/// Each set of commands has one switch over it, in the file with what its commands do.
package enum Command: Hashable, Sendable {
  case card(Card), picture(Picture), favorites(Favorites), move(Move), view(View)
  case program(Program)

  package enum Card: String, CaseIterable { case fetch, back, hide, slideshow, party, sources }

  /// The commands for one picture, besides keeping it.
  package enum Picture: String, CaseIterable {
    case details, open, copyAddress, save, shareCard
  }

  /// The commands that change the favorites, or choose which of them are shown.
  package enum Favorites: String, CaseIterable {
    case favorite, remove, clear, undo, redo, caption, tags, mark, markRange, markAll
    case show, random, filter, sort, collections, trash
  }

  /// The moves of the selection, and of an enlarged picture.
  package enum Move: String, CaseIterable {
    case left, right, up, down, first, last, pageLeft, pageRight
  }

  package enum View: String, CaseIterable { case nextPane, grid, larger, smaller, zoom }

  package enum Program: String, CaseIterable { case problem, help, cancel, redraw, suspend, quit }
}

extension Command: CaseIterable, RawRepresentable, CustomStringConvertible {
  package static let allCases: [Command] =
    Card.allCases.map(Command.card) + Picture.allCases.map(Command.picture)
    + Favorites.allCases.map(Command.favorites) + Move.allCases.map(Command.move)
    + View.allCases.map(Command.view) + Program.allCases.map(Command.program)

  /// The name in the configuration file.
  package var rawValue: String {
    switch self {
    case .card(let command): command.rawValue
    case .picture(let command): command.rawValue
    case .favorites(let command): command.rawValue
    case .move(let command): command.rawValue
    case .view(let command): command.rawValue
    case .program(let command): command.rawValue
    }
  }

  package var description: String { rawValue }

  package init?(rawValue: String) {
    guard let command = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = command
  }
}

extension KeyTable {
  /// Panda's commands, in the order of the help and of the hint bar.
  package static let standard = KeyTable(bindings: [
    CommandEntry(
      .card(.fetch), [.character("f"), .character("n")],
      help: "Fetch another red panda", group: .panda,
      synonyms: ["another", "next", "new", "load", "get"], traits: [.needsCard, .endsZoom]),
    CommandEntry(
      .card(.back), [.character("b")],
      help: "Go back to the panda before", group: .panda,
      synonyms: ["previous", "before", "history"], traits: [.takesCount, .needsCard, .endsZoom]),
    CommandEntry(
      .favorites(.favorite), [.character(" ")],
      help: "Keep the panda, or mark a favorite", group: .favorites,
      synonyms: ["favorite", "star", "like", "love", "keep", "heart", "bookmark"],
      traits: [.endsZoom, .keepsSlideshow]),
    CommandEntry(
      .view(.nextPane), [.tab, .backTab],
      help: "Go to Favorites, and back", group: .moving,
      synonyms: ["switch", "focus"],
      traits: [.needsCard, .endsZoom, .needsCarousel, .choosesFavorite]),
    CommandEntry(
      .view(.grid), [.character("v")],
      help: "See the favorites on a whole screen", group: .moving,
      synonyms: ["gallery", "thumbnails", "overview", "wall"],
      traits: [.isNew, .endsZoom, .choosesFavorite]),
    CommandEntry(
      .view(.larger), [.character("+"), .character("=")],
      help: "Show larger pictures, or zoom in", group: .moving,
      synonyms: ["zoom", "bigger", "size"],
      traits: [.takesCount, .isNew, .isForZoom]),
    CommandEntry(
      .view(.smaller), [.character("-")],
      help: "Show smaller pictures, or zoom out", group: .moving,
      synonyms: ["zoom", "size"],
      traits: [.takesCount, .isNew, .isForZoom]),
    CommandEntry(
      .view(.zoom), [.character("Z")],
      help: "Enlarge: whole screen, then pixels", group: .moving,
      synonyms: ["enlarge", "fullscreen", "full screen", "magnify"],
      traits: [.isNew, .isForZoom]),
    CommandEntry(
      .favorites(.mark), [.character("m")],
      help: "Mark the selected favorite",
      group: .favorites, synonyms: ["select", "several", "many"],
      traits: [.takesCount, .isNew, .endsZoom]),
    CommandEntry(
      .favorites(.markRange), [.character("M")],
      help: "Mark all from the last mark to here",
      group: .favorites, synonyms: ["select", "several", "many"],
      traits: [.isNew, .endsZoom]),
    CommandEntry(
      .favorites(.markAll), [.character("*")], help: "Mark all that are shown, or none",
      group: .favorites, synonyms: ["select", "unmark", "all"],
      traits: [.isNew, .endsZoom, .needsFavorites, .needsAllKnown]),
    CommandEntry(
      .favorites(.show), [.enter],
      help: "Open the favorite, then enlarge it",
      group: .moving,
      synonyms: ["view", "display", "look", "open", "show"],
      traits: [.isForZoom]),
    CommandEntry(
      .favorites(.random), [.character("r")], help: "Show a random favorite",
      group: .moving, synonyms: ["surprise", "shuffle", "any", "dice"],
      traits: [.isNew, .needsCard, .endsZoom, .needsFavorites, .choosesFavorite]),
    CommandEntry(
      .favorites(.remove), [.character("x"), .delete],
      help: "Remove, or delete from the trash", group: .favorites,
      synonyms: ["delete", "unfavorite", "unstar", "discard"],
      traits: [.takesCount, .endsZoom, .needsFavorites, .changesTarget]),
    CommandEntry(
      .favorites(.undo), [.character("u")],
      help: "Undo the last change", group: .favorites,
      synonyms: ["revert", "restore", "back"], traits: [.takesCount]),
    CommandEntry(
      .favorites(.redo), [.character("U")], help: "Redo what was undone", group: .favorites,
      synonyms: ["repeat"], traits: [.takesCount]),
    CommandEntry(
      .favorites(.filter), [.character("/")],
      help: "Filter by words, #tags or dates",
      group: .favorites, synonyms: ["search", "find"],
      traits: [.endsZoom, .needsFavorites, .needsCarousel]),
    CommandEntry(
      .favorites(.sort), [.character("s")],
      help: "Sort, or shuffle a slideshow",
      group: .favorites, synonyms: ["order", "random"],
      traits: [.endsZoom, .needsFavorites, .choosesFavorite]),
    CommandEntry(
      .favorites(.collections), [.character("F")],
      help: "Open a collection: a saved filter",
      group: .favorites, synonyms: ["album", "saved", "folder", "filter"],
      traits: [.isNew, .endsZoom, .needsFavorites, .needsCarousel]),
    CommandEntry(
      .favorites(.caption), [.character("c")],
      help: "Write a caption", group: .favorites,
      synonyms: ["rename", "note", "comment", "name", "title"],
      traits: [.needsFavorites, .changesTarget]),
    CommandEntry(
      .favorites(.tags), [.character("t")],
      help: "Give it tags",
      group: .favorites, synonyms: ["label", "keyword"],
      traits: [.needsFavorites, .changesTarget]),
    CommandEntry(
      .picture(.details), [.character("i")],
      help: "Show all details", group: .panda,
      synonyms: ["info", "information", "about", "license", "author"]),
    CommandEntry(
      .picture(.open), [.character("o")],
      help: "Open its page in the browser",
      group: .panda, synonyms: ["page", "web"]),
    CommandEntry(
      .picture(.copyAddress), [.character("y")], help: "Copy its page and its credit",
      group: .panda,
      synonyms: ["url", "link", "address", "clipboard", "author", "license", "attribution"]),
    CommandEntry(
      .picture(.save), [.character("w")],
      help: "Save the picture to a file",
      group: .panda, synonyms: ["export", "download", "write"]),
    CommandEntry(
      .picture(.shareCard), [.character("W")],
      help: "Save a card to share", group: .panda,
      synonyms: ["png", "postcard", "export", "image"], traits: [.isNew]),
    CommandEntry(
      .card(.slideshow), [.character("z")],
      help: "Play a slideshow",
      group: .panda, synonyms: ["automatic", "play"], traits: [.endsZoom]),
    CommandEntry(
      .favorites(.clear), [.character("C")],
      help: "Remove all favorites, after asking", group: .favorites,
      synonyms: ["delete", "empty", "remove", "discard"],
      traits: [.needsFavorites]),
    CommandEntry(
      .favorites(.trash), [.character("T")],
      help: "Open the trash, and back", group: .favorites,
      synonyms: ["restore", "deleted", "removed", "bin", "recover"],
      traits: [.endsZoom, .needsCarousel, .choosesFavorite]),
    CommandEntry(
      .card(.hide), [.character("X")], help: "Never show this panda again", group: .panda,
      synonyms: ["block", "dislike", "ban"],
      traits: [.needsCard, .endsZoom, .needsFavorites, .changesTarget]),
    CommandEntry(
      .move(.left), [.left, .character("h")], help: "Move to the left", group: .moving,
      synonyms: ["previous"],
      traits: [.takesCount, .isForZoom, .needsCarousel, .choosesFavorite]),
    CommandEntry(
      .move(.right), [.right, .character("l")], help: "Move to the right", group: .moving,
      synonyms: ["next"],
      traits: [.takesCount, .isForZoom, .needsCarousel, .choosesFavorite]),
    CommandEntry(
      .move(.up), [.up, .character("k")], help: "Move up", group: .moving,
      traits: [.takesCount, .isForZoom, .needsCarousel, .choosesFavorite]),
    CommandEntry(
      .move(.down), [.down, .character("j")], help: "Move down", group: .moving,
      traits: [.takesCount, .isForZoom, .needsCarousel, .choosesFavorite]),
    CommandEntry(
      .move(.first), [.home, .character("g")], help: "Move to the first one", group: .moving,
      synonyms: ["top", "start", "beginning"],
      traits: [.isForZoom, .needsCarousel, .choosesFavorite]),
    CommandEntry(
      .move(.last), [.end, .character("G")], help: "Move to the last one", group: .moving,
      synonyms: ["bottom", "end"],
      traits: [.isForZoom, .needsFavorites, .needsAllKnown, .needsCarousel, .choosesFavorite]),
    CommandEntry(
      .move(.pageLeft), [.pageUp], help: "Move a screenful back", group: .moving,
      synonyms: ["scroll"], traits: [.takesCount, .isForZoom, .needsCarousel, .choosesFavorite]),
    CommandEntry(
      .move(.pageRight), [.pageDown], help: "Move a screenful forward", group: .moving,
      synonyms: ["scroll"],
      traits: [
        .takesCount, .isForZoom, .needsFavorites, .needsAllKnown, .needsCarousel,
        .choosesFavorite,
      ]),
    CommandEntry(
      .card(.sources), [.character("S")],
      help: "List, switch and test the sources", group: .panda,
      synonyms: ["services", "providers"]),
    CommandEntry(
      .card(.party), [.character("p")], help: "Party mode: a rainbow, or none",
      group: .panda, synonyms: ["color", "fun"],
      traits: [.needsCard, .endsZoom]),
    CommandEntry(
      .program(.problem), [.character("!")], help: "Show what went wrong last",
      group: .program, synonyms: ["error", "why", "failure"]),
    CommandEntry(
      .program(.cancel), [.escape],
      help: "Come back: stop, unmark, show all",
      group: .program, synonyms: ["abort", "escape", "leave"],
      traits: [.isForZoom]),
    CommandEntry(
      .program(.help), [.character("?")], help: "Show the keys",
      group: .program, synonyms: ["shortcuts", "manual"]),
    CommandEntry(
      .program(.redraw), [.control("l")], help: "Redraw the screen", group: .program,
      synonyms: ["refresh", "repaint"], traits: [.keepsSlideshow]),
    CommandEntry(
      .program(.suspend), [.control("z")], help: "Suspend (fg resumes)", group: .program,
      synonyms: ["background", "pause"], traits: [.keepsSlideshow]),
    CommandEntry(
      .program(.quit), [.character("q")], help: "Quit",
      group: .program, synonyms: ["exit", "leave", "close", "end", "bye"],
      traits: [.keepsSlideshow]),
  ])
}
