import Foundation
import PandaTestSupport
import Testing

/// The real program in a real terminal.
@Suite struct TimelineProgramTests {
  private let directory = TemporaryDirectory()

  private func launch(_ arguments: String...) throws -> Tmux {
    try Tmux(
      BuildProducts.path(of: "timeline"), ["--directory", directory.path("kept")] + arguments)
  }

  @Test func `a favorite and a name: on three screens, refused, and persisted`() async throws {
    do {
      let terminal = try launch()
      try await terminal.expect(text: "> [ 7] Mei: Bamboo")
      try terminal.type("f")
      try await terminal.expect(text: "> [*8] Mei: Bamboo")
      try terminal.type("j\r")
      try await terminal.expect(text: "by Tian")
      try terminal.type("p")
      try await terminal.expect(text: "Mostly asleep.")
      try terminal.type("rTian Tian\r")
      try await terminal.expect(text: "> [ 12] Tian Tian: Slept")
      try terminal.type("qq")
      try await terminal.expect(text: "> [ 12] Tian Tian: Slept")
      try await terminal.expect(text: "  [ 4] Tian Tian: Hello")
      try terminal.type("x")
      try await terminal.expect(text: "out of order now")
      try terminal.type("f")
      try await terminal.expect(text: "The favorite was not changed: the server is out of order.")
      try await terminal.expect(text: "> [ 12] Tian Tian: Slept")
      try terminal.resize(columns: 40, rows: 10)
      try await terminal.expect("the narrow screen") {
        $0.contains("The favorite was not changed: the server") && $0.contains("j/k move")
      }
      try terminal.type("q")
      #expect(try await terminal.waitForExit() == .exited(0))
    }
    let offline = try launch("--offline")
    try await offline.expect(text: "Could not load: no server")
    try await offline.expect(text: "> [*8] Mei: Bamboo")
    try await offline.expect(text: "  [ 12] Tian Tian: Slept")
    try offline.press("C-c")
    #expect(try await offline.waitForExit() == .exited(0))
  }

  @Test func `the terminal is restored`() async throws {
    for end in ["q", "\u{3}", ""] {
      let terminal = try PseudoTerminal(BuildProducts.path(of: "timeline"))
      try await terminal.waitForOutput(containing: "Bamboo")
      if end.isEmpty { try await terminal.kill(SIGTERM) } else { try terminal.write(end) }
      #expect(try await terminal.waitForExit() == .exited(0))
      #expect(try terminal.modes == terminal.modesBefore)
      try await terminal.waitForOutput(containing: "\u{1b}[?25h\u{1b}[?1049l")
    }
  }

  @Test func `an unknown option is an error`() throws {
    let program = try BuildProducts.path(of: "timeline")
    let unknown = try Subprocess.run([program, "--nonsense"], environment: [])
    #expect(unknown.status == 64)
    let help = try Subprocess.run([program, "--help"], environment: [])
    #expect(help.status == 0)
    #expect(help.output.contains("usage: timeline"))
    let noTerminal = try Subprocess.run([program], environment: [])
    #expect(noTerminal.status == 1)
  }
}
