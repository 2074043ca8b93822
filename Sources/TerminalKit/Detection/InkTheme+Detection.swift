extension InkTheme {
  /// Chooses the theme for a terminal.
  ///
  /// The user's setting takes precedence, then the terminal's answer about its background (OSC 11),
  /// then COLORFGBG, which rxvt, Konsole and others set.
  package init(_ theme: Theme, profile: TerminalProfile) {
    if profile.environment.wantsNoColor {
      self.init(.mono)
      return
    }
    let ground: Ground =
      switch theme {
      case .dark: .dark
      case .light: .light
      case .auto:
        profile.background?.isLight ?? profile.environment.declaresLightBackground ?? false
          ? .light : .dark
      }
    let background = profile.background ?? (ground == .light ? .white : .black)
    let text = profile.foreground ?? (ground == .light ? .black : .white)
    self.init(
      ground, accent: Self.accent(of: profile.answers.palette, on: background),
      secondary: Self.secondary(ground, beside: text, on: background))
    hasPlainSecondary = text.contrast(with: background) < Self.leastContrast
  }

  /// The gray that is clearly dimmer than text of this color, yet readable; nil if the theme's is,
  /// or if none is.
  ///
  /// Schemes of little contrast, as Solarized, have text that is hardly brighter than that. The
  /// contrast is three quarters of that of the text, at least 4.5 (WCAG 2.2).
  private static func secondary(
    _ ground: Ground, beside text: TerminalAnswers.Color, on background: TerminalAnswers.Color
  ) -> UInt8? {
    func contrast(_ number: UInt8) -> Double {
      let level = 8 + 10 * (number - 232)
      return TerminalAnswers.Color(red: level, green: level, blue: level)
        .contrast(with: background)
    }
    let wanted = max(leastContrast, text.contrast(with: background) * 0.75)
    guard !(leastContrast...wanted).contains(contrast(usualSecondary(ground))) else { return nil }
    return (232...255).filter { contrast($0) >= leastContrast }
      .min { abs(contrast($0) - wanted) < abs(contrast($1) - wanted) }
  }

  /// The least contrast of text (WCAG 2.2).
  private static let leastContrast = 4.5

  /// The colors of the palette that may be the accent: yellow, and the bright red and yellow.
  ///
  /// Schemes like Gruvbox and Solarized have amber or orange there.
  static let possibleAccents = [3, 9, 11]

  /// The palette's color that is nearest to the rust of the accent, if it has a readable one.
  ///
  /// Its hue is that of the theme's own accent, or at most 17 degrees away: red and plain yellow
  /// are not. Its contrast is at least 4.5 (WCAG 2.2), and it is clearly a color.
  private static func accent(
    of palette: [Int: TerminalAnswers.Color], on background: TerminalAnswers.Color
  ) -> UInt8? {
    func distance(_ color: TerminalAnswers.Color) -> Double { abs(color.hue - 32) }
    let suitable = palette.filter { _, color in
      distance(color) <= 17 && color.saturation >= 0.35
        && color.contrast(with: background) >= leastContrast
    }
    return suitable.min { (distance($0.value), $0.key) < (distance($1.value), $1.key) }
      .map { UInt8($0.key) }
  }
}

extension TerminalAnswers.Color {
  /// Whether black text reads better on this color than white: relative luminance > 0.18 (WCAG
  /// 2.2).
  var isLight: Bool { luminance > 0.18 }

  fileprivate static let black = Self(red: 0, green: 0, blue: 0)
  fileprivate static let white = Self(red: 255, green: 255, blue: 255)

  /// The relative luminance (WCAG 2.2), from 0 to 1.
  private var luminance: Double {
    func linear(_ value: UInt8) -> Double {
      let share = Double(value) / 255
      return share * share  // a gamma of 2 is near enough
    }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }

  /// The contrast with another color (WCAG 2.2), from 1 to 21.
  fileprivate func contrast(with other: Self) -> Double {
    (max(luminance, other.luminance) + 0.05) / (min(luminance, other.luminance) + 0.05)
  }

  private var channels: [Double] { [Double(red), Double(green), Double(blue)] }

  /// The saturation of the HSV model, from 0 to 1.
  fileprivate var saturation: Double {
    let (least, most) = (channels.min() ?? 0, channels.max() ?? 0)
    return most == 0 ? 0 : (most - least) / most
  }

  /// The hue in degrees: 0 red, 60 yellow, 120 green; 0 for grays.
  fileprivate var hue: Double {
    let (least, most) = (channels.min() ?? 0, channels.max() ?? 0)
    guard most > least else { return 0 }
    let (red, green, blue) = (channels[0], channels[1], channels[2])
    let sixth =
      switch most {
      case red: (green - blue) / (most - least)
      case green: 2 + (blue - red) / (most - least)
      default: 4 + (red - green) / (most - least)
      }
    return (sixth < 0 ? sixth + 6 : sixth) * 60
  }
}

extension TerminalEnvironment {
  /// Whether COLORFGBG declares a light background: its last number is white or light gray.
  var declaresLightBackground: Bool? {
    guard let last = self["COLORFGBG"]?.split(separator: ";").last, let number = Int(last) else {
      return nil
    }
    return number == 7 || number == 15
  }
}
