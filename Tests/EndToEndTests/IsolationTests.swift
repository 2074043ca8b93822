import Foundation
import PandaTestSupport
import Testing

/// Programs that tests start have a home of their own, whatever the tests forget to say.
@Suite(.timeLimit(.minutes(15))) struct IsolationTests {
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
        place.hasPrefix("\(temporary)/panda-"), "\(output)", sourceLocation: sourceLocation)
    }
  }

  @Test func `a program in a pipe, a terminal and tmux, and a shell with its history`() async throws
  {
    check(try Subprocess.run(["sh", "-c", Self.script], environment: []).output)
    let terminal = try PseudoTerminal("/bin/sh", ["-c", Self.script], environment: [])
    try await terminal.waitForOutput(containing: ">\r\n")
    check(String(decoding: terminal.output, as: UTF8.self))
    let tmux = try Tmux(
      "/bin/bash", ["--norc", "-i"], environment: ["PS1=sh> "], columns: 1_000, rows: 5)
    try await tmux.expect(text: "sh>")
    try tmux.type("\(Self.script.replacing("printf", with: "clear; printf"))\n")
    check(try await tmux.expect(text: ".config>").lines[0])
    try tmux.type("\nclear; history -w; echo \"<$HISTFILE>\"\n")
    let screen = try await tmux.expect(text: "/.bash_history>")
    #expect(screen.contains("/panda-Tmux-"))
  }

  // MARK: The script

  /// Runs `Scripts/test` with a script in Swift's place, in a home directory of its own.
  private func runTests(_ lines: String, home: TemporaryDirectory) throws -> Subprocess.Result {
    let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
    let swift = try home.writeScript("swift", lines)
    return try Subprocess.run(
      ["sh", "-c", "cd \"$0\" && exec Scripts/test", root.path],
      environment: [
        "PATH=/usr/bin:/bin", "HOME=\(home.url.path)", "TMPDIR=\(home.url.path)", "SWIFT=\(swift)",
        "PANDA_BUILD_LOCK=\(home.url.path)/building",
      ])
  }

  @Test func `a second build waits for the first, and says so`() async throws {
    let home = TemporaryDirectory()
    let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
    let first =
      "until [ -s \(home.url.path)/second ]; do sleep 0.05; done; touch \(home.url.path)/done"
    let script = """
      Scripts/build sh -c '\(first)' &
      until [ -e "$HOME/building" ] && ! flock -n "$HOME/building" true; do sleep 0.05; done
      Scripts/build test -e "$HOME/done" 2> "$HOME/second"
      status=$?
      cat "$HOME/second"
      exit $status
      """
    let result = try Subprocess.run(
      ["sh", "-c", "cd \"$0\" && \(script)", root.path],
      environment: [
        "PATH=/usr/bin:/bin", "HOME=\(home.url.path)", "TMPDIR=\(home.url.path)",
        "PANDA_BUILD_LOCK=\(home.url.path)/building",
      ])
    #expect(result.status == 0, "\(result.output)")
    #expect(result.output.contains("this one waits until it is done"), "\(result.output)")
  }

  @Test(arguments: [
    "mkdir -p ~/.local/share/panda && touch ~/.local/share/panda/favorites.sqlite",
    "mkdir -p ~/.cache/panda/thumbnails", "touch ~/red-panda.jpg",
    "echo \"$PWD/.build/debug/panda\" >> ~/.bash_history",
  ])
  func `a test that writes into the home directory fails the run`(_ command: String) throws {
    let home = TemporaryDirectory()
    let result = try runTests(command, home: home)
    #expect(result.status == 1, "\(result.output)")
    #expect(
      result.output.contains(home.url.path) || result.output.contains("history"),
      "\(result.output)")
  }

  @Test func `temporary files left by tests fail the run, and are removed`() throws {
    let home = TemporaryDirectory()
    let result = try runTests(
      """
      mkdir $TMPDIR/panda-SomeTests-1 $TMUX_TMPDIR/tmux-0
      touch $PANDA_TEST_MEMORY/panda-SomeTests-2 $TMPDIR/other $TMUX_TMPDIR/tmux-0/socket
      """,
      home: home)
    #expect(result.status == 1, "\(result.output)")
    #expect(result.output.contains("2 panda-SomeTests\n"), "\(result.output)")
    #expect(result.output.contains("1 other\n"), "\(result.output)")
    #expect(result.output.contains("1 socket\n"), "\(result.output)")
    let left = try FileManager.default.contentsOfDirectory(atPath: home.url.path)
    #expect(Set(left) == ["swift", "building"])
  }
}
