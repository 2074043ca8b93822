internal import TerminalKit

/// The command in a line of `panda --plain`.
enum PlainCommand: Hashable, Sendable {
  case fetch, back, favorite
  /// The picture with a number in the last list, or the last described one.
  case remove(Int?)
  case clear, undo, redo
  /// The favorites that match a filter; an empty one matches all.
  case list(String)
  case show(Int)
  case sort, trash
  case restore(Int)
  /// An empty text removes the caption.
  case caption(String)
  /// An empty text removes the tags.
  case tags(String)
  case details
  case save(String)
  case open, address, credit, hide
  /// All commands, or a single one.
  case help(PlainWord?)
  case problem, quit
  /// A command of the shell, with its options.
  case shell(LibraryRequest, Options)
}

extension PlainCommand {
  /// Parses a line; nil if it is empty.
  ///
  /// It begins with a word in any case, with an unambiguous prefix of one, or with a key of the
  /// screen. They are tried in this order: the whole word, the key, the prefix. A line of a single
  /// character may be any key, even a blank.
  ///
  /// - Parameter keys: the keys of the commands.
  init?(line: String, keys: KeyTable) throws(PlainMistake) {
    if line.count == 1, let key = line.first,
      let word = keys.command(for: .character(key)).flatMap(PlainWord.init)
    {
      if keys.withholds(word) { throw .notInKiosk }
      self = try Self.command(word, "")
      return
    }
    let text = line.drop { $0.isWhitespace }
    guard !text.isEmpty else { return nil }
    let first = text.prefix { !$0.isWhitespace }
    if let command = try Self.shell(String(first), in: String(text), keys) {
      self = command
      return
    }
    let word = try PlainWord(typed: String(first), keys: keys)
    var rest = text[first.endIndex...].drop { $0.isWhitespace }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    if word == .help, !rest.isEmpty {
      self = .help(try PlainWord(typed: String(rest), keys: keys))
    } else {
      self = try Self.command(word, String(rest))
    }
  }

  private static func command(
    _ word: PlainWord, _ rest: String
  ) throws(PlainMistake) -> PlainCommand {
    switch word.argument {
    case .nothing where !rest.isEmpty: throw .tooMuch(word)
    case .text where rest.isEmpty: throw .tooLittle(word)
    default: break
    }
    return switch word {
    case .fetch: .fetch
    case .back: .back
    case .favorite: .favorite
    case .remove: .remove(rest.isEmpty ? nil : try number(rest, word))
    case .clear: .clear
    case .undo: .undo
    case .redo: .redo
    case .list: .list(rest)
    case .show: .show(try number(rest, word))
    case .sort: .sort
    case .trash: .trash
    case .restore: .restore(try number(rest, word))
    case .caption: .caption(rest)
    case .tags: .tags(rest)
    case .details: .details
    case .save: .save(rest)
    case .open: .open
    case .address: .address
    case .credit: .credit
    case .hide: .hide
    case .help: .help(nil)
    case .problem: .problem
    case .quit: .quit
    }
  }

  /// Parses the number of a picture as lists print it, with or without the period.
  private static func number(_ text: String, _ word: PlainWord) throws(PlainMistake) -> Int {
    guard !text.isEmpty else { throw .tooLittle(word) }
    guard let number = Int(text.hasSuffix(".") ? String(text.dropLast()) : text), number > 0 else {
      throw .notANumber(text, word)
    }
    return number
  }
}

extension PlainWord {
  /// Parses the first word of a line.
  init(typed: String, keys: KeyTable) throws(PlainMistake) {
    self = try Self.word(typed, keys)
    if keys.withholds(self) { throw .notInKiosk }
  }

  private static func word(_ typed: String, _ keys: KeyTable) throws(PlainMistake) -> PlainWord {
    let lowercased = typed.lowercased()
    if let word = Self(rawValue: lowercased) { return word }
    if let word = Key(name: typed).flatMap(keys.command).flatMap(Self.init) { return word }
    let possible = Self.allCases.filter { $0.rawValue.hasPrefix(lowercased) }
    guard let word = possible.first else {
      throw .unknown(
        typed, nearest: Spelling.nearest(to: typed, among: Self.allCases.map(\.rawValue)))
    }
    guard possible.count == 1 else { throw .ambiguous(typed, possible) }
    return word
  }
}
