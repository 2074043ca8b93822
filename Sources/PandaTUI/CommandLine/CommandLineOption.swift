/// An option of the command line: an entry of `CommandLineTable`.
struct CommandLineOption: Sendable {
  /// Identifies an option; the raw value is what follows the two hyphens.
  enum Name: String, CaseIterable, Hashable, Sendable {
    case source, graphics, config, plain, help, version, verbose, size, json
    case dataDirectory = "data-dir"
    case noMouse = "no-mouse"
  }

  let name: Name
  /// The letter that means the same, after one hyphen.
  let letter: Character?
  /// The value that the option takes; nil for a switch.
  let value: CommandLineValue?
  /// What the option does: a phrase in lower case, without a full stop.
  let help: String

  init(
    _ name: Name, letter: Character? = nil, value: CommandLineValue? = nil, help: String
  ) {
    self.name = name
    self.letter = letter
    self.value = value
    self.help = help
  }

  /// The option as it is typed: `--source`.
  var spelling: String { "--\(name.rawValue)" }
}

/// A value on the command line: what an option takes, or a positional argument of a subcommand.
struct CommandLineValue: Sendable {
  /// What the shell may complete it with.
  enum Completion: Hashable, Sendable {
    case files, directories, words([String]), nothing
  }

  /// The word that stands for it in a usage line: `FILE`.
  let placeholder: String
  let completion: Completion
  /// Whether it may be left out.
  ///
  /// An option's value is always required.
  let isOptional: Bool
  /// Whether more of the same may follow.
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

  /// How it is written in a usage line: `FILE`, `[FILE]`, `FILE...`.
  var usage: String {
    // A placeholder of several words is written out, whatever may be repeated in it.
    let name = placeholder + (repeats && !placeholder.contains(" ") ? "..." : "")
    return isOptional ? "[\(name)]" : name
  }
}
