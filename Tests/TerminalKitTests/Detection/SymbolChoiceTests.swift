internal import TerminalKitTestSupport
internal import Testing

@testable import TerminalKit

/// Which symbols each terminal gets.
struct SymbolChoiceTests {
  typealias Real = RealTerminals

  static let chosen: [(name: String, profile: TerminalProfile, symbols: PictureMethod.Symbols)] = [
    ("kitty", Real.profile(Real.kitty026), .sextants),
    ("Ghostty", Real.profile(Real.ghostty), .sextants),
    ("Konsole", Real.profile(Real.konsole), .sextants),
    ("foot", Real.profile(Real.foot), .sextants),
    ("WezTerm", Real.profile(Real.wezTerm), .sextants),
    ("VTE", Real.profile(Real.vte), .sextants),
    ("an old VTE", Real.profile("\u{1B}P>|VTE(5202)\u{1B}\\\u{1B}[?65;1;9c"), .quadrants),
    ("xterm", Real.profile(Real.xterm), .quadrants),
    ("Alacritty", Real.profile("\u{1B}[?6c", ["TERM": "alacritty"]), .quadrants),
    ("mintty", Real.profile(Real.mintty), .quadrants),
    ("iTerm2", Real.profile(Real.iTerm2), .quadrants),
    (
      "a vt100 that says that it is in kitty",
      Real.profile("", ["TERM": "vt100", "TERM_PROGRAM": "kitty"]),
      .quadrants
    ),
    ("the Linux console", Real.profile(Real.linuxConsole, ["TERM": "linux"]), .halves),
    ("the C locale", Real.profile(Real.kitty026, isUnicode: false), .ascii),
    ("tmux", Real.profile(Real.tmux, Real.inTmux), .quadrants),
    (
      "tmux that lets through to kitty",
      Real.profile(Real.tmux, Real.inTmux, tmux: Real.surroundings("kitty(0.26.5)")),
      .sextants
    ),
    ("tmux that knows of foot", inTmux("foot(1.13.1)"), .sextants),
    ("tmux that knows of xterm", inTmux("XTerm(379)"), .quadrants),
    ("tmux on the Linux console", inTmux("", term: "linux"), .halves),
    (
      "screen", Real.profile("", ["TERM": "screen", "STY": "1", "TERM_PROGRAM": "kitty"]),
      .quadrants
    ),
  ]

  static func inTmux(_ version: String, term: String = "xterm-256color") -> TerminalProfile {
    Real.profile(
      Real.tmux, Real.inTmux,
      tmux: Real.surroundings(version, passthrough: false, term: term))
  }

  @Test("Sextants go to terminals that are known to draw them", arguments: chosen)
  func automatic(_ name: String, _ profile: TerminalProfile, symbols: PictureMethod.Symbols) {
    let choice = SymbolChoice(for: profile)
    #expect(choice.symbols == symbols, "\(name): \(choice.reason)")
    #expect(choice.reason.hasSuffix("."))
  }

  @Test("The setting wins, unless the locale lacks the symbols")
  func setting() {
    for option in SymbolsOption.allCases where option != .auto {
      let choice = SymbolChoice(for: Real.profile(Real.xterm), option: option)
      #expect(choice.symbols.rawValue == option.rawValue)
      #expect(choice.reason == "The setting symbols asks for them.")
      let inASCII = SymbolChoice(for: Real.profile(Real.xterm, isUnicode: false), option: option)
      #expect(inASCII.symbols == .ascii)
    }
  }
}
