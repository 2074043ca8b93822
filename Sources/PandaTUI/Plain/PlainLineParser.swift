internal import PandaCore
internal import TerminalKit

/// Parses lines of `panda --plain`, with the parser and the table of the command line.
struct PlainLineParser {
  private static let table = CommandLineTable.plain
  /// Means the picture that was described last.
  static let shownItem = "this"

  let keys: KeyTable

  /// Parses a line; nil if it is empty.
  ///
  /// It begins with a word in any case, with an unambiguous prefix of one, or with a key of the
  /// screen. They are tried in this order: the whole word, the key, the prefix. A line of a single
  /// character may be any key, even a blank. A number that comes first is the number of a picture
  /// in the last list.
  func parse(_ line: String) throws(UsageError) -> Invocation? {
    let command: Subcommand
    var rest: Substring = ""
    if line.count == 1, let key = line.first, let known = self.command(for: .character(key)) {
      command = known
    } else {
      let text = line.drop { $0.isWhitespace }
      guard !text.isEmpty else { return nil }
      let first = text.prefix { !$0.isWhitespace }
      command = try self.command(typed: String(first))
      rest = text[first.endIndex...]
    }
    var words =
      command.takesText
      ? rest.split(whereSeparator: \.isWhitespace).map(String.init) : Self.words(String(rest))
    try check(command, words)
    complete(&words, of: command)
    return try Invocation(arguments: [command.name.rawValue] + words, table: Self.table)
  }

  /// Adds the picture that is meant, and keeps text from being read as options.
  private func complete(_ words: inout [String], of command: Subcommand) {
    for (index, word) in words.enumerated() {
      // Lists print a period behind their numbers.
      guard command.name.takesItem, word.hasSuffix("."), Int(word.dropLast()) != nil else { break }
      words[index] = String(word.dropLast())
    }
    guard command.meansShown else { return }
    let isNamed =
      command.operands.count > 1
      ? words.first.map { !$0.isEmpty && $0.allSatisfy(\.isASCIIDigit) } == true
      : words.contains { $0 == "--all" || !$0.hasPrefix("-") }
    if !isNamed { words.insert(Self.shownItem, at: 0) }
    guard command.takesText else { return }
    words.insert("--", at: 1)
    // Nothing takes away what is there.
    if words.count == 2, command.name != .save { words.append("") }
  }

  // MARK: Words

  /// Returns the command that a word means.
  func command(typed: String) throws(UsageError) -> Subcommand {
    let lowercased = typed.lowercased()
    if let command = Self.table.subcommand(lowercased) { return command }
    if let key = Key(name: typed), let command = command(for: key) { return command }
    let possible = Self.table.subcommands.filter { $0.name.rawValue.hasPrefix(lowercased) }
    guard let command = possible.first else {
      let shown = typed.sanitized(upTo: 40)
      let nearest = Spelling.nearest(
        to: typed, among: Self.table.subcommands.map(\.name.rawValue))
      throw UsageError(
        problem: "there is no command \(shown.isEmpty ? "like that" : shown). "
          + (nearest.map { "Did you mean \($0)?" } ?? "Type help for the most important ones"))
    }
    guard possible.count == 1 else {
      throw UsageError(
        problem: "type more of \(typed.sanitized(upTo: 40)): it could be "
          + possible.map(\.name.rawValue).alternatives)
    }
    return command
  }

  /// Returns the command that a key of the screen means.
  func command(for key: Key) -> Subcommand? {
    guard let command = keys.command(for: key) else { return nil }
    return Self.table.subcommand(command.rawValue)
      ?? Self.table.subcommands.first { $0.name.screenCommand == command }
  }

  /// Splits a line into words as a shell does: quotes and backslashes keep blanks.
  static func words(_ line: String) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in line {
      switch (isEscaped, quote, character) {
      case (true, _, _):
        word = (word ?? "") + String(character)
        isEscaped = false
      case (_, "'"?, "'"), (_, "\""?, "\""): quote = nil
      case (_, nil, "'"), (_, nil, "\""):
        quote = character
        word = word ?? ""
      case (_, let open, "\\") where open != "'": isEscaped = true
      case (_, nil, let blank) where blank.isWhitespace:
        if let word { words.append(word) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    if let word { words.append(word) }
    return words
  }

  // MARK: Kiosk mode

  /// Refuses in kiosk mode what the screen refuses, all that only the shell has, and options.
  func check(_ command: Subcommand, _ words: [String] = []) throws(UsageError) {
    let isAllowed = isAllowed(command) && (command.name == .tag || !words.contains(where: isOption))
    guard isAllowed else { throw UsageError(problem: "not in kiosk mode") }
  }

  private func isOption(_ word: String) -> Bool { keys.isForKiosk && word.hasPrefix("-") }

  /// Returns whether a command may be used.
  func isAllowed(_ command: Subcommand) -> Bool {
    !keys.isForKiosk || command.name.screenCommand.map { !keys.withholds($0) } == true
  }
}

extension Subcommand.Name {
  /// The command of the screen that does the same; nil if there is none.
  ///
  /// Its keys work in `--plain`, too.
  var screenCommand: Command? {
    switch self {
    case .list: .favorites(.filter)
    case .address: .picture(.copyAddress)
    case .credit: .picture(.copyCredit)
    case .card: .picture(.shareCard)
    case .restore: .favorites(.favorite)
    case .tag: .favorites(.tags)
    // It asks addresses that are typed.
    case .sources: nil
    default: Command(rawValue: rawValue)
    }
  }

  /// Whether numbers of the last list may follow it.
  fileprivate var takesItem: Bool {
    switch self {
    case .undo, .redo, .list, .fetch, .export, .importing, .backup, .add: false
    default: true
    }
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
