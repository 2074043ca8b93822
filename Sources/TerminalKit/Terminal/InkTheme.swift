package import CNcurses

/// Which colours text has: for a dark background, for a light one, or none.
package enum InkTheme: Hashable, Sendable {
  case dark, light, mono

  /// A colour of text.
  package struct Color {
    /// Its number in the terminal's palette.
    package var number: Int16
    package var attributes: attr_t = 0
  }

  /// The colour of an ink in a terminal with so many colours; nil for the terminal's own.
  package func color(of ink: Ink, of count: Int) -> Color? {
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
