internal import PandaSession
internal import TerminalKit

/// Parses lines of `panda --plain`, with the parser and the table of the command line.
struct PlainLineParser {
  private static let table = CommandLineTable.plain

  let keys: KeyTable

  /// Returns the arguments of a command line that a line stands for; nil if it is empty.
  ///
  /// It begins with a word in any case, with an unambiguous prefix of one, or with a key of the
  /// screen, or another name that its help has for one, such as "keep". They are tried in this
  /// order: the whole word, the key, the other name, the prefix. A line of a single
  /// character may be any key, even a blank. A number that comes first is the number of a picture
  /// in the last list.
  func arguments(of line: String) throws(UsageError) -> [String]? {
    let command: Subcommand
    var rest: Substring = ""
    if line.count == 1, let key = line.first, asksForRandom(key) {
      return try arguments(of: "today --random")
    }
    if line.count == 1, let key = line.first, let known = self.command(for: .character(key)) {
      command = known
    } else {
      let text = line.drop { $0.isWhitespace }
      guard !text.isEmpty else { return nil }
      let first = text.prefix { !$0.isWhitespace }
      command = try self.command(typed: String(first))
      rest = text[first.endIndex...]
    }
    return [command.name] + words(rest, of: command)
  }

  /// Returns whether a key shows a random favorite, which no command of one word does.
  private func asksForRandom(_ key: Character) -> Bool {
    keys.command(for: .character(key)) == .favorites(.random)
  }

  /// Returns the arguments in the rest of a line, with the picture that is meant.
  private func words(_ rest: Substring, of command: Subcommand) -> [String] {
    let text = rest.drop { $0.isWhitespace }
    if command.meansShown, text == "--all" || text.hasPrefix("--all ") {
      return Self.words(String(text))
    }
    if command.takesText, command.meansShown {
      // A number, an ID or "this" is the picture; the others are text, as they are typed.
      let first = text.prefix { !$0.isWhitespace }
      let isNamed = Self.names(String(first))
      var others = isNamed ? text[first.endIndex...].drop { $0.isWhitespace } : text
      while others.last?.isWhitespace == true { others.removeLast() }
      let item = isNamed ? String(first) : Conversation.shownItem
      // Without text it takes away what the picture described last has.
      let isText = !others.isEmpty || !isNamed && command.name != "save"
      return [item, "--"] + (isText ? [String(others)] : [])
    }
    if command.takesText {
      return text.split(whereSeparator: \.isWhitespace).map(String.init)
    }
    var words = Self.words(String(text)).map { word in
      // Lists print a period behind their numbers.
      word.hasSuffix(".") && Int(word.dropLast()) != nil ? String(word.dropLast()) : word
    }
    let isNamed = command.operands.count > 1 ? Self.names(words.first ?? "") : !words.isEmpty
    if command.meansShown, !isNamed { words.insert(Conversation.shownItem, at: 0) }
    return words
  }

  /// Returns whether a word in front of others is a picture: a number of a list, or an ID.
  private static func names(_ word: String) -> Bool {
    if word == Conversation.shownItem { return true }
    let isNumber = !word.isEmpty && word.allSatisfy { $0.isASCII && $0.isNumber }
    return isNumber || word.count >= Conversation.leastDigitsOfID && word.allSatisfy(\.isHexDigit)
  }

  // MARK: Words

  func command(typed: String) throws(UsageError) -> Subcommand {
    let lowercased = typed.lowercased()
    if let command = Self.table.subcommand(lowercased) { return command }
    if let key = Key(name: typed), let command = command(for: key) { return command }
    // Of the others, which help finds, some would do something else than what is meant.
    let meant = keys.bindings.first { binding in
      [.card(.fetch), .favorites(.favorite), .program(.quit)].contains(binding.command)
        && binding.synonyms.contains(lowercased)
    }
    if let command = meant.flatMap({ Self.command(for: $0.command) }) { return command }
    let possible = Self.table.subcommands.filter { $0.name.hasPrefix(lowercased) }
    guard let command = possible.first else {
      let shown = typed.sanitized(upTo: 40)
      let nearest = Spelling.nearest(to: typed, among: Self.table.names)
      throw UsageError(
        problem: "there is no command \(shown.isEmpty ? "like that" : shown). "
          + (nearest.map { "Did you mean \($0)?" } ?? "Type help for the most important ones"))
    }
    guard possible.count == 1 else {
      throw UsageError(
        problem: "type more of \(typed.sanitized(upTo: 40)): it could be "
          + possible.map(\.name).alternatives)
    }
    return command
  }

  /// Returns the command that a key of the screen means.
  func command(for key: Key) -> Subcommand? {
    keys.command(for: key).flatMap { Self.command(for: $0) }
  }

  private static func command(for command: Command) -> Subcommand? {
    table.subcommand(command.rawValue) ?? table.subcommands.first { $0.screenCommand == command }
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
}

extension CommandLineTable {
  /// The commands of a line of `panda --plain`; there a number of the last list is an ID.
  static let plain: CommandLineTable = {
    let shared = panda.subcommands.filter { $0.place == .both }
    let own = ConversationCommands.all + PlainPictureCommands.all + [PlainHelp.subcommand]
    return CommandLineTable(
      summary: panda.summary, options: [.help], groups: [Group("Lines", shared + own)],
      files: [], environment: [], exitStatuses: [])
  }()
}
