internal import TerminalKit

/// The reason why a line of `panda --plain` is not a valid command.
enum PlainMistake: Error, UsageMistake, Hashable, Sendable, CustomStringConvertible {
  case unknown(String, nearest: String?)
  case ambiguous(String, [PlainWord])
  case tooMuch(PlainWord)
  case tooLittle(PlainWord)
  case notANumber(String, PlainWord)
  case notInKiosk
  /// A wrong command of the shell: the problem, without a period.
  case shell(String)

  /// One or two sentences; text that they quote from the line is sanitized and short.
  var description: String {
    switch self {
    case .unknown(let typed, let nearest?):
      "\(Self.shown(typed)) is not a command. Did you mean \(nearest)?"
    case .unknown(let typed, nil):
      "\(Self.shown(typed)) is not a command. Type \(PlainWord.help) for all of them."
    case .ambiguous(let typed, let words):
      "\(Self.shown(typed)) could be \(Self.list(words.map(\.rawValue))). Type more of it."
    case .tooMuch(let word): "Nothing follows \(word). Type it alone."
    case .tooLittle(let word): "Something is missing after \(word). Type \(word.usage)."
    case .notANumber(let typed, let word):
      "\(Self.shown(typed)) is not the number of a picture. Type \(word.usage)."
    case .notInKiosk: "Not in kiosk mode."
    case .shell(let problem): "\(problem.prefix(1).uppercased())\(problem.dropFirst())."
    }
  }

  private static func shown(_ typed: String) -> String {
    let shown = typed.sanitized(upTo: 40)
    return shown.isEmpty ? "That" : shown
  }

  /// Such as "remove, redo or restore".
  private static func list(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return "\(words.dropLast().joined(separator: ", ")) or \(last)"
  }
}
