internal import TerminalKit

/// The output of `--help` for the program or a subcommand.
struct HelpText {
  let table: CommandLineTable
  let keys: KeyTable

  init(table: CommandLineTable = .panda, keys: KeyTable = .standard) {
    self.table = table
    self.keys = keys
  }

  /// The maximum number of columns of a line.
  private static let width = 80

  /// The help for the program.
  var text: String {
    var usage = ["Usage: panda [OPTION...] [COMMAND | DIRECTORY]", ""]
    usage += table.summary.wrapped(to: Self.width)
    // What packages run, and few people, is in the manual page only.
    let commands = table.subcommands.filter { ![.completions, .manual].contains($0.name) }
      .map { CommandLineTable.Entry($0.usage, $0.summary) }
    let settings = Configuration.Setting.allCases.map { setting in
      let documentation = setting.documentation
      return CommandLineTable.Entry(
        setting.rawValue, "\(documentation.values): \(documentation.summary)")
    }
    return Self.joined([
      usage,
      section("Commands", commands, column: 21),
      section("Options", table.options.map(\.entry), column: 21),
      section("Keys (? shows them in the program)", keyEntries, column: 16),
      section("Files", table.files, column: 25),
      section(
        "Settings, such as { reduceMotion: true, keys: { fetch: [\"f\", \"n\"] } }", settings,
        column: 21),
      section("Environment", table.environment, column: 25),
      section("Exit status", table.exitStatuses, column: 9),
    ])
  }

  /// Joins sections with an empty line between them.
  private static func joined(_ sections: [[String]]) -> String {
    sections.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
  }

  /// Returns the help for a subcommand.
  func text(of name: Subcommand.Name) -> String {
    guard let subcommand = table[name] else { return text }
    var words = ["Usage: panda \(name.rawValue)"]
    if !subcommand.options.isEmpty { words.append("[OPTION...]") }
    words += subcommand.operands.map(\.usage)
    let usage = [words.joined(separator: " "), ""] + subcommand.discussion.wrapped(to: Self.width)
    let own =
      subcommand.options.isEmpty
      ? [] : [section("Options", subcommand.options.map(\.entry), column: 21)]
    let more = ["panda --help shows the options that all commands take."]
    return Self.joined([usage] + own + [more])
  }

  private var keyEntries: [CommandLineTable.Entry] {
    keys.bindings.map { binding in
      .init(binding.keys.map(\.label).joined(separator: " ").drawable, binding.help)
    }
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
  /// The option with its value and its effect.
  fileprivate var entry: CommandLineTable.Entry {
    let letter = letter.map { "-\($0), " } ?? ""
    let argument = value.map { " \($0.placeholder)" } ?? ""
    return .init("\(letter)\(spelling)\(argument)", help)
  }
}
