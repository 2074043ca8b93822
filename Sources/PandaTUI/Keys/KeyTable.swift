internal import TerminalKit

/// Maps keys to commands.
///
/// The keyboard, the hint bar, the help and the tests all use this table.
struct KeyTable: Sendable {
  /// The keys of one command.
  struct Binding: Sendable {
    let command: Command
    let keys: [Key]
    /// A word or two for the hint bar.
    ///
    /// Nil for commands that are not shown there.
    let hint: String?
    /// What the command does, for the help.
    let help: String
    /// Its priority in the hint bar: smaller numbers stay longer when space gets scarce.
    let importance: Int

    init(
      _ command: Command, _ keys: [Key], hint: String? = nil, importance: Int = 99, help: String
    ) {
      self.command = command
      self.keys = keys
      self.hint = hint
      self.help = help
      self.importance = importance
    }
  }

  /// In the order of the help and of the hint bar.
  let bindings: [Binding]
  /// The bindings that are not shown: their keys only say that they are not allowed.
  let withheld: [Binding]

  init(bindings: [Binding], withheld: [Binding] = []) {
    self.bindings = bindings
    self.withheld = withheld
  }

  /// Returns the command of a key, if it has one.
  func command(for key: Key) -> Command? {
    (bindings + withheld).first { $0.keys.contains(key) }?.command
  }

  /// Returns the binding of a command.
  subscript(_ command: Command) -> Binding? {
    bindings.first { $0.command == command }
  }

  /// Returns the label of the first key of a command; empty if it has none.
  func label(of command: Command) -> String { self[command]?.keys.first?.label ?? "" }

  /// Returns a sentence with a hint.
  ///
  /// The sentence stands alone if there is no key or word for it.
  ///
  /// Such as "Stopped fetching. f fetches again".
  func sentence(
    _ sentence: String, separator: String = ". ", then command: Command, _ hint: String
  ) -> String {
    let label = label(of: command)
    return label.isEmpty ? sentence : "\(sentence)\(separator)\(label) \(hint)"
  }

  /// Returns a key's hint as a line of its own.
  ///
  /// Empty if the command has no key.
  func deed(_ command: Command, _ hint: String) -> [String] {
    let label = label(of: command)
    return label.isEmpty ? [] : ["\(label) \(hint)"]
  }

  /// Panda's keys.
  static let standard = KeyTable(bindings: [
    Binding(
      .fetch, [.character("f"), .character("n")], hint: "fetch", importance: 1,
      help: "Fetch another red panda"),
    Binding(
      .back, [.character("b")], hint: "back", importance: 13,
      help: "Go back through what was shown"),
    Binding(
      .favorite, [.character(" ")], hint: "favorite", importance: 2,
      help: "Favorite the picture, or find it among the favorites"),
    Binding(
      .nextPane, [.tab, .backTab], hint: "carousel", importance: 5,
      help: "Go to the favorites, and back to the card"),
    Binding(
      .grid, [.character("v")], hint: "grid", importance: 10,
      help: "See all favorites in a grid on the whole screen, and back"),
    Binding(
      .larger, [.character("+"), .character("=")],
      help: "Make the pictures of the grid, or the enlarged one, larger"),
    Binding(
      .smaller, [.character("-")],
      help: "Make the pictures of the grid, or the enlarged one, smaller"),
    Binding(
      .zoom, [.character("Z")], hint: "zoom", importance: 21,
      help: "See the picture on the whole screen, then pixel by pixel"),
    Binding(
      .mark, [.character("m")], help: "Mark the selected favorite, or with ctrl the clicked one"),
    Binding(
      .markRange, [.character("M")], help: "Mark all from the last mark to the selected one"),
    Binding(
      .markAll, [.character("*")], help: "Mark all favorites that are shown, or none"),
    Binding(
      .show, [.enter], hint: "show", importance: 7, help: "Show the selected favorite on the card"),
    Binding(
      .remove, [.character("x"), .delete], hint: "remove", importance: 8,
      help: "Move the favorite to the trash; there, delete it for good"),
    Binding(
      .undo, [.character("u")], hint: "undo", importance: 6,
      help: "Undo the last change of your favorites"),
    Binding(.redo, [.character("U")], help: "Redo what was undone"),
    Binding(
      .filter, [.character("/")], hint: "filter", importance: 9,
      help: "Filter by caption, #tag, source or date; also is:similar, is:today, in:NAME"),
    Binding(
      .sort, [.character("s")], hint: "sort", importance: 15,
      help: "Sort by newest, oldest, source, caption or size; shuffle a slideshow"),
    Binding(
      .collections, [.character("F")],
      help: "Show one of your collections: filters with names"),
    Binding(
      .caption, [.character("c")], hint: "caption", importance: 11,
      help: "Write a caption under the favorite"),
    Binding(
      .tags, [.character("t")], hint: "tags", importance: 14, help: "Give the favorite tags"),
    Binding(
      .details, [.character("i")], hint: "details", importance: 12,
      help: "Show all details of the picture"),
    Binding(
      .open, [.character("o")], hint: "open", importance: 17, help: "Open it in the browser"),
    Binding(.copyAddress, [.character("y")], help: "Copy its address"),
    Binding(.copyCredit, [.character("Y")], help: "Copy a line that credits its maker"),
    Binding(
      .save, [.character("w")], hint: "save", importance: 18, help: "Save the picture to a file"),
    Binding(
      .shareCard, [.character("W")],
      help: "Save a card to share: the picture, its caption and its credit"),
    Binding(
      .slideshow, [.character("z")], hint: "slideshow", importance: 16,
      help: "Slideshow: new pandas every few seconds, or favorites from the carousel"),
    Binding(
      .clear, [.character("C")], hint: "clear", importance: 20,
      help: "Move all favorites, or all that match, to the trash, after asking"),
    Binding(
      .trash, [.character("T")], hint: "trash", importance: 19,
      help: "Look into the trash, and back"),
    Binding(.hide, [.character("X")], help: "Never show this panda again"),
    Binding(.left, [.left, .character("h")], help: "Move to the left"),
    Binding(.right, [.right, .character("l")], help: "Move to the right"),
    Binding(.up, [.up, .character("k")], help: "Move up"),
    Binding(.down, [.down, .character("j")], help: "Move down"),
    Binding(.first, [.home, .character("g")], help: "Move to the first one"),
    Binding(.last, [.end, .character("G")], help: "Move to the last one"),
    Binding(.pageLeft, [.pageUp], help: "Move a screenful back"),
    Binding(.pageRight, [.pageDown], help: "Move a screenful forward"),
    Binding(
      .sources, [.character("S")],
      help: "List the sources with their health, switch them on or off, test one"),
    Binding(.party, [.character("p")], help: "Party mode: a rainbow over the panda, or none"),
    Binding(
      .problem, [.character("!")], help: "Show the cause of what went wrong last"),
    Binding(
      .cancel, [.escape],
      help: "Stop fetching; unmark; end the filter; leave the trash, the grid or the zoom"),
    Binding(.help, [.character("?")], hint: "help", importance: 4, help: "Show the keys"),
    Binding(.redraw, [.control("l")], help: "Redraw the screen"),
    Binding(.suspend, [.control("z")], help: "Suspend (fg resumes)"),
    Binding(.quit, [.character("q")], hint: "quit", importance: 3, help: "Quit"),
  ])
}

extension Key {
  /// The key as it is displayed.
  var label: String {
    switch self {
    case .character(" "): "space"
    case .character(let character): String(character)
    case .control(let character): "ctrl-\(character)"
    case .alt(let character): "alt-\(character)"
    case .enter: "enter"
    case .tab: "tab"
    case .backTab: "shift-tab"
    case .escape: "esc"
    case .backspace: "backspace"
    case .delete: "del"
    case .insert: "ins"
    case .up: "↑"
    case .down: "↓"
    case .left: "←"
    case .right: "→"
    case .home: "home"
    case .end: "end"
    case .pageUp: "pgup"
    case .pageDown: "pgdn"
    case .function(let number): "F\(number)"
    case .modified(let modifiers, let key):
      (modifiers.contains(.control) ? "ctrl-" : "") + (modifiers.contains(.alt) ? "alt-" : "")
        + (modifiers.contains(.shift) ? "shift-" : "") + key.label
    }
  }
}
