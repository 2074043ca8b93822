package import CNcurses

/// The text colors: for a dark background, for a light one, or none.
package enum InkTheme: Hashable, Sendable {
  case dark, light, mono

  /// A text color.
  package struct Color {
    /// Its index in the terminal's palette.
    package var number: Int16
    package var attributes: attr_t = 0
  }

  /// Returns the color of an ink, for a terminal with `count` colors; nil for the default color.
  package func color(of ink: Ink, of count: Int) -> Color? {
    let bold = panda_attribute_bold()
    let reverse = panda_attribute_reverse()
    guard count >= 256 else {
      // The original eight colors: yellow would be almost invisible on white. Red, 1, is reserved
      // for errors.
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
    // A red panda's rust and a star's gold from xterm's 6x6x6 cube, with a contrast of at least 4.5
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

  /// The attributes that replace colors where there are none.
  @MainActor static var monochrome: [Ink: (attr_t, Int16)] {
    let bold = panda_attribute_bold()
    return [
      .dim: (panda_attribute_dim(), 0), .accent: (bold, 0), .title: (bold, 0), .star: (bold, 0),
      .key: (bold, 0), .selected: (panda_attribute_reverse(), 0), .problem: (bold, 0),
    ]
  }
}
