extension InkTheme {
  /// Chooses the theme for a terminal.
  ///
  /// The user's setting takes precedence, then the terminal's answer about its background (OSC 11),
  /// then COLORFGBG, which rxvt, Konsole and others set.
  package init(_ theme: Theme, profile: TerminalProfile) {
    if profile.environment.wantsNoColor {
      self = .mono
      return
    }
    switch theme {
    case .dark: self = .dark
    case .light: self = .light
    case .auto:
      let isLight =
        profile.background?.isLight ?? profile.environment.declaresLightBackground ?? false
      self = isLight ? .light : .dark
    }
  }
}

extension TerminalAnswers.Color {
  /// Whether black text reads better on this color than white: relative luminance > 0.18 (WCAG
  /// 2.2).
  var isLight: Bool {
    func linear(_ value: UInt8) -> Double {
      let share = Double(value) / 255
      return share * share  // a gamma of 2 is near enough
    }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue) > 0.18
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
