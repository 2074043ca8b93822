internal import CNcurses

/// Which colours text has: for a dark background, for a light one, or none.
enum InkTheme: Hashable, Sendable {
  case dark, light, mono

  /// Chooses for a terminal.
  ///
  /// What the person set counts most, then what the terminal answered about its background
  /// (OSC 11), then COLORFGBG, which rxvt, Konsole and others set.
  init(_ theme: Theme, profile: TerminalProfile) {
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

  /// A colour of text.
  struct Color {
    /// Its number in the terminal's palette.
    var number: Int16
    var attributes: attr_t = 0
  }

  /// The colour of an ink in a terminal with so many colours; nil for the terminal's own.
  func color(of ink: Ink, of count: Int) -> Color? {
    let bold = panda_attribute_bold()
    let reverse = panda_attribute_reverse()
    guard count >= 256 else {
      // The eight colours of old: on white, yellow would be as good as nothing. Red, 1, is for
      // trouble alone.
      let yellow: Int16 = self == .light ? 4 : 3
      let cyan: Int16 = self == .light ? 4 : 6
      return switch ink {
      case .plain: nil
      case .dim: Color(number: self == .light ? 0 : 7)
      case .accent: Color(number: cyan, attributes: bold)
      case .title, .key: Color(number: yellow, attributes: bold)
      case .star: Color(number: self == .light ? 5 : 3)
      case .selected: Color(number: cyan, attributes: reverse)
      case .problem: Color(number: 1)
      }
    }
    // A red panda's rust, a star's gold: of xterm's cube of 6x6x6, with a contrast of 4.5 and more
    // on white or on black (WCAG 2.2).
    let isLight = self == .light
    return switch ink {
    case .plain: nil
    case .dim: Color(number: isLight ? 241 : 245)
    case .accent: Color(number: isLight ? 130 : 208, attributes: bold)
    case .title, .key: Color(number: isLight ? 94 : 216, attributes: bold)
    case .star: Color(number: isLight ? 136 : 220, attributes: isLight ? bold : 0)
    case .selected: Color(number: isLight ? 130 : 208, attributes: reverse)
    case .problem: Color(number: isLight ? 160 : 210)
    }
  }

  /// What stands for colours where there are none.
  @MainActor static var monochrome: [Ink: (attr_t, Int16)] {
    let bold = panda_attribute_bold()
    return [
      .dim: (panda_attribute_dim(), 0), .accent: (bold, 0), .title: (bold, 0), .star: (bold, 0),
      .key: (bold, 0), .selected: (panda_attribute_reverse(), 0), .problem: (bold, 0),
    ]
  }
}

extension TerminalAnswers.Color {
  /// Whether black text reads better on it than white: relative luminance above 0.18 (WCAG 2.2).
  var isLight: Bool {
    func linear(_ value: UInt8) -> Double {
      let share = Double(value) / 255
      return share * share  // a gamma of 2 is near enough
    }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue) > 0.18
  }
}

extension TerminalEnvironment {
  /// Whether COLORFGBG says that the background is light: its last number is white or light grey.
  var declaresLightBackground: Bool? {
    guard let last = self["COLORFGBG"]?.split(separator: ";").last, let number = Int(last) else {
      return nil
    }
    return number == 7 || number == 15
  }
}
