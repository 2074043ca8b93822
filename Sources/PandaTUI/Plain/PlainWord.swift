/// The first word of a line of `panda --plain`.
enum PlainWord: String, CaseIterable, Hashable, Sendable {
  case fetch, back, favorite, remove, clear, undo, redo
  case list, show, sort, trash, restore
  case caption, tags, details
  case save, open, address, credit
  case hide, help, problem, quit

  /// The argument after the word.
  enum Argument: Hashable, Sendable {
    case nothing
    /// The number of a picture in the last list.
    case number
    /// A number, or nothing for the picture that was described last.
    case numberOrNothing
    /// A required text.
    case text(String)
    /// An optional text.
    case textOrNothing(String)
  }

  var argument: Argument {
    switch self {
    case .show, .restore: .number
    case .remove: .numberOrNothing
    case .list: .textOrNothing("FILTER")
    case .caption, .tags: .textOrNothing("TEXT")
    case .save: .text("FILE")
    case .help: .textOrNothing("COMMAND")
    default: .nothing
    }
  }

  /// The screen's command for the same action; nil if there is none.
  ///
  /// Its keys work here too.
  var command: Command? {
    switch self {
    case .fetch: .fetch
    case .back: .back
    case .favorite: .favorite
    case .remove: .remove
    case .clear: .clear
    case .undo: .undo
    case .redo: .redo
    case .list: .filter
    case .show: .show
    case .sort: .sort
    case .trash: .trash
    case .restore: nil
    case .caption: .caption
    case .tags: .tags
    case .details: .details
    case .save: .save
    case .open: .open
    case .address: .copyAddress
    case .credit: .copyCredit
    case .hide: .hide
    case .help: .help
    case .problem: .problem
    case .quit: .quit
    }
  }

  /// Returns the word for a screen command; nil if only a screen supports it.
  init?(_ command: Command) {
    guard let word = Self.allCases.first(where: { $0.command == command }) else { return nil }
    self = word
  }
}

extension KeyTable {
  /// Returns whether a word is not allowed, as the screen's command is not.
  func withholds(_ word: PlainWord) -> Bool { word.command.map { withholds($0) } ?? false }
}
