internal import TerminalKit

/// The commands of the shell in `panda --plain`.
extension PlainCommand {
  /// Those that have no word of their own here, and an end.
  static let shellCommands: [Subcommand.Name] = [
    .add, .card, .purge, .today, .export, .importing, .backup, .stats,
  ]

  /// Parses a command of the shell; nil if the line begins with something else.
  static func shell(
    _ first: String, in line: String, _ keys: KeyTable
  ) throws(PlainMistake) -> PlainCommand? {
    guard let name = Subcommand.Name(rawValue: first.lowercased()), shellCommands.contains(name)
    else { return nil }
    if keys.isForKiosk { throw .notInKiosk }
    do throws(UsageError) {
      switch try Invocation(arguments: [name.rawValue] + words(line).dropFirst()) {
      case .library(let options, let request): return .shell(request, options)
      case .help:
        throw UsageError(problem: "In the shell, panda \(name.rawValue) --help explains it")
      default: return nil
      }
    } catch {
      throw .shell(error.problem)
    }
  }

  /// Splits a line into words as a shell does: quotes and backslashes keep blanks.
  static func words(_ line: String) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in line {
      switch (isEscaped, quote, character) {
      case (true, _, _):
        word = (word ?? "") + String(character)
        isEscaped = false
      case (_, "'"?, "'"), (_, "\""?, "\""): quote = nil
      case (_, nil, "'"), (_, nil, "\""):
        quote = character
        word = word ?? ""
      case (_, let open, "\\") where open != "'": isEscaped = true
      case (_, nil, let blank) where blank.isWhitespace:
        if let word { words.append(word) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    if let word { words.append(word) }
    return words
  }
}
