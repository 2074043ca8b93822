internal import TerminalKitTestSupport
import Testing

@testable import TerminalKit

@Suite struct InkThemeTests {
  typealias Real = RealTerminals

  @Test(arguments: [InkTheme(.dark), InkTheme(.light)], [8, 16, 256])
  func `red is reserved for errors`(_ theme: InkTheme, colors: Int) {
    // 1 and 9 of the first 16; of the cube (16 to 231) what has much red and little else.
    func isRed(_ number: Int16) -> Bool {
      guard number >= 16 else { return number == 1 || number == 9 }
      guard number < 232 else { return false }
      let (red, green, blue) = ((number - 16) / 36, (number - 16) / 6 % 6, (number - 16) % 6)
      return red >= 3 && green == 0 && blue <= 1
    }
    for ink in Ink.allCases where ink != .problem {
      if let color = theme.color(of: ink, of: colors) {
        #expect(!isRed(color.number), "\(ink) of \(colors)")
      }
    }
    #expect(theme.color(of: .problem, of: colors) != nil)
  }

  /// The bright red, yellow and bright yellow of known schemes, on their backgrounds, and which of
  /// them is near to rust.
  @Test(
    arguments: [
      // xterm
      (["ff/00/00", "cd/cd/00", "ff/ff/00"], "00/00/00", nil),
      // Gruvbox, dark and light
      (["fb/49/34", "d7/99/21", "fa/bd/2f"], "28/28/28", 3),
      (["9d/00/06", "d7/99/21", "b5/76/14"], "fb/f1/c7", nil),
      // Solarized, dark and light
      (["cb/4b/16", "b5/89/00", "65/7b/83"], "00/2b/36", 3),
      (["cb/4b/16", "b5/89/00", "65/7b/83"], "fd/f6/e3", nil),
      // Tokyo Night
      (["f7/76/8e", "e0/af/68", "e0/af/68"], "1a/1b/26", 3),
      // Dracula
      (["ff/6e/6e", "f1/fa/8c", "ff/ff/a5"], "28/2a/36", nil),
    ] as [([String], String, UInt8?)])
  func `the accent is the palette's own rust where it has one`(
    _ palette: [String], _ background: String, _ accent: UInt8?
  ) {
    let replies = zip([9, 3, 11], palette).map { "\u{1B}]4;\($0);rgb:\($1)\u{1B}\\" }.joined()
    let profile = Real.profile("\u{1B}]11;rgb:\(background)\u{07}" + replies + "\u{1B}[?62;c")
    let theme = InkTheme(.auto, profile: profile)
    #expect(theme.accent == accent)
    let drawn = theme.color(of: .accent, of: 256)?.number
    #expect(drawn == accent.map { Int16($0) } ?? (theme.ground == .light ? 130 : 208))
    #expect(
      theme.color(of: .key, of: 256)?.number == accent.map { Int16($0) }
        ?? drawn.map { $0 == 130 ? 94 : 216 })
  }

  @Test(
    arguments: [
      // xterm, and a terminal that does not tell
      ("ff/ff/ff", "00/00/00", 245), (nil, "00/2b/36", 245),
      // Solarized, dark and light, of which the latter has no readable text that is less
      ("83/94/96", "00/2b/36", 245), ("65/7b/83", "fd/f6/e3", nil),
      ("00/00/00", "ff/ff/ff", 241),
      // Zenburn, on whose gray the usual one would be too dark
      ("dc/dc/cc", "3f/3f/3f", 250),
    ] as [(String?, String, Int16?)])
  func `less important text is readable, and never brighter than the rest`(
    _ text: String?, _ background: String, _ number: Int16?
  ) {
    let foreground = text.map { "\u{1B}]10;rgb:\($0)\u{07}" } ?? ""
    let profile = Real.profile(foreground + "\u{1B}]11;rgb:\(background)\u{07}\u{1B}[?62;c")
    let theme = InkTheme(.auto, profile: profile)
    #expect(theme.color(of: .secondary, of: 256)?.number == number)
    for count in [8, 16] { #expect(theme.color(of: .secondary, of: count) == nil) }
  }

  static let entries: [(profile: TerminalProfile, entry: String?)] = [
    (Real.profile(Real.xterm, ["TERM": "xterm"], declaredColors: 8), "xterm-256color"),
    (Real.profile(Real.xterm, ["TERM": "xterm-256color"], declaredColors: 256), nil),
    (Real.profile(Real.xterm, ["TERM": "vt100"], declaredColors: -1), "xterm-256color"),
    (
      Real.profile("", ["TERM": "xterm", "COLORTERM": "truecolor"], declaredColors: 8),
      "xterm-256color"
    ),
    (
      Real.profile("", ["TERM": "xterm-color", "COLORTERM": "24bit"], declaredColors: 8),
      "xterm-256color"
    ),
    (Real.profile("", ["TERM": "xterm"], declaredColors: 8), nil),
    (Real.profile("", ["TERM": "linux", "COLORTERM": "truecolor"], declaredColors: 8), nil),
    (Real.profile(Real.xterm, ["TERM": "xterm", "NO_COLOR": "1"], declaredColors: 8), nil),
    (Real.profile(Real.tmux, ["TERM": "screen", "TMUX": "x"], declaredColors: 8), nil),
    (
      Real.profile(
        Real.tmux, ["TERM": "screen", "TMUX": "x", "COLORTERM": "truecolor"], declaredColors: 8),
      "screen-256color"
    ),
  ]

  @Test(arguments: entries)
  func `text has the detected colors, not those of the terminal's entry`(
    _ profile: TerminalProfile, entry: String?
  ) {
    let database = ["xterm": 8, "linux": 8, "xterm-256color": 256, "screen-256color": 256]
    #expect(profile.richerEntry { database[$0] } == entry)
  }
}
