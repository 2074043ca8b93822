internal import Foundation
internal import PandaTestSupport

/// The program in a pseudo-terminal of 100x30 cells that shows pictures as symbols.
struct MeasuredProgram {
  /// What the terminal is sent at the end of each frame: the end of synchronized output.
  static let frameEnd = Array("\u{1B}[?2026l".utf8)

  let terminal: PseudoTerminal

  /// Starts the program with its cache and its state in `directory`.
  init(data: String, source: String, in directory: TemporaryDirectory) throws {
    terminal = try PseudoTerminal(
      BuildProducts.path(of: "panda"), ["--source", source, "--data-dir", data],
      environment: [
        "TERM=xterm-256color", "LANG=C.UTF-8", "COLORTERM=truecolor",
        "XDG_CACHE_HOME=\(directory.path("cache"))", "XDG_STATE_HOME=\(directory.path("state"))",
      ], columns: 100, rows: 30)
  }

  /// Answers the program's query for the terminal's identity.
  func answerIdentityQuery() async throws {
    try await wait("the question", for: "\u{1B}[c", from: 0)
    try terminal.write("\u{1B}[?62;22c")
  }

  func quit() async throws {
    try terminal.write("q")
    _ = try await terminal.waitForExit()
  }

  /// Waits until the program has printed `text`, and returns the moment when it arrived.
  @discardableResult
  func wait(
    _ what: String, for text: String, from offset: Int
  ) async throws -> ContinuousClock.Instant {
    try await wait(what, for: Array(text.utf8), from: offset)
  }

  /// Waits until the program has printed `bytes`, and returns the moment when they arrived.
  func wait(
    _ what: String, for bytes: [UInt8], from offset: Int
  ) async throws -> ContinuousClock.Instant {
    let deadline = ContinuousClock.now + .seconds(60)
    while true {
      if let moment = terminal.arrival(of: bytes, from: offset) { return moment }
      guard ContinuousClock.now < deadline else { throw TestFailure("No \(what) in a minute.") }
      try await Task.sleep(for: .microseconds(500))
    }
  }
}
