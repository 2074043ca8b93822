@testable internal import PandaSession
internal import TerminalKit

/// The text of a configuration file.
enum ConfigurationParsing {
  static func parse(_ input: [UInt8]) throws {
    // ConfigurationFile refuses all other bytes.
    guard !input.contains(0), let text = String(validating: input, as: UTF8.self) else { return }
    let (configuration, problems) = Configuration.read(text: text)
    for problem in problems {
      let line = problem.description
      try require(line.sanitized(upTo: 10_000) == line, "\(line) is harmless")
      try require(
        (1...text.utf8.count + 1).contains(problem.line ?? 1), "\(line) is about a line of the file"
      )
    }
    let range = Configuration.secondsRange
    try require(
      range.contains(configuration.slideshowSeconds), "seconds are in their range")
    try require(
      configuration.keyTable[.program(.quit)]?.keys.isEmpty == false, "there is a key to quit with")
  }
}
