struct CommandLineOption: Sendable {
  /// Identifies an option; the raw value is its long name, without the two hyphens.
  enum Name: String, CaseIterable, Hashable, Sendable {
    case source, graphics, config, plain, log, help, version, verbose, size, json
    case number, output, keep, show, ids, paths, null, sort, trash, bytes, all, yes, replace
    case greeting, random, path, one, quiet, library, from, to, check
    case dataDirectory = "data-dir"
    case noMouse = "no-mouse"
    case withoutMetadata = "without-metadata"
  }

  let name: Name
  let letter: Character?
  /// The value that the option takes; nil for a switch.
  let value: CommandLineValue?
  /// Its effect: a phrase in lower case, without a period.
  let help: String

  init(
    _ name: Name, letter: Character? = nil, value: CommandLineValue? = nil, help: String
  ) {
    self.name = name
    self.letter = letter
    self.value = value
    self.help = help
  }

  var spelling: String { "--\(name.rawValue)" }
}

/// A value on the command line.
///
/// It belongs to an option, or is a positional argument of a subcommand.
struct CommandLineValue: Sendable {
  enum Completion: Hashable, Sendable {
    case files, directories, words([String]), nothing
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

  /// Its form in a usage line: `FILE`, `[FILE]`, `FILE...`.
  var usage: String {
    // A placeholder of several words is printed in full, whichever of them may be repeated.
    let name = placeholder + (repeats && !placeholder.contains(" ") ? "..." : "")
    return isOptional ? "[\(name)]" : name
  }
}
