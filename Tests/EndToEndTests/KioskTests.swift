import Foundation
import PandaCore
import PandaTestSupport
import Testing

@testable import PandaTUI

/// `--kiosk`: the real program, which cannot be left but by quitting.
@Suite(.timeLimit(.minutes(15))) struct KioskTests {
  private let directory = TemporaryDirectory()

  @Test func `on the screen no key leads to the shell, a program or a file`() async throws {
    let panda = try PandaDriver(directory, source: "grove", arguments: ["--kiosk"])
    try await panda.tmux.expect(text: "☆")
    for command in [
      Command.program(.suspend), .picture(.open), .picture(.save), .picture(.copyAddress),
      .program(.problem),
    ] {
      try panda.press(command)
      try await panda.tmux.expect(text: Sentence.refused(.notInKiosk))
      try panda.press(.picture(.details))
      try await panda.tmux.expect(text: "SHA-256")
      try panda.press(.picture(.details))
      try await panda.tmux.expect("no dialog and no message") {
        !$0.contains("SHA-256") && !$0.contains(Sentence.refused(.notInKiosk))
      }
    }
    try await panda.quit()
  }

  @Test func `in plain mode Ctrl-Z and Ctrl-4 end nothing, and words are refused`() async throws {
    try PandaDriver.configure(directory, "{ kiosk: true }")
    let panda = try PseudoTerminal(
      BuildProducts.path(of: "panda"),
      ["--plain", "--source", "grove", "--data-dir", directory.path("data")],
      environment: [
        "TERM=dumb", "LC_ALL=C.UTF-8", "XDG_CONFIG_HOME=\(directory.path("config"))",
        "XDG_STATE_HOME=\(directory.path("state"))",
      ], columns: 100, rows: 24)
    try await panda.waitForOutput(containing: "panda> ")
    // The latter is what Ctrl-4 and Ctrl-\ send, and would leave a core with the favorites.
    try panda.write("\u{1A}\u{1C}")
    try panda.write("save \(directory.path("wah"))\n")
    try await panda.waitForOutput(containing: "\(Sentence.refused(.notInKiosk)).")
    try panda.write("quit\n")
    #expect(try await panda.waitForExit() == .exited(0))
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.url.path)
    #expect(!names.contains { $0.hasPrefix("wah") })
  }
}
