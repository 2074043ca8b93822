/// How many colours a terminal shows.
package enum ColorDepth: String, Hashable, Sendable, CaseIterable {
  case mono
  case palette8
  case palette16
  case palette256
  /// Any colour of 24 bits.
  case direct

  /// Chooses by what is known.
  ///
  /// - Parameters:
  ///   - declared: the terminal database's number of colours; nil when the terminal is not in it.
  ///   - product: which terminal answered.
  init(environment: TerminalEnvironment, declared: Int?, product: TerminalVersion.Product?) {
    let says = environment["COLORTERM"].map { $0 == "truecolor" || $0 == "24bit" } == true
    if environment.wantsNoColor || environment.isDumb {
      self = .mono
    } else if says || product?.hasDirectColor == true {
      self = .direct
    } else {
      self.init(count: declared ?? 0)
    }
  }

  /// The depth of a number of colours, rounded down.
  init(count: Int) {
    self =
      switch count {
      case ..<8: .mono
      case 8..<16: .palette8
      case 16..<256: .palette16
      case 256..<(1 << 15): .palette256
      default: .direct
      }
  }

  /// The depth in words.
  package var words: String {
    switch self {
    case .mono: "none"
    case .palette8: "8"
    case .palette16: "16"
    case .palette256: "256"
    case .direct: "16 million"
    }
  }
}

extension TerminalVersion.Product {
  /// Every version that answers XTVERSION or names itself understands `SGR 38;2`, whatever TERM
  /// says (xterm from 331 on; XTVERSION came with 354).
  ///
  /// tmux understands it as well, and makes the nearest of 256 of it for a terminal that cannot;
  /// dithering to 256 ourselves looks better, so it must be sure.
  var hasDirectColor: Bool {
    switch self {
    case .alacritty, .contour, .foot, .ghostty, .iTerm2, .kitty, .konsole, .mintty, .mlterm,
      .vsCode,
      .vte, .wezTerm, .windowsTerminal, .xterm:
      true
    case .appleTerminal, .screen, .tmux, .other: false
    }
  }
}
