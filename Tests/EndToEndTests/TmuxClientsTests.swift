import Foundation
import Glibc
import PandaTestSupport
import Testing

/// The program in a tmux to which one terminal after the other is attached.
@Suite(.timeLimit(.minutes(15))) struct TmuxClientsTests {
  private static let limit = Duration.seconds(60)
  private let directory = TemporaryDirectory()
  private var socket: String { directory.path("socket") }

  private static let upload = "\u{1B}_Ga=T,U=1"

  /// Opens a terminal of a name with a tmux client in it.
  private func open(_ name: String, _ command: [String], columns: Int = 100) throws
    -> PseudoTerminal
  {
    try PseudoTerminal(
      "/usr/bin/tmux", ["-S", socket, "-f", "/dev/null", "-u"] + command,
      environment: [
        "TERM=xterm-256color", "LANG=C.UTF-8", "PATH=/usr/bin:/bin", "PANDA_ANSWER_SECONDS=60",
      ], columns: columns, rows: 30,
      // tmux asks for itself.
      answers: ["\u{1B}[>q": "\u{1B}[?62c\u{1B}[>1;4000;41c\u{1B}P>|\(name)\u{1B}\\"])
  }

  @discardableResult
  private func tmux(_ command: String...) throws -> String {
    let result = try Subprocess.run(
      ["tmux", "-S", socket] + command, environment: ["PATH=/usr/bin:/bin"])
    guard result.status == 0 else { throw TestFailure("\(command): \(result.output)") }
    return result.output
  }

  /// Waits until tmux knows the terminal: it reads the answer in its own time.
  private func expect(_ name: String) async throws {
    try await eventually(name) {
      // There is no server yet at first.
      (try? tmux("list-clients", "-F", "#{client_termtype}"))?.contains(name) == true
    }
  }

  @Test func `each terminal that is attached gets pictures that it shows`() async throws {
    let kitty = "kitty(0.41.1)"
    let first = try open(
      kitty,
      [
        "start-server", ";", "set-option", "-g", "allow-passthrough", "on", ";", "set-option", "-g",
        "default-terminal", "tmux-256color", ";", "set-option", "-g", "status", "off", ";",
        "new-session", "sh", "-c", "tmux wait-for known; exec \"$@\"", "sh",
        BuildProducts.path(of: "panda"), "--source", "grove", "--data-dir", directory.path("data"),
      ])
    defer {
      // It is gone already unless the test has failed.
      _ = try? tmux("kill-server")
    }
    try await expect(kitty)
    try tmux("wait-for", "-S", "known")
    try await first.waitForOutput(containing: Self.upload, deadline: Self.limit)
    try tmux("detach-client")
    _ = try await first.waitForExit(deadline: Self.limit)

    // A window of another size is an occasion to ask tmux, and so is ctrl-l.
    let second = try open("XTerm(379)", ["attach"], columns: 90)
    try await expect("XTerm(379)")
    try second.write("\u{C}")
    // Quadrants of symbols.
    try await second.waitForOutput(containing: "▌", deadline: Self.limit)
    try tmux("detach-client")
    _ = try await second.waitForExit(deadline: Self.limit)

    let third = try open(kitty, ["attach"], columns: 90)
    try await expect(kitty)
    try third.write("\u{C}")
    try await third.waitForOutput(containing: Self.upload, deadline: Self.limit)
    try third.write("q")
    _ = try await third.waitForExit(deadline: Self.limit)
  }
}
