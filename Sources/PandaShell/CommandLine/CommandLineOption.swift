/// An option of a subcommand, or of all; the parser, the help and the completions read it.
struct CommandLineOption: Sendable {
  /// Its long name, without the two hyphens.
  let name: String
  let letter: Character?
  /// The value that the option takes; nil for a switch.
  let value: CommandLineValue?
  /// Its effect: a phrase in lower case, without a period.
  let help: String

  init(
    _ name: String, letter: Character? = nil, value: CommandLineValue? = nil, help: String
  ) {
    self.name = name
    self.letter = letter
    self.value = value
    self.help = help
  }

  var spelling: String { "--\(name)" }
}

/// A value on the command line.
///
/// It belongs to an option, or is a positional argument of a subcommand.
struct CommandLineValue: Sendable {
  enum Completion: Sendable {
    case files, directories, nothing
    case words(@Sendable () -> [String])
  }

  /// Its placeholder in a usage line, such as `FILE`.
  let placeholder: String
  let completion: Completion
  /// Whether it may be omitted.
  ///
  /// An option's value is always required.
  let isOptional: Bool
  let repeats: Bool

  init(
    _ placeholder: String, _ completion: Completion = .nothing, isOptional: Bool = false,
    repeats: Bool = false
  ) {
    self.placeholder = placeholder
    self.completion = completion
    self.isOptional = isOptional
    self.repeats = repeats
  }

  static let id = CommandLineValue("ID")

  /// Its form in a usage line: `FILE`, `[FILE]`, `FILE...`.
  var usage: String {
    // A placeholder of several words is printed in full, whichever of them may be repeated.
    let name = placeholder + (repeats && !placeholder.contains(" ") ? "..." : "")
    return isOptional ? "[\(name)]" : name
  }
}

// The options that mean the same for several subcommands.
extension CommandLineOption {
  static let json = CommandLineOption("json", help: "print JSON, one object a line")

  static let number = CommandLineOption(
    "number", letter: "n", value: CommandLineValue("N"), help: "at most N pictures")

  static let size = CommandLineOption(
    "size", value: CommandLineValue("COLUMNSxROWS"),
    help: "use at most this many columns and rows, such as 80x24")

  static let zero = CommandLineOption(
    "null", letter: "0", help: "end each entry with a zero byte, for xargs -0")

  static let allMatching = CommandLineOption(
    "all", help: "all favorites that match the filter, or all without one")

  static let allTrashed = CommandLineOption("all", help: "everything in the trash")

  static let replacing = CommandLineOption("replace", help: "replace the file if it exists")
}
