internal import TerminalKit

/// The help of `panda --plain`: a line for each command, written to be heard.
struct PlainHelp {
  let keys: KeyTable

  /// All commands, after a line that says how to type them.
  var lines: [String] {
    ["Type a command, or an unambiguous beginning of one, and then Enter."]
      + PlainWord.allCases.filter { !keys.withholds($0) }.map(line)
      + (keys.isForKiosk ? [] : PlainCommand.shellCommands.compactMap(line))
  }

  /// Returns the line for a command of the shell.
  private func line(for name: Subcommand.Name) -> String? {
    CommandLineTable.panda[name].map { "\($0.usage): \($0.summary)." }
  }

  /// Returns a line such as "fetch: describes another red panda. Its keys are f and n."
  func line(for word: PlainWord) -> String {
    let line = "\(word.usage): \(word.help)."
    let labels = word.command.flatMap { keys[$0] }?.keys.filter(\.canBeTyped).map(\.label) ?? []
    return switch labels.count {
    case 0: line
    case 1: "\(line) Its key is \(labels[0])."
    default:
      "\(line) Its keys are \(labels.dropLast().joined(separator: ", ")) and \(labels.last!)."
    }
  }
}

extension PlainWord {
  /// The word and its argument, such as "remove, or remove NUMBER".
  var usage: String {
    switch argument {
    case .nothing: rawValue
    case .number: "\(self) NUMBER"
    case .numberOrNothing: "\(self), or \(self) NUMBER"
    case .text(let name): "\(self) \(name)"
    case .textOrNothing(let name): "\(self), or \(self) \(name)"
    }
  }

  /// The effect of the command, without a period.
  var help: String {
    switch self {
    case .fetch: "describes another red panda"
    case .back: "goes back to the one before"
    case .favorite: "keeps the picture that was described last"
    case .remove: "moves a favorite to the trash, the one described last or that of the last list"
    case .clear: "moves all favorites to the trash, after asking"
    case .undo: "undoes the last change of your favorites"
    case .redo: "redoes what was undone"
    case .list: "lists your favorites, or those with a word, a #tag, a source or a date"
    case .show: "describes the picture with this number of the last list"
    case .sort: "lists by newest, oldest, source, caption or size, one after another"
    case .trash: "lists what is in the trash"
    case .restore: "restores the panda with this number in the list of the trash"
    case .caption: "writes a caption under the favorite; without text it takes it away"
    case .tags: "gives the favorite tags, such as sleepy snow; without text it takes them away"
    case .details: "tells all that is known of the picture"
    case .save: "saves the picture to a file that is not there yet"
    case .open: "opens the picture in the browser"
    case .address: "prints the address of the picture"
    case .credit: "prints a line that credits its maker"
    case .hide: "never shows this panda again"
    case .help: "tells what you can type"
    case .problem: "tells the cause of what went wrong last"
    case .quit: "ends the program"
    }
  }
}

extension Key {
  /// Whether the key can be typed as a word.
  fileprivate var canBeTyped: Bool {
    if case .character = self { true } else { false }
  }
}
