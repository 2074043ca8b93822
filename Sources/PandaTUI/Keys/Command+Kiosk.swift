/// The commands of kiosk mode.
extension Command {
  /// Whether it is allowed with `--kiosk`, in front of people who must not leave the screen.
  ///
  /// Not allowed is what starts a program, writes a file outside the library, fills the clipboard,
  /// tells paths, leads to the shell, or puts everything into the trash at once.
  var isAllowedInKiosk: Bool {
    switch self {
    case .open, .copyAddress, .copyCredit, .save, .shareCard, .problem, .suspend: false
    case .clear, .markAll: false
    case .fetch, .back, .favorite, .remove, .undo, .redo: true
    case .nextPane, .show, .left, .right, .up, .down, .first, .last, .pageLeft, .pageRight: true
    case .grid, .larger, .smaller, .zoom, .mark, .markRange: true
    case .filter, .sort, .collections, .trash, .caption, .tags, .details: true
    case .slideshow, .hide, .party, .sources: true
    case .help, .cancel, .redraw, .quit: true
    }
  }
}

extension KeyTable {
  /// The table for kiosk mode: it shows only what is allowed, and withholds the rest.
  var forKiosk: KeyTable {
    KeyTable(
      bindings: bindings.filter(\.command.isAllowedInKiosk),
      withheld: bindings.filter { !$0.command.isAllowedInKiosk })
  }

  /// Whether it is the table of kiosk mode.
  var isForKiosk: Bool { !withheld.isEmpty }

  /// Returns whether a command is not allowed.
  func withholds(_ command: Command) -> Bool { withheld.contains { $0.command == command } }
}
