import Foundation
import PandaTestSupport
import Testing

/// The real program, left with q while a picture is fetched and party mode changes its colors.
@Suite(.timeLimit(.minutes(60))) struct QuittingTests {
  @Test func `q with party mode on and fetches in flight ends with status 0`() async throws {
    let directory = TemporaryDirectory(inMemory: true)
    for round in 0..<Torture.rounds(3, orTorture: 300) {
      let panda = try PseudoTerminal(
        BuildProducts.path(of: "panda"),
        ["--source", "grove", "--data-dir", directory.path("data")],
        environment: [
          "TERM=xterm-256color", "LANG=C.UTF-8", "PATH=/usr/bin:/bin",
          "HOME=\(directory.path("home"))", "SWIFT_BACKTRACE=enable=no",
        ], columns: 100, rows: 30)
      try await panda.waitForOutput(containing: "will appear here")
      // One favorite would take that text away; odd rounds end party mode again.
      try panda.write(String(repeating: "pnnn", count: round % 7 + 1) + "q")
      #expect(try await panda.waitForExit() == .exited(0), "round \(round)")
      #expect(try panda.modes == panda.modesBefore)
    }
  }
}
