import Foundation
import PandaTestSupport
import Testing

@testable import PandaSession
@testable import PandaTUI

/// How the screen behaves in a real terminal.
@Suite struct ScreenTests {
  let directory = TemporaryDirectory()

  @Test func `neither a popup nor a window of any size leaves a trace`() async throws {
    let panda = try PandaDriver(directory, source: "grove")
    try await panda.expectPicture()
    // The first key takes the greeting away. The grove draws one ahead; the picture on the card
    // stays the same meanwhile.
    try panda.press(.program(.redraw))
    let before = try await settled(panda)
    try panda.press(.program(.help))
    let help = try await panda.tmux.expect(text: HelpDialog.prompt)
    #expect(help.cells != before.cells)
    try panda.tmux.press(.escape)
    try await panda.tmux.expect("the screen as it was before") { $0.seen == before.seen }
    try panda.press(.program(.redraw))
    try await panda.tmux.expect("the screen drawn anew") { $0.seen == before.seen }
    try panda.tmux.resize(columns: 140, rows: 45)
    try await panda.tmux.expect("the large frame") { $0.cells.first?.last?.text == "╮" }
    try panda.tmux.resize(columns: 100, rows: 30)
    try await panda.tmux.expect("the small screen as before") { $0.seen == before.seen }
    for (columns, rows) in [(400, 120), (3, 2), (1, 1), (20, 6)] {
      try panda.tmux.resize(columns: columns, rows: rows)
      guard columns >= 20 else { continue }
      try await panda.tmux.expect("the frame at the new width") {
        $0.cells.first?.last?.text == "╮" && $0.cells.first?.count == columns
      }
    }
    try await panda.quit()
  }

  @Test func `fault 57: a window of unknown size has a screen`() async throws {
    let panda = try PseudoTerminal(
      BuildProducts.path(of: "panda"), ["--source", "grove", "--data-dir", directory.path("data")],
      environment: ["TERM=xterm", "COLORTERM=truecolor", "LANG=C.UTF-8"], columns: 0, rows: 0)
    try await panda.waitForOutput(containing: Sentence.invitation)
    // Colors are what the terminal was found to have: xterm's own entry has yellow, 33, for keys.
    try await panda.waitForOutput(containing: "\u{1B}[38;5;216m")
    #expect(!panda.output.contains(Array("\u{1B}[33m".utf8)))
    try panda.write("q")
    #expect(try await panda.waitForExit() == .exited(0))
  }

  @Test func `no caption misaligns a column`() async throws {
    let panda = try PandaDriver(directory, source: "grove", columns: 60, rows: 24)
    try await panda.favorite(1)
    try await panda.tmux.expect(text: "☆")
    try panda.press(.view(.nextPane), .favorites(.show))
    for caption in [
      "レッサーパンダの写真です", "👩‍👩‍👧 family 🇩🇪", "e\u{301}\u{302}\u{303} Zoe\u{308}", "שלום פנדה אדומה",
      "ผ้าแดง", "a\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}b\u{200B}\u{202E}gnp.x\u{200D}",
      "ﷺ…①\u{AD}🏽𓃠",
    ] {
      try await panda.open(.favorites(.caption), Sentence.captionNote)
      try panda.tmux.press("C-u")
      try panda.tmux.type("\u{1B}[200~\(caption)\u{1B}[201~")
      try panda.tmux.press(.enter)
      try await panda.tmux.expect(text: Sentence.captioned)
      let screen = try await panda.tmux.expect(text: "★")
      for row in screen.cells[..<22] {
        #expect("│╮╯┤".contains(row[59].text), "\(screen)")
        #expect("│╭╰├".contains(row[0].text), "\(screen)")
      }
    }
    try await panda.quit()
  }

  /// What is printed where the caption was drawn: the emoji alone, since its cells are written by
  /// the program and not by ncurses.
  private static let family = "👩\u{200D}👩\u{200D}👧"

  @Test(arguments: [
    ("\u{1B}[?2027;1$y", family), ("\u{1B}[?2027;2$y", nil), ("", nil),
    ("\u{1B}P>|kitty(0.41.1)\u{1B}\\", "\u{1B}]66;w=2;\(family)\u{1B}\\"),
  ])
  func `joined emoji are whole where the terminal says that they take two cells`(
    _ answer: String, whole: String?
  ) async throws {
    let data = directory.path("data")
    let program = try BuildProducts.path(of: "panda")
    let environment = ["LANG=C.UTF-8", "PATH=/usr/bin:/bin"]
    let list = try Subprocess.run(
      [
        "sh", "-c",
        """
        printf 'favorite\\n' | "$0" --plain --source grove --data-dir "$1" >&2
        "$0" --data-dir "$1" list
        """, program, data,
      ], environment: environment
    ).output.split(separator: "\n")
    // The first word of a line is the ID.
    let favorite = try #require(list.last?.split(separator: " ").first.map(String.init))
    let captioned = try Subprocess.run(
      [program, "--data-dir", data, "caption", favorite, "\(Self.family) at home"],
      environment: environment)
    try #require(captioned.status == 0, "\(captioned.output)")
    let panda = try PseudoTerminal(
      program, ["--source", "grove", "--graphics", "symbols", "--data-dir", data],
      environment: ["TERM=xterm-256color", "PANDA_ANSWER_SECONDS=60"] + environment, columns: 100,
      rows: 30, answers: ["\u{1B}[c": "\(answer)\u{1B}[?62c"])
    try await panda.waitForOutput(containing: "(1)")
    try panda.write("\t")
    try await panda.waitForOutput(containing: " at home")
    func times(_ text: String) -> Int {
      String(decoding: panda.output, as: UTF8.self).ranges(of: text).count
    }
    if let whole {
      let former = times(whole)
      #expect(former > 0)
      // Everything is drawn again, and nothing stays of its guard cells.
      try panda.write("\u{C}")
      try await eventually("the emoji again", seen: { panda.readableOutput }) {
        times(whole) > former
      }
    } else {
      #expect(times(Self.family) == 0)
      #expect(panda.output.contains(Array("👩".utf8)))
    }
    try panda.write("q")
    #expect(try await panda.waitForExit() == .exited(0))
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

  /// The screen once it has stopped to change: the thumbnails and the picture are all there.
  private func settled(_ panda: PandaDriver) async throws -> ScreenText {
    try await panda.tmux.expect(text: Sentence.invitation)
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

  @Test func `after ctrl-z, fg and quit the shell continues below its own output`() async throws {
    let tmux = try Tmux(
      "/bin/bash", ["--norc", "-i"], environment: ["PS1=sh> "], columns: 80, rows: 24)
    try await tmux.expect(text: "sh>")
    let panda = try BuildProducts.path(of: "panda")
    try tmux.type("echo before; '\(panda)' --source grove --data-dir \(directory.path("data"))\r")
    try await tmux.expect(text: Sentence.invitation)
    try tmux.press("C-z")
    try await tmux.expect(text: "Stopped")
    try tmux.type("echo while stopped; fg\r")
    try await tmux.expect(text: Sentence.invitation)
    try tmux.press("q")
    // What is typed while Panda ends may reach no one (fault 116).
    try await tmux.expect("the shell's prompt") { $0.lines.last { !$0.isEmpty } == "sh>" }
    try tmux.type("echo after; stty -a | grep -c ' ixon'\r")
    let screen = try await tmux.expect("the lines in their order") { screen in
      let lines = screen.lines.filter { ["before", "while stopped", "after", "1"].contains($0) }
      return lines == ["before", "while stopped", "after", "1"]
    }
    #expect(screen.contains("Stopped"))
  }
}

extension ScreenText {
  /// The cells without the invisible color of blanks.
  fileprivate var seen: [[Cell]] {
    cells.map { row in
      row.map { cell in
        guard cell.text == " " else { return cell }
        var cell = cell
        cell.foreground = .standard
        return cell
      }
    }
  }
}
