/// A word after `panda` that replaces opening the screen: an entry of `CommandLineTable`.
struct Subcommand: Sendable {
  /// Identifies a subcommand; the raw value is the word.
  enum Name: String, CaseIterable, Hashable, Sendable {
    case fetch, add, list, pick, show, card, caption, tag, open, remove, restore, purge, undo, redo
    case today, export, importing = "import", backup, copy, stats, collections, sources, config
    case watch, doctor, completions, manual
    // Of `panda --plain` alone.
    case back, favorite, clear, hide, sort, trash, tags, details, save, address, credit
    case help, problem, quit
  }

  enum Place: Hashable, Sendable { case shell, plain, both }

  let name: Name
  let place: Place
  /// The options that only this subcommand accepts.
  let options: [CommandLineOption]
  let operands: [CommandLineValue]
  /// Its purpose: a phrase in lower case, without a period.
  let summary: String
  /// Further sentences for its own help and the manual page.
  let discussion: String
  /// The name of a missing required argument, for the error message.
  let missing: String
  /// Whether words with one hyphen are arguments, such as `-snow`.
  let takesHyphenedWords: Bool
  /// Whether it is about the picture that `--plain` described last, if none is named.
  let meansShown: Bool
  /// Whether what follows in a line of `--plain` is text as it is typed, quotes included.
  let takesText: Bool

  init(
    _ name: Name, in place: Place = .shell, options: [CommandLineOption] = [],
    operands: [CommandLineValue] = [], missing: String = "an argument",
    takesHyphenedWords: Bool = false, meansShown: Bool = false, takesText: Bool = false,
    summary: String, discussion: String = ""
  ) {
    self.name = name
    self.place = place
    self.meansShown = meansShown
    self.takesText = takesText
    self.options = options
    self.operands = operands
    self.missing = missing
    self.takesHyphenedWords = takesHyphenedWords
    self.summary = summary
    self.discussion = discussion
  }

  /// The word with its arguments, such as `show FILE`.
  var usage: String {
    ([name.rawValue] + operands.map(\.usage)).joined(separator: " ")
  }

  var operandCount: ClosedRange<Int> {
    operands.count {
      !$0.isOptional
    }...(operands.contains(where: \.repeats) ? .max : operands.count)
  }
}
