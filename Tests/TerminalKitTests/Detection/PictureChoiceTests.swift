internal import TerminalKitTestSupport
internal import Testing

@testable import TerminalKit

/// Which way of showing pictures each terminal gets.
struct PictureChoiceTests {
  typealias Real = RealTerminals

  /// A terminal and what must be chosen for it.
  struct Row: CustomTestStringConvertible, Sendable {
    let name: String
    let profile: TerminalProfile
    let path: PictureMethod
    let reason: String

    init(_ name: String, _ profile: TerminalProfile, _ path: PictureMethod, _ reason: String) {
      (self.name, self.profile, self.path, self.reason) = (name, profile, path, reason)
    }

    var testDescription: String { name }
  }

  private static let inTmux = Real.inTmux

  static let automatic: [Row] = [
    Row(
      "kitty 0.41", Real.profile(Real.kitty041), .kittyPlaceholders(throughTmux: false), "0.41.1"),
    Row(
      "kitty 0.41 in the C locale", Real.profile(Real.kitty041, isUnicode: false),
      .kittyPlacement, "answered"),
    Row("kitty 0.26", Real.profile(Real.kitty026), .kittyPlacement, "kitty 0.26.5 answered"),
    Row("Ghostty", Real.profile(Real.ghostty), .kittyPlaceholders(throughTmux: false), "ghostty"),
    Row("Konsole", Real.profile(Real.konsole), .kittyPlacement, "Konsole 22.12.3"),
    Row("foot", Real.profile(Real.foot), .sixel, "foot 1.13.1"),
    Row("foot in the C locale", Real.profile(Real.foot, isUnicode: false), .sixel, "sixel"),
    Row("WezTerm", Real.profile(Real.wezTerm), .iterm2, "WezTerm"),
    Row(
      "a WezTerm that is too slow",
      Real.profile(Real.silent, ["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"]),
      .iterm2, "WezTerm"),
    Row(
      "an old terminal started from WezTerm",
      Real.profile("\u{1B}[?62;c", ["TERM": "rxvt-unicode-256color", "TERM_PROGRAM": "WezTerm"]),
      .symbols(.quadrants, colors: .palette256), "offers no graphics"),
    Row(
      "an Alacritty started from mintty",
      Real.profile("\u{1B}[?6c", ["TERM": "alacritty", "TERM_PROGRAM": "mintty"]),
      .symbols(.quadrants, colors: .direct), "Alacritty offers no graphics"),
    Row("iTerm2", Real.profile(Real.iTerm2), .iterm2, "iTerm2 3.5.10"),
    Row(
      "an iTerm2 before XTVERSION, over ssh",
      Real.profile(
        "\u{1B}[?62;4c", ["TERM": "xterm-256color", "LC_TERMINAL": "iTerm2", "SSH_TTY": "x"]),
      .iterm2, "iTerm2"),
    Row("mintty", Real.profile(Real.mintty), .iterm2, "mintty"),
    Row(
      "VS Code",
      Real.profile(Real.vsCode, ["TERM": "xterm-256color", "TERM_PROGRAM": "vscode"]),
      .iterm2, "vscode"),
    Row(
      "VS Code with pictures switched off",
      Real.profile(Real.vsCodeWithoutImages, ["TERM": "xterm-256color", "TERM_PROGRAM": "vscode"]),
      .symbols(.quadrants, colors: .direct), "vscode offers no graphics"),
    Row("another xterm.js", Real.profile(Real.vsCode), .sixel, "xterm.js"),
    Row("xterm", Real.profile(Real.xterm), .symbols(.quadrants, colors: .direct), "XTerm 379"),
    Row("xterm -ti vt340", Real.profile(Real.xtermSixel), .sixel, "XTerm 379"),
    Row(
      "an xterm started from VS Code",
      Real.profile(Real.xterm, ["TERM": "xterm", "TERM_PROGRAM": "vscode"]),
      .symbols(.quadrants, colors: .direct), "XTerm"),
    Row("VTE", Real.profile(Real.vte), .symbols(.sextants, colors: .direct), "VTE"),
    Row(
      "Windows Terminal",
      Real.profile(Real.windowsTerminal, ["TERM": "xterm-256color", "WT_SESSION": "x"]),
      .sixel, "Windows Terminal"),
    Row(
      "tmux without passthrough",
      Real.profile(Real.tmux, inTmux, tmux: Real.surroundings("kitty(0.41.1)", passthrough: false)),
      .symbols(.sextants, colors: .palette256), "tmux set -g allow-passthrough on"),
    Row(
      "tmux in kitty", Real.profile(Real.tmux, inTmux, tmux: Real.surroundings("kitty(0.41.1)")),
      .kittyPlaceholders(throughTmux: true), "kitty 0.41.1"),
    Row(
      "tmux in kitty in the C locale",
      Real.profile(
        Real.tmux, inTmux.merging(["LC_ALL": "C"]) { $1 },
        tmux: Real.surroundings("kitty(0.41.1)"), isUnicode: false),
      .symbols(.ascii, colors: .palette256), "UTF-8 locale; this one is C"),
    Row(
      "tmux in an old kitty",
      Real.profile(
        Real.tmux, inTmux, tmux: Real.surroundings("kitty(0.26.5)", features: "256,RGB,title")),
      .symbols(.sextants, colors: .direct), "kitty 0.26.5 shows none"),
    Row(
      "tmux in what does not name itself",
      Real.profile(Real.tmux, inTmux, tmux: Real.surroundings("")),
      .symbols(.quadrants, colors: .palette256), "does not know the terminal"),
    Row(
      "tmux in tmux", Real.profile(Real.tmux, inTmux, tmux: Real.surroundings("tmux 3.3a")),
      .symbols(.quadrants, colors: .palette256), "tmux 3.3a shows none"),
    Row(
      "tmux that is too slow", Real.profile(Real.tmux, inTmux),
      .symbols(.quadrants, colors: .palette256), "tmux did not answer in time"),
    Row(
      "tmux with sixel in foot, without passthrough",
      Real.profile(
        Real.tmuxSixel, inTmux,
        tmux: Real.surroundings("foot(1.13.1)", passthrough: false, features: "sixel,title")),
      .sixel, "both"),
    Row(
      "tmux with sixel in xterm",
      Real.profile(
        Real.tmuxSixel, inTmux, tmux: Real.surroundings("XTerm(379)", features: "RGB")),
      .symbols(.quadrants, colors: .direct), "XTerm 379 shows none"),
    Row(
      "tmux over ssh", Real.profile(Real.tmux, ["TERM": "screen-256color", "SSH_TTY": "x"]),
      .symbols(.quadrants, colors: .palette256), "choosing kitty tries"),
    Row(
      "an old tmux over ssh",
      Real.profile("\u{1B}[>84;0;0c\u{1B}[?1;2c", ["TERM": "screen", "SSH_TTY": "x"]),
      .symbols(.quadrants, colors: .palette256), "choosing kitty tries"),
    Row(
      "a kitty started from tmux", Real.profile(Real.kitty041, inTmux),
      .kittyPlaceholders(throughTmux: false), "kitty 0.41.1"),
    Row(
      "screen 4.9, whose COLORTERM is inherited",
      Real.profile(
        Real.screen49, ["TERM": "screen-256color", "STY": "1.pts", "COLORTERM": "24bit"]),
      .symbols(.quadrants, colors: .palette256), "GNU screen does not pass"),
    Row(
      "screen 5 over ssh",
      Real.profile(Real.screen5, ["TERM": "screen-256color", "COLORTERM": "truecolor"]),
      .symbols(.quadrants, colors: .direct), "GNU screen does not pass"),
    Row(
      "screen in tmux that is too slow",
      Real.profile(Real.silent, inTmux.merging(["STY": "1", "COLORTERM": "24bit"]) { $1 }),
      .symbols(.quadrants, colors: .palette256), "GNU screen does not pass"),
    Row(
      "Zellij in kitty", Real.profile("\u{1B}[?62c", ["TERM": "xterm-kitty", "ZELLIJ": "0"]),
      .symbols(.quadrants, colors: .direct), "Zellij does not pass"),
    Row(
      "the Linux console", Real.profile(Real.linuxConsole, ["TERM": "linux"], declaredColors: 8),
      .symbols(.halves, colors: .palette8), "offers no graphics"),
    Row(
      "a silent terminal", Real.profile(Real.silent), .symbols(.quadrants, colors: .palette256),
      "did not answer within 3 ms"),
    Row(
      "dumb", Real.profile(Real.silent, ["TERM": "dumb"], declaredColors: -1),
      .symbols(.quadrants, colors: .mono), "The terminal dumb"),
    Row(
      "NO_COLOR", Real.profile(Real.xterm, ["TERM": "xterm", "NO_COLOR": "1"]),
      .symbols(.quadrants, colors: .mono), "offers no graphics"),
    Row(
      "16 colors", Real.profile(Real.silent, ["TERM": "xterm-16color"], declaredColors: 16),
      .symbols(.quadrants, colors: .palette16), "not answer"),
    Row(
      "COLORTERM", Real.profile(Real.silent, ["TERM": "xterm", "COLORTERM": "24bit"]),
      .symbols(.quadrants, colors: .direct), "not answer"),
  ]

  @Test("Each terminal gets the best way that works in it", arguments: automatic)
  func chooses(_ row: Row) {
    let choice = PictureChoice(for: row.profile)
    #expect(choice.path == row.path)
    #expect(choice.reason.contains(row.reason), "\(choice.reason)")
    #expect(choice.reason.hasSuffix(".") || choice.reason.hasSuffix("on"))
  }

  static let forced: [(option: GraphicsOption, row: Row)] = [
    (
      .kitty,
      Row(
        "k", Real.profile(Real.kitty041), .kittyPlaceholders(throughTmux: false), "You chose kitty."
      )
    ),
    (.kitty, Row("k", Real.profile(Real.wezTerm), .kittyPlacement, "You chose kitty.")),
    (.kitty, Row("k", Real.profile(Real.silent), .kittyPlacement, "did not offer it")),
    (
      .kitty,
      Row(
        "k", Real.profile(Real.tmux, inTmux), .kittyPlaceholders(throughTmux: true),
        "did not offer it")
    ),
    (
      .kitty,
      Row(
        "k", Real.profile("", ["TERM": "screen", "STY": "1"]), .kittyPlacement, "did not offer it")
    ),
    (
      .kitty,
      Row(
        "dumb", Real.profile("", ["TERM": "dumb"]), .symbols(.quadrants, colors: .mono),
        "The terminal dumb")
    ),
    (.sixel, Row("s", Real.profile(Real.konsole), .sixel, "You chose sixel.")),
    (.sixel, Row("s", Real.profile(Real.xterm), .sixel, "did not offer it")),
    (.sixel, Row("s", Real.profile(Real.tmuxSixel, inTmux), .sixel, "did not offer it")),
    (.iterm, Row("i", Real.profile(Real.mintty), .iterm2, "You chose iterm.")),
    (.iterm, Row("i", Real.profile(Real.foot), .iterm2, "did not offer it")),
    (
      .symbols,
      Row("y", Real.profile(Real.foot), .symbols(.sextants, colors: .direct), "You chose symbols")
    ),
    (
      .symbols,
      Row(
        "y", Real.profile(Real.foot, isUnicode: false), .symbols(.ascii, colors: .direct),
        "You chose symbols")
    ),
    (
      .ascii,
      Row("a", Real.profile(Real.foot), .symbols(.ascii, colors: .direct), "You chose ASCII")
    ),
    (.none, Row("n", Real.profile(Real.foot), .none, "You chose no")),
  ]

  @Test("The user's choice is honored, and the reason says if it was offered", arguments: forced)
  func honors(_ option: GraphicsOption, row: Row) {
    let choice = PictureChoice(for: row.profile, option: option)
    #expect(choice.path == row.path)
    #expect(choice.reason.contains(row.reason), "\(choice.reason)")
  }
}
