internal import PandaSession
internal import TerminalKit

/// The arguments of a command, as typed: as many words as its entry demands, and its options.
struct Arguments: Sendable {
  /// The arguments that are not options, without the command.
  var words: [String] = []
  /// The values of the options by their names; empty for switches.
  var values: [String: String] = [:]

  /// Returns the value of an option; nil if it is not given.
  subscript(_ option: CommandLineOption) -> String? { values[option.name] }

  func has(_ option: CommandLineOption) -> Bool { self[option] != nil }

  /// Returns the words from one on as one text, such as a filter.
  func text(from index: Int = 0) -> String { words.dropFirst(index).joined(separator: " ") }

  /// Returns which one of options is given that exclude each other; nil for none.
  func one(
    of options: [CommandLineOption], for command: String
  ) throws(UsageError) -> CommandLineOption? {
    let given = options.filter(has)
    guard given.count < 2 else {
      throw UsageError(problem: "\(command) takes one of \(given.map(\.spelling).alternatives)")
    }
    return given.first
  }

  /// Returns the number that an option has; nil if it is not given.
  func number(
    _ option: CommandLineOption, in range: ClosedRange<Int>
  ) throws(UsageError) -> Int? {
    guard let argument = self[option] else { return nil }
    return try Self.number(argument, of: option.spelling, in: range)
  }

  /// Returns the number that a word is.
  ///
  /// - Parameter owner: the option or command with the word, for the error.
  static func number(
    _ argument: String, of owner: String, in range: ClosedRange<Int>
  ) throws(UsageError) -> Int {
    guard let number = Int(argument), range.contains(number) else {
      throw UsageError(
        problem: "\(owner) takes a number from \(range.lowerBound) to \(range.upperBound), "
          + "not \(argument.forMessage)")
    }
    return number
  }

  /// Returns the columns and rows of `--size`; nil if it is not given.
  func size() throws(UsageError) -> CellSize? {
    guard let argument = self[.size] else { return nil }
    let sides = argument.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard sides.count == 2, let columns = sides[0], let rows = sides[1],
      (1...1_000).contains(columns), (1...1_000).contains(rows)
    else {
      throw UsageError(
        problem: "--size takes columns and rows, such as 80x24, not \(argument.forMessage)")
    }
    return CellSize(columns: columns, rows: rows)
  }
}
