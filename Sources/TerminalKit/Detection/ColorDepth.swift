/// The number of colors that a terminal shows.
package enum ColorDepth: String, Hashable, Sendable, CaseIterable {
  case mono
  case palette8
  case palette16
  case palette256
  /// Any 24-bit color.
  case direct

  /// Determines the depth from what is known about the terminal.
  ///
  /// - Parameters:
  ///   - declared: the number of colors in the terminal database; nil if the terminal is not in it.
  ///   - product: the terminal that answered.
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

  /// Creates the depth for a number of colors, rounded down.
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

  /// A description of the depth.
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
  /// Whether the terminal understands `SGR 38;2`.
  ///
  /// Every version that answers XTVERSION or identifies itself in the environment does, whatever
  /// TERM says (xterm since 331; XTVERSION came with 354).
  ///
  /// tmux understands it as well, but maps it to the nearest of 256 colors for a terminal without
  /// direct color. Dithering to 256 ourselves looks better, so a guess is not enough for tmux.
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
