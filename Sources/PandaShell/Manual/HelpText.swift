package import PandaSession
internal import TerminalKit

extension HelpText {
  static let subcommand = Subcommand(
    "help",
    operands: [
      CommandLineValue(
        "COMMAND|all", .words { CommandLineTable.panda.names.sorted() + ["all"] },
        isOptional: true)
    ],
    summary: "explain a command, or tell what you can type",
    discussion: "Explains a command, as --help after it does. Without one, prints the most "
      + "needed; with all, every command, option, file, variable and exit status."
  ) { arguments throws(UsageError) in .text(try HelpText().text(about: arguments.words.first)) }
}

/// The output of `--help` for the program or a subcommand.
package struct HelpText {
  let table: CommandLineTable
  let keys: KeyTable

  package init(table: CommandLineTable = .panda, keys: KeyTable = .standard) {
    self.table = table
    self.keys = keys
  }

  private static let width = 80

  /// The help for the program: the most needed, on one screen.
  package var text: String {
    var usage = ["Usage: panda [OPTION...] [COMMAND | DIRECTORY]", ""]
    let opening =
      "\(table.summary) Without a command, panda opens its screen: "
      + "\(keys.label(of: .card(.fetch))) fetches another panda, "
      + "\(keys.label(of: .favorites(.favorite))) keeps it, "
      + "\(keys.label(of: .program(.help))) shows all keys, "
      + "\(keys.label(of: .program(.quit))) quits. With a DIRECTORY, it shows the pictures in it."
    usage += opening.wrapped(to: Self.width)
    let commands = table.groups.map { group in
      CommandLineTable.Entry(group.heading, group.commands.map(\.name).joined(separator: ", "))
    }
    let options = Self.mostNeeded.map { $0.entry(isBrief: true) }
    let more = [
      CommandLineTable.Entry("panda help COMMAND", "explains a command"),
      CommandLineTable.Entry("panda help all", "lists all commands, options and files"),
      CommandLineTable.Entry("man panda", "has everything; man panda-config has the settings"),
    ]
    return Self.joined([
      usage,
      section("Commands", commands, column: 21),
      section("Options", options, column: 21),
      section("More", more, column: 22),
    ])
  }

  /// The options of ``text``.
  private static let mostNeeded: [CommandLineOption] = [
    .source, .graphics, .dataDirectory, .plain, .help, .version,
  ]

  var wholeText: String {
    let commands = table.subcommands.map { CommandLineTable.Entry($0.usage, $0.summary) }
    return Self.joined([
      section("Commands", commands, column: 21),
      section("Options", table.options.map { $0.entry() }, column: 21),
      section("Files", table.files, column: 25),
      section("Environment", table.environment, column: 25),
      section("Exit status", table.exitStatuses, column: 9),
    ])
  }

  /// Returns the help that `panda help` prints.
  ///
  /// - Parameter word: a command or `all`; nil means the program.
  /// - Throws: `UsageError` for any other word.
  func text(about word: String?) throws(UsageError) -> String {
    guard let word else { return text }
    guard word != "all" else { return wholeText }
    if let subcommand = table.subcommand(word) { return text(of: subcommand) }
    let nearest = Spelling.nearest(to: word, among: table.names)
    throw UsageError(
      problem: "there is no command \(word.forMessage)"
        + (nearest.map { "; did you mean panda help \($0)" } ?? ""))
  }

  /// Joins sections with an empty line between them.
  private static func joined(_ sections: [[String]]) -> String {
    sections.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
  }

  package func text(of subcommand: Subcommand) -> String {
    var words = ["Usage: panda \(subcommand.name)"]
    if !subcommand.options.isEmpty { words.append("[OPTION...]") }
    words += subcommand.operands.map(\.usage)
    let usage = [words.joined(separator: " "), ""] + subcommand.discussion.wrapped(to: Self.width)
    let own =
      subcommand.options.isEmpty
      ? [] : [section("Options", subcommand.options.map { $0.entry() }, column: 21)]
    let more = ["panda help all lists the options that all commands take."]
    return Self.joined([usage] + own + [more])
  }

  /// Returns a heading, and entries in two columns; the second begins at `column`.
  private func section(
    _ heading: String, _ entries: [CommandLineTable.Entry], column: Int
  ) -> [String] {
    var lines = ["\(heading):"]
    let indent = String(repeating: " ", count: column)
    for entry in entries {
      let term = "  \(entry.term)"
      var meaning = entry.meaning.wrapped(to: Self.width - column)
      // A term that is too long for its column gets its own line.
      if term.columns >= column {
        lines.append(term)
      } else {
        lines.append(term.padded(to: column) + meaning.removeFirst())
      }
      lines += meaning.map { indent + $0 }
    }
    return lines
  }
}

extension CommandLineOption {
  /// Returns the option with its value and its effect.
  ///
  /// - Parameter isBrief: whether the effect is shortened to its first words.
  fileprivate func entry(isBrief: Bool = false) -> CommandLineTable.Entry {
    let letter = letter.map { "-\($0), " } ?? ""
    let argument = value.map { " \($0.placeholder)" } ?? ""
    let meaning = isBrief ? String(help.prefix { !",:;".contains($0) }) : help
    return .init("\(letter)\(spelling)\(argument)", meaning)
  }
}
