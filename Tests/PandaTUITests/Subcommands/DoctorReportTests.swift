internal import TerminalKitTestSupport
internal import Testing

@testable import PandaShell
@testable import TerminalKit

/// What the doctor tells, and what it advises.
struct DoctorReportTests {
  typealias Real = RealTerminals

  private func report(
    _ profile: TerminalProfile?, problems: [String] = []
  ) -> DoctorReport {
    DoctorReport(
      profile: profile, choice: profile.map { PictureChoice(for: $0) },
      versions: ["1.2.3", "curl 7.88.1", "SQLite 3.40.1"],
      places: [("favorites", "/data/panda"), ("settings", "/config.json5")], problems: problems)
  }

  @Test("The report is lines with their values below each other, then advice")
  func text() {
    let profile = Real.profile(
      Real.tmux, Real.inTmux, tmux: Real.surroundings("", passthrough: false))
    #expect(
      report(profile).text == """
        panda       1.2.3
        terminal    tmux 3.3a
        tmux        passthrough is off
        runs in     unknown
        TERM        tmux-256color
        COLORTERM   not set
        colors      256
        background  unknown
        locale      C, UTF-8
        cell        8x16 pixels
        graphics    none offered
        emoji       the first of joined ones
        answered    after 3 ms
        pictures    symbols, quadrants
        why         tmux does not pass pictures through; to change that: tmux set -g allow-passthrough on
        symbols     quadrants: The terminal may not draw sextants.
        libraries   curl 7.88.1, SQLite 3.40.1
        favorites   /data/panda
        settings    /config.json5

        Suggestions:
        - For pictures in tmux: tmux set -g allow-passthrough on
        - If your terminal shows 16 million colors, say so: export COLORTERM=truecolor

        """)
  }

  @Test("Without a terminal there is nothing to advise")
  func nothing() {
    let report = report(nil)
    #expect(report.advice.isEmpty)
    #expect(report.text.contains("no terminal to query\n"))
  }

  @Test("Each problem of the settings has a line")
  func problems() {
    #expect(
      report(nil, problems: ["config.json5 line 2: one", "config.json5 line 3: two"]).text
        .hasSuffix(
          """
          settings   /config.json5

          Ignored settings:
          - config.json5 line 2: one
          - config.json5 line 3: two

          """))
  }

  @Test("The symbols and why they were chosen")
  func symbols() {
    let profile = Real.profile(
      Real.tmux, Real.inTmux, tmux: Real.surroundings("XTerm(379)", passthrough: false))
    let report = DoctorReport(
      profile: profile, choice: PictureChoice(for: profile), versions: ["1"], places: [],
      problems: [])
    #expect(report.text.contains("symbols     quadrants: XTerm 379 is not known to draw sextants."))
    #expect(report.text.contains("runs in     XTerm 379"))
  }

  static let advised: [(profile: TerminalProfile, advice: [String])] = [
    (Real.profile(Real.kitty041), []),
    (Real.profile(Real.foot), []),
    (Real.profile(Real.kitty026), ["kitty 0.28"]),
    (Real.profile(Real.kitty041, isUnicode: false), ["not UTF-8"]),
    (
      Real.profile(
        Real.tmux, Real.inTmux, tmux: Real.surroundings("kitty(0.26.5)", features: "RGB")),
      ["kitty 0.28"]
    ),
    (Real.profile(Real.xterm), ["xterm -ti vt340"]),
    (
      Real.profile(Real.vsCodeWithoutImages, ["TERM": "xterm-256color", "TERM_PROGRAM": "vscode"]),
      ["terminal.integrated.enableImages"]
    ),
    (Real.profile(Real.foot, isUnicode: false), ["not UTF-8"]),
    (Real.profile(Real.foot, declaredColors: nil), ["install ncurses-term"]),
    (Real.profile(Real.foot, ["TERM": "foot", "NO_COLOR": "1"]), ["NO_COLOR is set"]),
    (Real.profile(Real.silent), ["COLORTERM=truecolor", "does not answer"]),
    (Real.profile(Real.silent, ["TERM": "dumb"]), ["cannot place text"]),
    (slow, ["waits 150 ms"]),
  ]

  private static var slow: TerminalProfile {
    var profile = Real.profile(Real.foot)
    profile.timeTaken = .milliseconds(900)
    return profile
  }

  @Test("Each thing that could be better gets one line, and nothing else does", arguments: advised)
  func advises(_ profile: TerminalProfile, advice: [String]) {
    let found = report(profile).advice
    #expect(found.count == advice.count, "\(found)")
    for (line, words) in zip(found, advice) { #expect(line.contains(words)) }
    for line in found { #expect(!line.contains("\n") && line.allSatisfy(\.isASCII)) }
  }

  @Test("What the environment says cannot draw on the terminal")
  func hostile() {
    let profile = Real.profile(
      Real.silent,
      [
        "TERM": "x\u{1B}[31m\nterm", "COLORTERM": "\u{1B}]0;t\u{7}", "TERM_PROGRAM": "\u{1B}[2J",
        "LC_ALL": "\u{9B}2J",
      ])
    let text = report(profile).text
    let isHarmless = text.unicodeScalars.allSatisfy {
      $0 == "\n" || ($0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value))
    }
    #expect(isHarmless)
    #expect(text.contains("TERM        x"))
  }
}
