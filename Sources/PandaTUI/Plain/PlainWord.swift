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
    case .fetch: .card(.fetch)
    case .back: .card(.back)
    case .favorite: .favorites(.favorite)
    case .remove: .favorites(.remove)
    case .clear: .favorites(.clear)
    case .undo: .favorites(.undo)
    case .redo: .favorites(.redo)
    case .list: .favorites(.filter)
    case .show: .favorites(.show)
    case .sort: .favorites(.sort)
    case .trash: .favorites(.trash)
    case .restore: nil
    case .caption: .favorites(.caption)
    case .tags: .favorites(.tags)
    case .details: .picture(.details)
    case .save: .picture(.save)
    case .open: .picture(.open)
    case .address: .picture(.copyAddress)
    case .credit: .picture(.copyCredit)
    case .hide: .card(.hide)
    case .help: .program(.help)
    case .problem: .program(.problem)
    case .quit: .program(.quit)
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
