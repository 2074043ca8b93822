package enum SymbolsOption: String, Hashable, Sendable, CaseIterable {
  case auto, sextants, quadrants, halves, ascii
}

/// The characters that represent pixels in a terminal, and the reason for the choice.
package struct SymbolChoice: Hashable, Sendable {
  package let symbols: PictureMethod.Symbols
  /// A complete sentence.
  package let reason: String

  /// Chooses the best symbols that the terminal is known to show.
  ///
  /// Few fonts have sextants, and DejaVu does not, so only terminals that draw them without a font
  /// get them.
  package init(for profile: TerminalProfile, option: SymbolsOption = .auto) {
    if !profile.isUnicode, option != .ascii {
      self.init(.ascii, "The locale is not UTF-8.")
    } else if let symbols = PictureMethod.Symbols(rawValue: option.rawValue) {
      self.init(symbols, "The setting symbols asks for them.")
    } else if profile.drawingTerm == "linux" {
      self.init(.halves, "The Linux console's fonts have few other symbols.")
    } else if let version = profile.symbolVersion {
      self.init(
        version.drawsSextants ? .sextants : .quadrants,
        version.drawsSextants
          ? "\(version.words) draws sextants itself."
          : "\(version.words) is not known to draw sextants.")
    } else {
      self.init(.quadrants, "The terminal may not draw sextants.")
    }
  }

  private init(_ symbols: PictureMethod.Symbols, _ reason: String) {
    self.symbols = symbols
    self.reason = reason
  }
}

extension TerminalProfile {
  /// The identity of the terminal that ultimately draws, from its own answer: variables may be
  /// inherited.
  fileprivate var symbolVersion: TerminalVersion? {
    switch multiplexer {
    case .tmux: surroundings?.version
    case .screen, .zellij: nil
    // The same VS Code widget answers for every program that embeds it.
    case nil: answers.version
    }
  }

  /// The TERM of the terminal that ultimately draws; empty if unknown.
  fileprivate var drawingTerm: String {
    switch multiplexer {
    case .tmux: surroundings?.term ?? ""
    case .screen, .zellij: ""
    case nil: environment.term
    }
  }
}

extension TerminalVersion {
  /// Whether the terminal draws U+1FB00 to U+1FB3B without a font, in its default configuration.
  ///
  /// Tested with only DejaVu installed: foot 1.13.1, kitty 0.26.5, Konsole 22.12.3 and VTE 0.70.6
  /// do, xterm 379 and Alacritty 0.11 do not (Alacritty does from 0.14 on, but does not report its
  /// version). WezTerm does according to its documentation of custom_block_glyphs, Ghostty
  /// according to its source (font/sprite).
  var drawsSextants: Bool {
    switch product {
    case .foot: isAtLeast(1, 13)
    case .ghostty: true
    case .kitty: isAtLeast(0, 26)
    case .konsole: isAtLeast(22, 12)
    case .vte: isAtLeast(7006)
    case .wezTerm: isAtLeast(20_210_814)
    case .alacritty, .appleTerminal, .contour, .iTerm2, .mintty, .mlterm, .screen, .tmux, .vsCode,
      .windowsTerminal, .xterm, .other:
      false
    }
  }
}
