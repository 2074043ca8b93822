/// What the command line offers: the one table that the parser, `--help`, the manual page and the
/// shells' completions are made from.
struct CommandLineTable: Sendable {
  /// A term and what it means.
  struct Entry: Sendable {
    let term: String
    /// A phrase in lower case, without a full stop.
    let meaning: String

    init(_ term: String, _ meaning: String) {
      self.term = term
      self.meaning = meaning
    }
  }

  /// What the program does, in a sentence.
  let summary: String
  /// The options that the program takes with and without a subcommand.
  let options: [CommandLineOption]
  let subcommands: [Subcommand]
  /// The directories and files that the program uses.
  let files: [Entry]
  /// The environment variables that it reads.
  let environment: [Entry]
  let exitStatuses: [Entry]

  /// All options, those of the subcommands included.
  var allOptions: [CommandLineOption] { options + subcommands.flatMap(\.options) }

  /// Whether an option may be given with a subcommand, or without one if it is nil.
  func accepts(_ option: CommandLineOption.Name, with subcommand: Subcommand?) -> Bool {
    (options + (subcommand?.options ?? [])).contains { $0.name == option }
  }

  subscript(_ name: Subcommand.Name) -> Subcommand? {
    subcommands.first { $0.name == name }
  }

  subscript(_ name: CommandLineOption.Name) -> CommandLineOption? {
    allOptions.first { $0.name == name }
  }
}
