/// Describes the command line.
///
/// The parser, `--help`, the manual page and the completions are all made from this table.
struct CommandLineTable: Sendable {
  struct Entry: Sendable {
    let term: String
    /// A phrase in lower case, without a period.
    let meaning: String

    init(_ term: String, _ meaning: String) {
      self.term = term
      self.meaning = meaning
    }
  }

  /// The purpose of the program, in one sentence.
  let summary: String
  /// The options that are allowed with and without a subcommand.
  let options: [CommandLineOption]
  let subcommands: [Subcommand]
  let files: [Entry]
  let environment: [Entry]
  let exitStatuses: [Entry]

  /// All options, those of the subcommands included, each name once.
  var allOptions: [CommandLineOption] {
    var names: Set<CommandLineOption.Name> = []
    return (options + subcommands.flatMap(\.options)).filter { names.insert($0.name).inserted }
  }

  func subcommand(_ word: String) -> Subcommand? {
    Subcommand.Name(rawValue: word).flatMap { self[$0] }
  }

  /// Returns whether an option is allowed with a subcommand; nil means without one.
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
