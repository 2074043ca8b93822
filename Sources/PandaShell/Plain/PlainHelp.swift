internal import PandaSession
internal import TerminalKit

extension PlainHelp {
  static let subcommand = Subcommand(
    "help", in: .plain, like: .program(.help), operands: HelpText.subcommand.operands,
    summary: HelpText.subcommand.summary
  ) { arguments in
    .answering { conversation in
      try PlainHelp(parser: conversation.parser).print(
        about: arguments.words.first, to: conversation.output)
    }
  }
}

/// The help of `panda --plain`: a line for each command, written to be heard.
struct PlainHelp {
  let parser: PlainLineParser

  /// Prints the help about a command; nil means the most important ones, and `all` the others.
  @MainActor
  func print(about word: String?, to output: Output) throws {
    var lines = word == nil ? self.lines : otherLines
    if let word, word != "all" { lines = [line(for: try parser.command(typed: word))] }
    for line in lines { try output.print(line) }
  }

  /// The commands that most users need.
  private static let first = [
    "fetch", "favorite", "list", "show", "remove", "undo", "help", "quit",
  ]

  private let commands = CommandLineTable.plain.subcommands

  /// The most important commands, after a line that says how to type them.
  var lines: [String] {
    ["Type a command, or an unambiguous beginning of one, and then Enter."]
      + Self.first.compactMap { name in commands.first { $0.name == name }.map(line(for:)) }
      + ["help all: tell the other \(commands.count - Self.first.count) commands."]
  }

  /// The other commands, after a line about what they name.
  var otherLines: [String] {
    ["An ID is a number of the last list; without one, the panda described last is meant."]
      + commands.filter { !Self.first.contains($0.name) }.map(line(for:))
  }

  /// Returns a line such as "fetch: fetch a red panda, or several. Its keys are f and n."
  func line(for command: Subcommand) -> String {
    let line = "\(command.heardUsage): \(command.summary)."
    let keys = command.screenCommand.flatMap { parser.keys[$0] }?.keys ?? []
    let labels = keys.filter {
      $0.canBeTyped && parser.command(for: $0)?.name == command.name
    }.map(\.label)
    return switch labels.count {
    case 0: line
    case 1: "\(line) Its key is \(labels[0])."
    default:
      "\(line) Its keys are \(labels.dropLast().joined(separator: ", ")) and \(labels.last!)."
    }
  }
}

extension Subcommand {
  /// The command with its arguments, such as "remove, or remove ID".
  fileprivate var heardUsage: String {
    let isAlone = meansShown || operands.first?.isOptional != false
    let words = operands.map { $0.placeholder.split(separator: "|").joined(separator: " or ") }
    guard let others = words.isEmpty ? nil : words.joined(separator: " ") else {
      return name
    }
    return isAlone
      ? "\(name), or \(name) \(others)" : "\(name) \(others)"
  }
}

extension Key {
  /// Whether the key can be typed as a word.
  fileprivate var canBeTyped: Bool {
    if case .character = self { true } else { false }
  }
}
