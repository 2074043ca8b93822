/// Describes the command line.
///
/// The parser, `--help`, the manual page and the completions are all made from this table.
package struct CommandLineTable: Sendable {
  struct Entry: Sendable {
    let term: String
    /// A phrase in lower case, without a period.
    let meaning: String

    init(_ term: String, _ meaning: String) {
      self.term = term
      self.meaning = meaning
    }
  }

  /// Commands that belong together, for the overview of `--help`.
  struct Group: Sendable {
    let heading: String
    let commands: [Subcommand]

    init(_ heading: String, _ commands: [Subcommand]) {
      self.heading = heading
      self.commands = commands
    }
  }

  /// The purpose of the program, in one sentence.
  let summary: String
  /// The options that are allowed with and without a subcommand.
  let options: [CommandLineOption]
  let groups: [Group]
  let files: [Entry]
  let environment: [Entry]
  let exitStatuses: [Entry]

  var subcommands: [Subcommand] { groups.flatMap(\.commands) }

  var names: [String] { subcommands.map(\.name) }

  /// All options, those of the subcommands included, each name once.
  var allOptions: [CommandLineOption] {
    var names: Set<String> = []
    return (options + subcommands.flatMap(\.options)).filter { names.insert($0.name).inserted }
  }

  func subcommand(_ word: String) -> Subcommand? { subcommands.first { $0.name == word } }

  /// Returns whether an option is allowed with a subcommand; nil means without one.
  func accepts(_ option: CommandLineOption, with subcommand: Subcommand?) -> Bool {
    (options + (subcommand?.options ?? [])).contains { $0.name == option.name }
  }
}
