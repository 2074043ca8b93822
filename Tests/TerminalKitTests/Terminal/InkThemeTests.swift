internal import TerminalKitTestSupport
import Testing

@testable import TerminalKit

@Suite struct InkThemeTests {
  typealias Real = RealTerminals

  @Test(arguments: [InkTheme.dark, .light], [8, 16, 256])
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
