package enum ColorDepth: String, Hashable, Sendable, CaseIterable {
  case mono
  case palette8
  case palette16
  case palette256
  /// Any 24-bit color.
  case direct

  /// Determines the depth from what is known about the terminal.
  init(of profile: TerminalProfile) {
    if profile.environment.wantsNoColor || profile.environment.isDumb {
      self = .mono
    } else if profile.hasDirectColor {
      self = .direct
    } else {
      self.init(count: profile.declaredColors ?? 0)
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

extension TerminalProfile {
  /// Whether `SGR 38;2` shows 24-bit colors.
  fileprivate var hasDirectColor: Bool {
    let isPromised = ["truecolor", "24bit"].contains(environment["COLORTERM"])
    return switch multiplexer {
    // It maps them to the nearest of 256 for a terminal without. Dithering to 256 ourselves looks
    // better, so a guess by the terminal's name is not enough.
    case .tmux: isPromised || surroundings?.hasDirectColor == true
    // Before 5.0 it prints them as noise. The variable is inherited from the terminal around it.
    case .screen: isPromised && answers.version?.isAtLeast(5) == true
    case .zellij, nil: isPromised || version?.product.hasDirectColor == true
    }
  }
}

extension TerminalVersion.Product {
  /// Whether the terminal understands `SGR 38;2`.
  ///
  /// Every version that answers XTVERSION or identifies itself in the environment does, whatever
  /// TERM says (xterm since 331; XTVERSION came with 354).
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
