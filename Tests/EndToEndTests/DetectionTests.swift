import Foundation
import Glibc
import PandaCore
import PandaTestSupport
import Testing

@testable import PandaShell

/// The program in terminals that answer its questions in time, late, or never.
@Suite(.timeLimit(.minutes(15)))
struct DetectionTests {
  /// What a terminal may answer, with a name that would quit the program and fetch if it were keys.
  private static let answers =
    "\u{1B}P>|qfqq(qqf)\u{1B}\\\u{1B}_Gi=31;OK\u{1B}\\\u{1B}_Gi=32;EBADF:qqq\u{1B}\\"
    + "\u{1B}[6;16;8t\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\\u{1B}[?2026;2$y\u{1B}[?62;4;22c"

  private static let kittyFromFiles = "kitty (also from files)"

  /// The test may be slow on a busy machine, and the program waits for it.
  private static let allTheTime = "PANDA_ANSWER_SECONDS=60"

  private func start(
    _ arguments: [String], environment: [String] = [],
    answers: KeyValuePairs<String, String> = PseudoTerminal.lastAnswer
  ) throws -> PseudoTerminal {
    try PseudoTerminal(
      BuildProducts.path(of: "panda"), arguments,
      environment: ["TERM=xterm-256color", "LANG=C.UTF-8"] + environment,
      columns: 100, rows: 40, answers: answers)
  }

  @Test func `late answers are not keys, choose the graphics, and none is left for the shell`()
    async throws
  {
    let directory = TemporaryDirectory()
    // The test itself answers the last question, too.
    let panda = try start(
      ["--source", "grove", "--data-dir", directory.path("data")], answers: [:])
    // The deadline is over when the screen is there.
    try await panda.waitForOutput(containing: "\u{1B}[?1049h")
    try panda.write(Self.answers)
    // The best that it offers: kitty's graphics.
    try await panda.waitForOutput(containing: "\u{1B}_Ga=")
    // What is still being read cannot be cleared.
    try await panda.waitForOutput(containing: Sentence.invitation)
    try panda.write("C")
    let refusal = Sentence.beginning(of: Sentence.refused(.nothingToClear))
    try await panda.waitForOutput(containing: refusal)
    #expect(panda.condition == .running)
    // More than one read takes: quitting begins before the sentinel is read.
    let pressed = ContinuousClock.now
    try panda.write(
      "q\u{1B}P>|" + String(repeating: "q", count: 4_200) + "\u{1B}\\" + Self.answers)
    #expect(try await panda.waitForExit() == .exited(0))
    // Panda reads for a second at most, in which a busy machine may not have sent all.
    let isLate = ContinuousClock.now - pressed > .seconds(1)
    #expect(try panda.modes == panda.modesBefore)
    #expect(try isLate || panda.unreadInput == "")
  }

  @Test(arguments: [([], "q"), ([], "\u{3}"), (["doctor"], "\u{3}")])
  func `a key that ends the program takes effect while the terminal is asked`(
    _ arguments: [String], _ key: String
  ) async throws {
    let directory = TemporaryDirectory()
    let panda = try start(
      arguments.isEmpty ? ["--source", "grove", "--data-dir", directory.path("data")] : arguments,
      environment: key == "q" ? [] : [Self.allTheTime])
    try await panda.waitForOutput(containing: "\u{1B}[c")
    try panda.write(key)
    #expect(try await panda.waitForExit() == (key == "q" ? .exited(0) : .signalled(SIGINT)))
    #expect(try panda.modes == panda.modesBefore)
  }

  @Test func `doctor shows the terminal's answers, and the chosen graphics`() async throws {
    let panda = try start(
      ["doctor", "--data-dir", "/somewhere"], environment: [Self.allTheTime])
    try await panda.waitForOutput(containing: "\u{1B}[c")
    try panda.write(RecordedTerminals.kitty041)
    #expect(try await panda.waitForExit() == .exited(0))
    let output = panda.output
    for line in [
      "panda       ", "terminal    kitty 0.41.1", "TERM        xterm-256color",
      "tmux        no", "COLORTERM   not set", "colors      16 million",
      "background  #000000", "locale      C.UTF-8, UTF-8", "cell        8x16 pixels",
      "graphics    \(Self.kittyFromFiles), synchronized output",
      "emoji       joined ones whole",
      "pictures    kitty graphics in text cells",
      "why         kitty 0.41.1 shows kitty graphics in text cells.",
      "libraries   curl ", "favorites   /somewhere",
    ] {
      #expect(output.contains(Array(line.utf8)), "\(line) in \(panda.readableOutput)")
    }
    #expect(try panda.modes == panda.modesBefore)
  }

  @Test func `doctor reports a silent or a missing terminal`() async throws {
    let panda = try start(["doctor"])
    #expect(try await panda.waitForExit() == .exited(0))
    for words in ["does not answer", "pictures    symbols", "--graphics"] {
      #expect(panda.output.contains(Array(words.utf8)), "\(words) in \(panda.readableOutput)")
    }
    #expect(try panda.modes == panda.modesBefore)
    // setsid: no terminal is left to ask, whatever runs the tests.
    let result = try Subprocess.run(
      ["setsid", "--wait", BuildProducts.path(of: "panda"), "doctor"],
      environment: ["PATH=/usr/bin:/bin", "https_proxy=http://me:secret@proxy.example:3128"])
    #expect(result.status == 0)
    #expect(result.output.contains(DoctorReport.noTerminal))
    #expect(!result.output.contains("\u{1B}"))
    // Fault 27.
    #expect(result.output.contains(/proxy +proxy\.example:3128\n/), "\(result.output)")
    #expect(!result.output.contains("secret"))
  }

  @Test func `in a pipe doctor asks the terminal that it was started from`() async throws {
    let panda = try PseudoTerminal(
      "/bin/sh", ["-c", "'\(BuildProducts.path(of: "panda"))' doctor </dev/null | sed 's/^/> /'"],
      environment: [
        "TERM=xterm-256color", "LANG=C.UTF-8", "PATH=/usr/bin:/bin",
        Self.allTheTime,
      ])
    try await panda.waitForOutput(containing: "\u{1B}[?2;1;0S")
    try await panda.waitForOutput(containing: "\u{1B}[c")
    try panda.write("\u{1B}P>|foot(1.13.1)\u{1B}\\\u{1B}[?2;0;800;600S\u{1B}[?62;4c")
    try await panda.waitForOutput(containing: "> terminal    foot 1.13.1")
    try await panda.waitForOutput(containing: "up to 800x600 pixels")
    try await panda.waitForOutput(containing: "> pictures    sixel")
    #expect(try await panda.waitForExit() == .exited(0))
    #expect(try panda.modes == panda.modesBefore)
  }

  @Test(arguments: ["off", "on"])
  func `in tmux doctor says whether pictures pass, and never renames the pane`(_ option: String)
    async throws
  {
    let tmux = try Tmux(
      BuildProducts.path(of: "panda"), ["doctor"], columns: 100, rows: 40,
      options: [("allow-passthrough", option)])
    let screen = try await tmux.expect(text: "favorites ")
    #expect(screen.contains("terminal    tmux "))
    #expect(screen.contains("passthrough is \(option)"))
    #expect(screen.contains("tmux set -g allow-passthrough on") == (option == "off"))
    #expect(try await tmux.waitForExit() == .exited(0))
    #expect(!(try tmux.ask("#{pane_title}").contains("i=31")))
  }
}

/// What terminals answer, as in the unit tests.
enum RecordedTerminals {
  static let kitty041 =
    "\u{1B}P>|kitty(0.41.1)\u{1B}\\\u{1B}_Gi=31;OK\u{1B}\\\u{1B}_Gi=32;OK\u{1B}\\\u{1B}[6;15;7t"
    + "\u{1B}]11;rgb:0000/0000/0000\u{1B}\\\u{1B}[?2026;2$y\u{1B}[?62;c"
  static let foot =
    "\u{1B}P>|foot(1.13.1)\u{1B}\\\u{1B}[6;17;8t\u{1B}]11;rgb:2424/2424/2424\u{1B}\\"
    + "\u{1B}[?2026;2$y\u{1B}[?62;4;22c"
}
