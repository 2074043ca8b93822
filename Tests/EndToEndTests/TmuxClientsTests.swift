import Foundation
import Glibc
import PandaTestSupport
import Testing

@testable import PandaTUI

/// The program in a tmux to which one terminal after the other is attached.
@Suite(.timeLimit(.minutes(15))) struct TmuxClientsTests {
  private static let limit = Duration.seconds(60)
  private let directory = TemporaryDirectory()
  private var socket: String { directory.path("socket") }

  /// Opens a terminal of a name with a tmux client in it.
  private func open(_ name: String, _ command: [String]) throws -> PseudoTerminal {
    try PseudoTerminal(
      "/usr/bin/tmux", ["-S", socket, "-f", "/dev/null", "-u"] + command,
      environment: [
        "TERM=xterm-256color", "LANG=C.UTF-8", "PATH=/usr/bin:/bin", "PANDA_ANSWER_SECONDS=60",
      ], columns: 100, rows: 30,
      // tmux asks for itself.
      answers: ["\u{1B}[>q": "\u{1B}[?62c\u{1B}[>1;4000;41c\u{1B}P>|\(name)\u{1B}\\"])
  }

  private func start(in name: String) throws -> PseudoTerminal {
    try open(
      name,
      [
        "start-server", ";", "set-option", "-g", "allow-passthrough", "on", ";", "set-option", "-g",
        "default-terminal", "tmux-256color", ";", "set-option", "-g", "status", "off", ";",
        "new-session", BuildProducts.path(of: "panda"), "--source", "grove", "--data-dir",
        directory.path("data"),
      ])
  }

  private func tmux(_ command: String...) throws {
    let result = try Subprocess.run(
      ["tmux", "-S", socket] + command, environment: ["PATH=/usr/bin:/bin"])
    guard result.status == 0 else { throw TestFailure("\(command): \(result.output)") }
  }

  private func endServer() {
    // It is gone already unless the test has failed.
    try? tmux("kill-server")  // see above
  }

  /// Answers the program's questions, which come through tmux, as a kitty.
  private func answerAsKitty(_ terminal: PseudoTerminal) async throws {
    var answered = 0
    // On a busy machine tmux may drop some questions, which come again.
    try await eventually("the question for graphics", deadline: Self.limit) {
      while answered < terminal.count(of: "\u{1B}[16t") {
        try terminal.write("\u{1B}P>|kitty(0.41.1)\u{1B}\\\u{1B}[?62;c")
        answered += 1
      }
      return terminal.count(of: "\u{1B}_Gi=31") > 0
    }
    try terminal.write("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;c")
  }

  private static let upload = "\u{1B}_Ga=T,U=1"

  @Test func `each terminal that is attached gets pictures that it shows`() async throws {
    defer { endServer() }
    let first = try start(in: "kitty(0.41.1)")
    try await answerAsKitty(first)
    try await first.waitForOutput(containing: Self.upload, deadline: Self.limit)
    try tmux("detach-client")
    _ = try await first.waitForExit(deadline: Self.limit)

    let second = try open("XTerm(379)", ["attach"])
    try await second.waitForOutput(containing: "\u{1B}[16t", deadline: Self.limit)
    try second.write("\u{1B}P>|XTerm(379)\u{1B}\\\u{1B}[?64;1;2c")
    // Quadrants of symbols.
    try await second.waitForOutput(containing: "▌", deadline: Self.limit)
    try tmux("detach-client")
    _ = try await second.waitForExit(deadline: Self.limit)

    let third = try open("kitty(0.41.1)", ["attach"])
    try await answerAsKitty(third)
    try await third.waitForOutput(containing: Self.upload, deadline: Self.limit)
    try third.write("q")
    _ = try await third.waitForExit(deadline: Self.limit)
  }

  @Test func `the same kind of terminal gets the pictures once more`() async throws {
    defer { endServer() }
    let first = try start(in: "kitty(0.41.1)")
    try await answerAsKitty(first)
    try await first.waitForOutput(containing: Self.upload, deadline: Self.limit)
    first.hangUp()
    let second = try open("kitty(0.41.1)", ["attach"])
    try await answerAsKitty(second)
    try await second.waitForOutput(containing: Self.upload, deadline: Self.limit)
  }

  @Test func `pictures sent behind another window are sent again when theirs is shown`()
    async throws
  {
    defer { endServer() }
    let terminal = try start(in: "kitty(0.41.1)")
    try await answerAsKitty(terminal)
    try await terminal.waitForOutput(containing: Self.upload, deadline: Self.limit)
    // That pictures have arrived; some may have been sent again on a busy machine.
    for id in 1_000...1_003 { try terminal.write("\u{1B}_Gi=\(id);OK\u{1B}\\") }
    try tmux("new-window", "cat")
    let before = terminal.outputCount
    let title = try title(in: ":0")
    try tmux("send-keys", "-t", ":0", "n")
    // The other picture is there once its title is.
    try await eventually("another picture", deadline: Self.limit) {
      let now = try self.title(in: ":0")
      return now != title && now.contains("☆")
    }
    #expect(terminal.count(of: Self.upload, from: before) == 0)
    try tmux("select-window", "-t", ":0")
    try await terminal.waitForOutput(
      containing: Self.upload, from: before, deadline: Self.limit)
  }

  private func title(in window: String) throws -> String {
    let screen = try Subprocess.run(
      ["tmux", "-S", socket, "-u", "capture-pane", "-p", "-t", window],
      environment: ["PATH=/usr/bin:/bin"]
    ).output
    return screen.split(separator: "\n").first { $0.contains("☆") }.map(String.init) ?? ""
  }
}
