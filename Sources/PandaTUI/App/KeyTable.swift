/// Which key asks for what: the one table that the keyboard, the hint bar, the help and the tests
/// are made from.
struct KeyTable: Sendable {
  /// The keys of one command.
  struct Binding: Sendable {
    let command: Command
    let keys: [Key]
    /// A word or two for the hint bar; nil for what is not worth the room there.
    let hint: String?
    /// What the command does, for the help.
    let help: String
    /// Where it stands in the hint bar: smaller numbers stay longer when room gets scarce.
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

  /// The command of a key, if it has one.
  func command(for key: Key) -> Command? {
    bindings.first { $0.keys.contains(key) }?.command
  }

  /// The binding of a command.
  subscript(_ command: Command) -> Binding? {
    bindings.first { $0.command == command }
  }

  /// Panda's keys.
  static let standard = KeyTable(bindings: [
    Binding(
      .fetch, [.character("f"), .character("n")], hint: "fetch", importance: 1,
      help: "Fetch another red panda"),
    Binding(
      .favorite, [.character(" ")], hint: "favorite", importance: 2,
      help: "Favorite the picture, or find it among the favorites"),
    Binding(
      .nextPane, [.tab, .backTab], hint: "carousel", importance: 5,
      help: "Go to the favorites, and back to the card"),
    Binding(
      .left, [.left, .character("h")], hint: nil, help: "Move to the favorite on the left"),
    Binding(
      .right, [.right, .character("l")], hint: nil, help: "Move to the favorite on the right"),
    Binding(.first, [.home], help: "Move to the newest favorite"),
    Binding(.last, [.end], help: "Move to the oldest favorite"),
    Binding(.pageLeft, [.pageUp], help: "Move a screenful to the left"),
    Binding(.pageRight, [.pageDown], help: "Move a screenful to the right"),
    Binding(
      .show, [.enter], hint: "show", importance: 7, help: "Show the selected favorite in the card"),
    Binding(
      .remove, [.character("x"), .delete], hint: "remove", importance: 6,
      help: "Remove the favorite: the selected one, or the one in the card"),
    Binding(
      .clear, [.character("C")], hint: "clear", importance: 8,
      help: "Remove all favorites, after asking"),
    Binding(.party, [.character("p")], help: "Party mode: a rainbow over the panda, or none"),
    Binding(.cancel, [.escape], help: "Stop fetching; close what is open"),
    Binding(.help, [.character("?")], hint: "help", importance: 4, help: "Show the keys"),
    Binding(.redraw, [.control("l")], help: "Draw the screen anew"),
    Binding(.suspend, [.control("z")], help: "Stop the program; fg brings it back"),
    Binding(.quit, [.character("q")], hint: "quit", importance: 3, help: "Quit"),
  ])
}

extension Key {
  /// How the key is written for a person.
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
