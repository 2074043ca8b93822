import Foundation
import PandaTestSupport
import Testing

/// Programs that tests start have a home of their own, whatever the tests forget to say.
@Suite(.timeLimit(.minutes(5))) struct IsolationTests {
  /// Prints the variables that name places, between marks.
  private static let script =
    #"printf '<%s>' "$HOME" "$XDG_DATA_HOME" "$XDG_STATE_HOME" "$XDG_CACHE_HOME""#
    + #" "$XDG_CONFIG_HOME" "$CFFIXED_USER_HOME"; echo; read x"#

  private func check(_ output: String, sourceLocation: SourceLocation = #_sourceLocation) {
    let places = output.matches(of: /<([^>]*)>/).map { String($0.1) }
    let temporary = FileManager.default.temporaryDirectory.path
    #expect(places.count == 6, "\(output)", sourceLocation: sourceLocation)
    for place in places {
      #expect(
        place.hasPrefix("\(temporary)/panda-tests-"), "\(output)", sourceLocation: sourceLocation)
    }
  }

  @Test func `a program that is run to its end`() throws {
    check(try Subprocess.run(["sh", "-c", Self.script], environment: []).output)
  }

  @Test func `a program in a terminal`() async throws {
    let terminal = try PseudoTerminal("/bin/sh", ["-c", Self.script], environment: [])
    try await terminal.waitForOutput(containing: ">\r\n")
    check(String(decoding: terminal.output, as: UTF8.self))
  }

  @Test func `a program in tmux`() async throws {
    let tmux = try Tmux("/bin/sh", ["-c", Self.script], columns: 1_000, rows: 5)
    let screen = try await tmux.expect(text: ".config>")
    check(screen.lines[0])
  }

  @Test func `a shell's history goes with its home`() async throws {
    let tmux = try Tmux("/bin/bash", ["--norc", "-i"], environment: ["PS1=sh> "], columns: 200)
    try await tmux.expect(text: "sh>")
    try tmux.type("history -w; echo \"<$HISTFILE>\"\n")
    let screen = try await tmux.expect(text: "/.bash_history>")
    #expect(screen.contains("/panda-tests-"))
  }
}
