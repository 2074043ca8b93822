internal import TerminalKit

/// The help of `panda --plain`: a line for each command, written to be heard.
struct PlainHelp {
  let parser: PlainLineParser

  /// The commands that most users need.
  private static let first: [Subcommand.Name] = [
    .fetch, .favorite, .list, .show, .remove, .undo, .help, .quit,
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
    let keys = command.name.screenCommand.flatMap { parser.keys[$0] }?.keys ?? []
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
      return name.rawValue
    }
    return isAlone
      ? "\(name.rawValue), or \(name.rawValue) \(others)" : "\(name.rawValue) \(others)"
  }
}

extension Key {
  /// Whether the key can be typed as a word.
  fileprivate var canBeTyped: Bool {
    if case .character = self { true } else { false }
  }
}
