/// A word after `panda` that does something else than open the screen: an entry of
/// `CommandLineTable`.
struct Subcommand: Sendable {
  /// Identifies a subcommand; the raw value is the word.
  enum Name: String, CaseIterable, Hashable, Sendable {
    case doctor, show, sources, completions, manual
  }

  let name: Name
  /// The options that only this subcommand takes.
  let options: [CommandLineOption]
  /// The positional arguments, in order.
  let operands: [CommandLineValue]
  /// What it does: a phrase in lower case, without a full stop.
  let summary: String
  /// What else there is to know: sentences, for its own help and the manual page.
  let discussion: String
  /// What is missing when a required argument is, for the error message.
  let missing: String

  init(
    _ name: Name, options: [CommandLineOption] = [], operands: [CommandLineValue] = [],
    missing: String = "an argument", summary: String, discussion: String
  ) {
    self.name = name
    self.options = options
    self.operands = operands
    self.missing = missing
    self.summary = summary
    self.discussion = discussion
  }

  /// The word with its arguments: `show FILE`.
  var usage: String {
    ([name.rawValue] + operands.map(\.usage)).joined(separator: " ")
  }

  /// How many arguments it takes.
  var operandCount: ClosedRange<Int> {
    operands.count {
      !$0.isOptional
    }...(operands.contains(where: \.repeats) ? .max : operands.count)
  }
}
