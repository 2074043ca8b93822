import Foundation
import PandaTestSupport
import Testing

@testable import PandaSession

/// A terminal, a pipe or a parent that goes away.
@Suite(.timeLimit(.minutes(15))) struct LostTerminalTests {
  let directory = TemporaryDirectory()

  private func start(_ script: String = "exec \"$0\" \"$@\"") throws -> PseudoTerminal {
    try PseudoTerminal(
      "/bin/sh",
      [
        "-c", script, try BuildProducts.path(of: "panda"), "--source", "grove", "--data-dir",
        directory.path("data"),
      ],
      environment: [
        "TERM=xterm-256color", "LANG=C.UTF-8", "COLORTERM=truecolor", "PATH=/usr/bin:/bin",
      ], columns: 80, rows: 24)
  }

  /// Waits until a process is gone, or only waits to be reaped.
  private func expectEnd(of process: Int32) async throws {
    try await eventually("the end of \(process)") {
      // Failing means that it is gone.
      let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
      return stat?.split(separator: ")").last?.hasPrefix(" Z") ?? true
    }
  }

  /// What the favorites are in the next program.
  private func favorites() throws -> String {
    try Subprocess.run(
      [
        "sh", "-c", "printf 'list\n' | \"$@\"", "sh", BuildProducts.path(of: "panda"), "--plain",
        "--source", "grove", "--data-dir", directory.path("data"),
      ], environment: ["PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"]
    ).output
  }

  @Test(arguments: ["", "trap '' HUP;"])
  func `fault 61: a terminal that is gone ends the program, with a hangup or without`(
    _ trap: String
  ) async throws {
    let panda = try start("\(trap) exec \"$0\" \"$@\"")
    try await panda.waitForOutput(containing: Sentence.invitation)
    let process = try await panda.processIdentifier()
    panda.hangUp()
    try await expectEnd(of: process)
    #expect(try favorites().contains(ActionWords.favorites(0)))
  }

  /// With a descriptor of the program's own, and with the shell's, where that may not be opened.
  @Test(arguments: ["own", "waiting"])
  func `a write that the kernel never wakes resumes by itself`(_ kind: String) async throws {
    let library = try PreloadedLibrary.built(
      from: #require(
        Bundle.module.url(forResource: "Fixtures/forgetful-terminal", withExtension: "c")))
    defer { withExtendedLifetime(library) {} }
    let panda = try PseudoTerminal(
      BuildProducts.path(of: "panda"),
      ["--source", "grove", "--data-dir", directory.path("data")],
      environment: [
        "TERM=xterm-256color", "LANG=C.UTF-8", "XDG_CACHE_HOME=\(directory.path("cache"))",
        "XDG_STATE_HOME=\(directory.path("state"))", "LD_PRELOAD=\(library.path)",
        "FORGETFUL=\(kind)",
      ], columns: 80, rows: 24)
    // The text by ncurses, and the picture.
    try await panda.waitForOutput(containing: Sentence.invitation)
    try await panda.waitForOutput(containing: "\u{1B}8\u{1B}[?2026l")
    try panda.write("q")
    #expect(try await panda.waitForExit() == .exited(0))
  }

  @Test(arguments: ["<&-", "</dev/null", ">&-", ">/dev/null", "<&- >&-", "<&- >&- 2>&-"])
  func `fault 61: a closed input or output is reported, with status 2`(_ redirection: String)
    async throws
  {
    let panda = try start("exec \"$0\" \"$@\" \(redirection)")
    #expect(try await panda.waitForExit() == .exited(2))
    let said = String(decoding: panda.output, as: UTF8.self)
    #expect(said.contains(Sentence.notATerminal) == !redirection.contains("2>"), "\(said)")
    #expect(!said.contains("\u{1B}"))
    #expect(try panda.modes == panda.modesBefore)
  }

  @Test func `fault 59: acknowledged favorites survive a kill of the parent process`()
    async throws
  {
    let panda = try start()
    try await panda.waitForOutput(containing: "☆")
    try panda.write(" ")
    try await panda.waitForOutput(containing: Sentence.added)
    let process = try await panda.processIdentifier()
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let parent = try #require(status.firstMatch(of: /PPid:\s+(\d+)/).flatMap { Int32($0.1) })
    // The leader of the session, as a shell is: its end hangs up, and nothing can be printed then.
    #expect(kill(parent, SIGKILL) == 0)
    try await expectEnd(of: process)
    #expect(try favorites().contains(ActionWords.favorites(1)))
  }
}
