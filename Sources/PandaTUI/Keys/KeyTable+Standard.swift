internal import TerminalKit

extension KeyTable {
  /// Panda's commands, in the order of the help and of the hint bar.
  static let standard = KeyTable(bindings: [
    CommandEntry(
      .fetch, [.character("f"), .character("n")], hint: "fetch", importance: 1,
      help: "Fetch another red panda", group: .panda, isAllowedInKiosk: true,
      synonyms: ["next", "new", "load", "get"], traits: [.needsCard, .endsZoom]),
    CommandEntry(
      .back, [.character("b")], hint: "back", importance: 13,
      help: "Go back through what was shown", group: .panda, isAllowedInKiosk: true,
      synonyms: ["previous", "before", "history"], traits: [.takesCount, .needsCard, .endsZoom]),
    CommandEntry(
      .favorite, [.character(" ")], hint: "favorite", importance: 2,
      help: "Favorite the picture, or find it among the favorites", group: .favorites,
      isAllowedInKiosk: true, synonyms: ["star", "like", "love", "keep", "heart", "bookmark"],
      traits: [.endsZoom, .keepsSlideshow]),
    CommandEntry(
      .nextPane, [.tab, .backTab], hint: "carousel", importance: 5,
      help: "Go to the favorites, and back to the card", group: .moving, isAllowedInKiosk: true,
      synonyms: ["switch", "focus"],
      traits: [.needsCard, .endsZoom, .needsCarousel, .choosesFavorite]),
    CommandEntry(
      .grid, [.character("v")], hint: "grid", importance: 10,
      help: "See all favorites in a grid on the whole screen, and back", group: .moving,
      isAllowedInKiosk: true, synonyms: ["gallery", "thumbnails", "overview", "wall"],
      traits: [.isNew, .endsZoom, .choosesFavorite]),
    CommandEntry(
      .larger, [.character("+"), .character("=")],
      help: "Make the pictures of the grid, or the enlarged one, larger", group: .moving,
      isAllowedInKiosk: true, synonyms: ["zoom", "bigger", "size"],
      traits: [.takesCount, .isNew, .isForZoom]),
    CommandEntry(
      .smaller, [.character("-")],
      help: "Make the pictures of the grid, or the enlarged one, smaller", group: .moving,
      isAllowedInKiosk: true, synonyms: ["zoom", "size"],
      traits: [.takesCount, .isNew, .isForZoom]),
    CommandEntry(
      .zoom, [.character("Z")], hint: "zoom", importance: 21,
      help: "See the picture on the whole screen, then pixel by pixel", group: .moving,
      isAllowedInKiosk: true, synonyms: ["enlarge", "fullscreen", "full screen", "magnify"],
      traits: [.isNew, .isForZoom]),
    CommandEntry(
      .mark, [.character("m")], help: "Mark the selected favorite, or with ctrl the clicked one",
      group: .favorites, isAllowedInKiosk: true, synonyms: ["select", "several", "many"],
      traits: [.takesCount, .isNew, .endsZoom]),
    CommandEntry(
      .markRange, [.character("M")], help: "Mark all from the last mark to the selected one",
      group: .favorites, isAllowedInKiosk: true, synonyms: ["select", "several", "many"],
      traits: [.isNew, .endsZoom]),
    CommandEntry(
      .markAll, [.character("*")], help: "Mark all favorites that are shown, or none",
      group: .favorites, isAllowedInKiosk: false, synonyms: ["select", "unmark", "all"],
      traits: [.isNew, .endsZoom]),
    CommandEntry(
      .show, [.enter], hint: "show", importance: 7, help: "Show the selected favorite on the card",
      group: .moving, isAllowedInKiosk: true, synonyms: ["view", "display", "look"],
      traits: [.needsCard, .endsZoom, .isForZoom, .needsCarousel, .choosesFavorite]),
    CommandEntry(
      .remove, [.character("x"), .delete], hint: "remove", importance: 8,
      help: "Move the favorite to the trash; there, delete it for good", group: .favorites,
      isAllowedInKiosk: true, synonyms: ["delete", "unfavorite", "unstar", "discard"],
      traits: [.takesCount, .endsZoom, .needsFavorites, .changesTarget]),
    CommandEntry(
      .undo, [.character("u")], hint: "undo", importance: 6,
      help: "Undo the last change of your favorites", group: .favorites, isAllowedInKiosk: true,
      synonyms: ["revert", "restore", "back"], traits: [.takesCount]),
    CommandEntry(
      .redo, [.character("U")], help: "Redo what was undone", group: .favorites,
      isAllowedInKiosk: true, synonyms: ["repeat"], traits: [.takesCount]),
    CommandEntry(
      .filter, [.character("/")], hint: "filter", importance: 9,
      help: "Filter by caption, #tag, source or date; also is:similar, is:today, in:NAME",
      group: .favorites, isAllowedInKiosk: true, synonyms: ["search", "find"],
      traits: [.endsZoom, .needsFavorites, .needsCarousel]),
    CommandEntry(
      .sort, [.character("s")], hint: "sort", importance: 15,
      help: "Sort by newest, oldest, source, caption or size; shuffle a slideshow",
      group: .favorites, isAllowedInKiosk: true, synonyms: ["order", "random"],
      traits: [.endsZoom, .needsFavorites, .choosesFavorite]),
    CommandEntry(
      .collections, [.character("F")], help: "Show one of your collections: filters with names",
      group: .favorites, isAllowedInKiosk: true, synonyms: ["album", "saved", "folder", "filter"],
      traits: [.isNew, .endsZoom, .needsFavorites, .needsCarousel]),
    CommandEntry(
      .caption, [.character("c")], hint: "caption", importance: 11,
      help: "Write a caption under the favorite", group: .favorites, isAllowedInKiosk: true,
      synonyms: ["note", "comment", "name", "title"], traits: [.needsFavorites, .changesTarget]),
    CommandEntry(
      .tags, [.character("t")], hint: "tags", importance: 14, help: "Give the favorite tags",
      group: .favorites, isAllowedInKiosk: true, synonyms: ["label", "keyword"],
      traits: [.needsFavorites, .changesTarget]),
    CommandEntry(
      .details, [.character("i")], hint: "details", importance: 12,
      help: "Show all details of the picture", group: .panda, isAllowedInKiosk: true,
      synonyms: ["info", "information", "about", "license", "author"]),
    CommandEntry(
      .open, [.character("o")], hint: "open", importance: 17, help: "Open it in the browser",
      group: .panda, isAllowedInKiosk: false, synonyms: ["page", "web"]),
    CommandEntry(
      .copyAddress, [.character("y")], help: "Copy its address", group: .panda,
      isAllowedInKiosk: false, synonyms: ["url", "link", "clipboard"]),
    CommandEntry(
      .copyCredit, [.character("Y")], help: "Copy a line that credits its maker", group: .panda,
      isAllowedInKiosk: false, synonyms: ["author", "license", "attribution", "clipboard"]),
    CommandEntry(
      .save, [.character("w")], hint: "save", importance: 18, help: "Save the picture to a file",
      group: .panda, isAllowedInKiosk: false, synonyms: ["export", "download", "write"]),
    CommandEntry(
      .shareCard, [.character("W")],
      help: "Save a card to share: the picture, its caption and its credit", group: .panda,
      isAllowedInKiosk: false, synonyms: ["png", "postcard", "export", "image"], traits: [.isNew]),
    CommandEntry(
      .slideshow, [.character("z")], hint: "slideshow", importance: 16,
      help: "Slideshow: new pandas every few seconds, or favorites from the carousel",
      group: .panda, isAllowedInKiosk: true, synonyms: ["automatic", "play"], traits: [.endsZoom]),
    CommandEntry(
      .clear, [.character("C")], hint: "clear", importance: 20,
      help: "Move all favorites, or all that match, to the trash, after asking", group: .favorites,
      isAllowedInKiosk: false, synonyms: ["delete", "empty", "remove", "discard"],
      traits: [.needsFavorites]),
    CommandEntry(
      .trash, [.character("T")], hint: "trash", importance: 19,
      help: "Look into the trash, and back", group: .favorites, isAllowedInKiosk: true,
      synonyms: ["restore", "deleted", "removed", "bin", "recover"],
      traits: [.endsZoom, .needsCarousel, .choosesFavorite]),
    CommandEntry(
      .hide, [.character("X")], help: "Never show this panda again", group: .panda,
      isAllowedInKiosk: true, synonyms: ["block", "dislike", "ban"],
      traits: [.needsCard, .endsZoom, .needsFavorites, .changesTarget]),
    CommandEntry(
      .left, [.left, .character("h")], help: "Move to the left", group: .moving,
      isAllowedInKiosk: true, synonyms: ["previous"],
      traits: [.takesCount, .isForZoom, .needsCarousel, .choosesFavorite]),
    CommandEntry(
      .right, [.right, .character("l")], help: "Move to the right", group: .moving,
      isAllowedInKiosk: true, synonyms: ["next"],
      traits: [.takesCount, .isForZoom, .needsCarousel, .choosesFavorite]),
    CommandEntry(
      .up, [.up, .character("k")], help: "Move up", group: .moving, isAllowedInKiosk: true,
      traits: [.takesCount, .isForZoom, .needsCarousel, .choosesFavorite]),
    CommandEntry(
      .down, [.down, .character("j")], help: "Move down", group: .moving, isAllowedInKiosk: true,
      traits: [.takesCount, .isForZoom, .needsCarousel, .choosesFavorite]),
    CommandEntry(
      .first, [.home, .character("g")], help: "Move to the first one", group: .moving,
      isAllowedInKiosk: true, synonyms: ["top", "start", "beginning"],
      traits: [.isForZoom, .needsCarousel, .choosesFavorite]),
    CommandEntry(
      .last, [.end, .character("G")], help: "Move to the last one", group: .moving,
      isAllowedInKiosk: true, synonyms: ["bottom", "end"],
      traits: [.isForZoom, .needsFavorites, .needsOnlyTheirEnd, .needsCarousel, .choosesFavorite]),
    CommandEntry(
      .pageLeft, [.pageUp], help: "Move a screenful back", group: .moving, isAllowedInKiosk: true,
      synonyms: ["scroll"], traits: [.takesCount, .isForZoom, .needsCarousel, .choosesFavorite]),
    CommandEntry(
      .pageRight, [.pageDown], help: "Move a screenful forward", group: .moving,
      isAllowedInKiosk: true, synonyms: ["scroll"],
      traits: [
        .takesCount, .isForZoom, .needsFavorites, .needsOnlyTheirEnd, .needsCarousel,
        .choosesFavorite,
      ]),
    CommandEntry(
      .sources, [.character("S")],
      help: "List the sources with their health, switch them on or off, test one", group: .panda,
      isAllowedInKiosk: true, synonyms: ["services", "providers"]),
    CommandEntry(
      .party, [.character("p")], help: "Party mode: a rainbow over the panda, or none",
      group: .panda, isAllowedInKiosk: true, synonyms: ["color", "fun"],
      traits: [.needsCard, .endsZoom]),
    CommandEntry(
      .problem, [.character("!")], help: "Show the cause of what went wrong last", group: .program,
      isAllowedInKiosk: false, synonyms: ["error", "why", "failure"]),
    CommandEntry(
      .cancel, [.escape],
      help: "Stop fetching; unmark; end the filter; leave the trash, the grid or the zoom",
      group: .program, isAllowedInKiosk: true, synonyms: ["abort", "escape"], traits: [.isForZoom]),
    CommandEntry(
      .help, [.character("?")], hint: "help", importance: 4, help: "Show the keys", group: .program,
      isAllowedInKiosk: true, synonyms: ["shortcuts", "manual"]),
    CommandEntry(
      .redraw, [.control("l")], help: "Redraw the screen", group: .program, isAllowedInKiosk: true,
      synonyms: ["refresh", "repaint"], traits: [.keepsSlideshow]),
    CommandEntry(
      .suspend, [.control("z")], help: "Suspend (fg resumes)", group: .program,
      isAllowedInKiosk: false, synonyms: ["background", "pause"], traits: [.keepsSlideshow]),
    CommandEntry(
      .quit, [.character("q")], hint: "quit", importance: 3, help: "Quit", group: .program,
      isAllowedInKiosk: true, synonyms: ["exit", "leave", "close", "end", "bye"],
      traits: [.keepsSlideshow]),
  ])
}
