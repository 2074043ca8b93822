import Foundation
import PandaTestSupport
import Testing

@testable import PandaTUI
@testable import TerminalKit

/// How the screen behaves in a real terminal.
@Suite struct ScreenTests {
  let directory = TemporaryDirectory()

  @Test func `a popup over the picture leaves no trace, and the picture comes back whole`()
    async throws
  {
    let panda = try PandaDriver(directory, source: "grove")
    try await panda.expectPicture()
    // The first key takes the greeting away. The grove draws one ahead; the picture on the card
    // stays the same meanwhile.
    try panda.press(.redraw)
    let before = try await settled(panda)
    try panda.press(.help)
    let help = try await panda.tmux.expect(text: "type to filter")
    #expect(help.cells != before.cells)
    try panda.tmux.press(.escape)
    try await panda.tmux.expect("the screen as it was before") { $0.cells == before.cells }
    try panda.press(.redraw)
    try await panda.tmux.expect("the screen drawn anew") { $0.cells == before.cells }
    try await panda.quit()
  }

  @Test(arguments: [
    (60, 20), (40, 15), (20, 6), (120, 50), (160, 45), (400, 120), (12, 4), (3, 2), (1, 1),
  ])
  func `a resize redraws, and q quits at any size`(_ columns: Int, _ rows: Int) async throws {
    let panda = try PandaDriver(directory, source: "grove")
    try await panda.expectPicture()
    try panda.tmux.resize(columns: columns, rows: rows)
    if columns >= 20 {
      try await panda.tmux.expect("the frame at the new width") {
        $0.cells.first?.last?.text == "┐" && $0.cells.first?.count == columns
      }
    }
    if rows >= 15 { try await panda.expectPicture() }
    try await panda.quit()
  }

  @Test(arguments: [(40, 12), (30, 10), (20, 8)])
  func `the keys for help and quitting stay in both panes, and beside what is said`(
    _ columns: Int, _ rows: Int
  ) async throws {
    let panda = try PandaDriver(directory, source: "grove", columns: columns, rows: rows)
    func expectKeys(_ what: String, saying words: String = "") async throws {
      try await panda.tmux.expect(what) { screen in
        let last = screen.lines.last?.split(separator: " ") ?? []
        return last.contains("?") && last.contains("q")
          && (words.isEmpty || screen.contains(words))
      }
    }
    try await panda.tmux.expect(text: "☆")
    try await expectKeys("the keys in the card")
    // There is nothing to undo.
    try panda.press(.undo)
    try await expectKeys("the keys beside what is said", saying: "There is")
    try panda.press(.nextPane)
    try await expectKeys("the keys in the carousel")
    try await panda.quit()
  }

  @Test func `text has the colors that the terminal was found to have, whatever TERM declares`()
    async throws
  {
    let panda = try PseudoTerminal(
      BuildProducts.path(of: "panda"),
      ["--source", "grove", "--data-dir", directory.path("data"), "--graphics", "none"],
      environment: [
        "TERM=xterm", "COLORTERM=truecolor", "LANG=C.UTF-8", "HOME=\(directory.path("home"))",
        "XDG_CACHE_HOME=\(directory.path("cache"))", "XDG_STATE_HOME=\(directory.path("state"))",
        "XDG_CONFIG_HOME=\(directory.path("config"))",
      ], columns: 80, rows: 24)
    try await panda.waitForOutput(containing: "you favorite will appear here")
    // The keys of the hint bar, in a red panda's light rust; xterm's own entry has yellow, 33.
    try await panda.waitForOutput(containing: "\u{1B}[38;5;216m")
    #expect(!panda.output.contains(Array("\u{1B}[33m".utf8)))
    try panda.write("q")
    #expect(try await panda.waitForExit() == .exited(0))
  }

  @Test func `a picture that went leaves nothing behind when the window grows and shrinks`()
    async throws
  {
    let panda = try PandaDriver(directory, source: "grove")
    try await panda.expectPicture()
    let before = try await settled(panda)
    try panda.tmux.resize(columns: 140, rows: 45)
    try await panda.tmux.expect("the large frame") { $0.cells.first?.last?.text == "┐" }
    try panda.tmux.resize(columns: 100, rows: 30)
    try await panda.tmux.expect("the screen as it was before") { $0.cells == before.cells }
    try await panda.quit()
  }

  @Test func `ctrl-z stops the program and gives the terminal back; fg brings all of it back`()
    async throws
  {
    let panda = try PseudoTerminal(
      BuildProducts.path(of: "panda"),
      ["--source", "grove", "--data-dir", directory.path("data")],
      environment: ["TERM=xterm-256color", "LANG=C.UTF-8", "COLORTERM=truecolor"], columns: 80,
      rows: 24)
    try await panda.waitForOutput(containing: "38;2;")
    try panda.write([0x1A])
    try await panda.waitFor("the stop") { if case .stopped = $0 { true } else { false } }
    #expect(try panda.modes == panda.modesBefore)
    try await panda.waitForOutput(containing: TerminalModes.restore)
    let count = panda.output.count
    try panda.resume()
    try await panda.waitForOutput(containing: "\u{1B}[?1049h", from: count)
    try await panda.waitForOutput(containing: "Favorites", from: count)
    try await panda.waitForOutput(containing: "38;2;", from: count)
    try panda.write("q")
    #expect(try await panda.waitForExit() == .exited(0))
    #expect(try panda.modes == panda.modesBefore)
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGSEGV, SIGABRT])
  func `a signal gives the terminal back, then ends the program`(_ signal: Int32) async throws {
    let panda = try PseudoTerminal(
      BuildProducts.path(of: "panda"),
      ["--source", "grove", "--data-dir", directory.path("data")],
      environment: ["TERM=xterm-256color", "LANG=C.UTF-8", "COLORTERM=truecolor"], columns: 80,
      rows: 24)
    try await panda.waitForOutput(containing: "38;2;")
    try await panda.kill(signal)
    try await panda.waitForOutput(containing: TerminalModes.restore)
    #expect(try await panda.waitForExit() == .signalled(signal))
    #expect(try panda.modes == panda.modesBefore)
  }

  @Test func `the end of the terminal's input ends the program`() async throws {
    let panda = try PandaDriver(directory, source: "grove")
    try await panda.expectPicture()
    // Ctrl-C is the terminal's own: it interrupts.
    try panda.tmux.press("C-c")
    #expect(try await panda.tmux.waitForExit() == .signalled(SIGINT))
  }

  @Test func `text from outside cannot reach the terminal as a control sequence`() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    let picture = try ServedPictures.all()[0]
    server.serve(
      "/random/json",
      LoopbackResponse(
        fields: [("Content-Type", "application/json")],
        body: #"{"url": "/a%1B%5D0;owned%07.jpg", "key": "\u001b]0;owned\u0007\u001b[2J"}"#))
    server.serve(
      "/*", LoopbackResponse(fields: [("Content-Type", "image/jpeg")], body: picture))
    let panda = try PandaDriver(directory, source: server.url("/random/json").absoluteString)
    try await panda.expectPicture()
    #expect(try panda.tmux.ask("#{pane_title}") != "owned")
    try await panda.quit()
  }

  @Test func `nothing wakes a program that nobody uses`() async throws {
    let panda = try PandaDriver(directory, source: "grove")
    try await panda.expectPicture()
    let process = try panda.tmux.processIdentifier()
    var last = -1
    var since = ContinuousClock.now
    // Threads that had something to do wait five seconds for more; then all is still.
    try await eventually("three seconds without a wake-up") {
      let switches = try contextSwitches(process)
      if switches != last { (last, since) = (switches, .now) }
      return ContinuousClock.now - since > .seconds(3)
    }
    try await panda.quit()
  }

  /// How often the threads of a process were given a processor (proc(5)).
  private func contextSwitches(_ process: Int32) throws -> Int {
    let tasks = "/proc/\(process)/task"
    return try FileManager.default.contentsOfDirectory(atPath: tasks).reduce(0) { sum, task in
      let file = "\(tasks)/\(task)/status"
      // A thread that has ended meanwhile has none any more.
      let status = try? String(contentsOfFile: file, encoding: .utf8)  // see above
      let lines = (status ?? "").split(separator: "\n")
      let counts = lines.filter { $0.contains("ctxt_switches") }
      return sum
        + counts.reduce(0) { $0 + (Int($1.split(whereSeparator: \.isWhitespace).last ?? "") ?? 0) }
    }
  }

  /// The screen once it has stopped to change: the thumbnails and the picture are all there.
  private func settled(_ panda: PandaDriver) async throws -> ScreenText {
    try await panda.tmux.expect(text: "Red pandas you favorite will appear here")
    try await panda.tmux.expect("no request under way") { !$0.contains("esc stops") }
    var last = try panda.tmux.screen()
    var same = 0
    return try await panda.tmux.expect("a screen that stays the same") { screen in
      same = screen == last ? same + 1 : 0
      last = screen
      return same >= 5
    }
  }
}

/// The program under a shell with job control, as people stop and continue it.
@Suite struct JobControlTests {
  let directory = TemporaryDirectory()

  @Test func `after ctrl-z, fg and quit the shell goes on below what it had written`() async throws
  {
    let tmux = try Tmux(
      "/bin/bash", ["--norc", "-i"], environment: ["PS1=sh> "], columns: 80, rows: 24)
    try await tmux.expect(text: "sh>")
    let panda = try BuildProducts.path(of: "panda")
    try tmux.type("echo before; \(panda) --source grove --data-dir \(directory.path("data"))\r")
    try await tmux.expect(text: "Red pandas you favorite will appear here")
    try tmux.press("C-z")
    try await tmux.expect(text: "Stopped")
    try tmux.type("echo while stopped; fg\r")
    try await tmux.expect(text: "Red pandas you favorite will appear here")
    try tmux.press("q")
    try await tmux.expect("the shell's screen") { !$0.contains("Favorites") }
    try tmux.type("echo after; stty -a | grep -c ' ixon'\r")
    let screen = try await tmux.expect("the lines in their order") { screen in
      let lines = screen.lines.filter { ["before", "while stopped", "after", "1"].contains($0) }
      return lines == ["before", "while stopped", "after", "1"]
    }
    #expect(screen.contains("Stopped"))
  }
}
