/// A word after `panda` that replaces opening the screen: an entry of `CommandLineTable`.
struct Subcommand: Sendable {
  /// Identifies a subcommand; the raw value is the word.
  enum Name: String, CaseIterable, Hashable, Sendable {
    case fetch, add, list, show, card, caption, tag, open, remove, restore, purge, undo, redo
    case today, export, importing = "import", backup, copy, stats, sources, config, watch
    case doctor, completions, manual
  }

  let name: Name
  /// The options that only this subcommand accepts.
  let options: [CommandLineOption]
  /// The positional arguments, in order.
  let operands: [CommandLineValue]
  /// Its purpose: a phrase in lower case, without a period.
  let summary: String
  /// Further sentences for its own help and the manual page.
  let discussion: String
  /// The name of a missing required argument, for the error message.
  let missing: String
  /// Whether words with one hyphen are arguments, such as `-snow`.
  let takesHyphenedWords: Bool

  init(
    _ name: Name, options: [CommandLineOption] = [], operands: [CommandLineValue] = [],
    missing: String = "an argument", takesHyphenedWords: Bool = false, summary: String,
    discussion: String
  ) {
    self.name = name
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

  /// The allowed number of arguments.
  var operandCount: ClosedRange<Int> {
    operands.count {
      !$0.isOptional
    }...(operands.contains(where: \.repeats) ? .max : operands.count)
  }
}
