internal import Foundation
internal import PandaTestSupport

/// The program in a pseudo-terminal, of 100x30 cells by default.
struct MeasuredProgram {
  /// The terminal's answers to the program's questions.
  enum Terminal {
    /// It shows no pictures, which symbols stand for.
    case plain
    /// A kitty that shows pictures in text cells, and cannot read files, as over ssh.
    case kitty

    fileprivate var answer: String {
      switch self {
      case .plain: "\u{1B}[?62;22c"
      case .kitty: "\u{1B}P>|kitty(0.41.1)\u{1B}\\\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;c"
      }
    }
  }

  /// The bytes at the end of each frame: the end of synchronized output.
  static let frameEnd = Array("\u{1B}[?2026l".utf8)

  let terminal: PseudoTerminal
  /// Kept, since it is deleted with its last reference.
  private let directory: TemporaryDirectory

  /// Starts the program with its cache and its state in `directory`.
  init(
    data: String, source: String, in directory: TemporaryDirectory, columns: Int = 100,
    rows: Int = 30
  ) throws {
    self.directory = directory
    terminal = try PseudoTerminal(
      BuildProducts.path(of: "panda"), ["--source", source, "--data-dir", data],
      environment: [
        "TERM=xterm-256color", "LANG=C.UTF-8", "COLORTERM=truecolor",
        "XDG_CACHE_HOME=\(directory.path("cache"))", "XDG_STATE_HOME=\(directory.path("state"))",
      ], columns: columns, rows: rows)
  }

  /// Answers the program's query for the terminal's identity.
  func answerIdentityQuery(as terminal: Terminal = .plain) async throws {
    try await wait("the question", for: "\u{1B}[c", from: 0)
    try self.terminal.write(terminal.answer)
  }

  /// Waits until nothing has arrived for a while, and returns when the last output arrived.
  func waitForPause(_ duration: Duration) async throws -> ContinuousClock.Instant {
    let start = ContinuousClock.now
    while true {
      let last = max(terminal.lastArrival ?? start, start)
      if ContinuousClock.now - last >= duration { return terminal.lastArrival ?? start }
      guard ContinuousClock.now - start < .seconds(60) else { throw TestFailure("No pause.") }
      try await Task.sleep(for: .milliseconds(1))
    }
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
