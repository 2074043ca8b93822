package import CNcurses

/// The colors of text: those of a theme, changed by the terminal's palette.
package struct InkTheme: Hashable, Sendable {
  /// The background that the colors are made for.
  package enum Ground: Hashable, Sendable {
    /// A dark background, a light one, or no colors at all.
    case dark, light, mono
  }

  package struct Color: Hashable {
    /// Its index in the terminal's palette.
    package var number: Int16
    package var attributes: attr_t = 0
  }

  package var ground: Ground
  /// The accent among the terminal's own 16 colors; nil for the theme's.
  package var accent: UInt8?
  /// The gray of less important text; nil for the theme's.
  package var secondary: UInt8?
  /// Whether ordinary text has so little contrast that less important text cannot have less.
  package var hasPlainSecondary = false

  package init(_ ground: Ground, accent: UInt8? = nil, secondary: UInt8? = nil) {
    self.ground = ground
    self.accent = accent
    self.secondary = secondary
  }

  /// Returns the color of an ink, for a terminal with `count` colors; nil for the default color.
  package func color(of ink: Ink, of count: Int) -> Color? {
    if ink == .secondary, hasPlainSecondary { return nil }
    guard var color = count >= 256 ? ofMany(ink) : ofFew(ink) else { return nil }
    if let accent, [.accent, .title, .key, .selected].contains(ink) {
      // A terminal with eight colors has no bright ones.
      color.number = Int16(count < 16 ? accent % 8 : accent)
    } else if let secondary, ink == .secondary, count >= 256 {
      color.number = Int16(secondary)
    }
    return color
  }

  /// The original eight colors: yellow would be almost invisible on white.
  ///
  /// Red, 1, is reserved for errors.
  private func ofFew(_ ink: Ink) -> Color? {
    let bold = panda_attribute_bold()
    let isLight = ground == .light
    let yellow: Int16 = isLight ? 4 : 3
    let cyan: Int16 = isLight ? 4 : 6
    return switch ink {
    // There is no gray that is readable on any of these terminals.
    case .plain, .secondary: nil
    case .dim: Color(number: isLight ? 0 : 7, attributes: panda_attribute_dim())
    case .accent: Color(number: cyan, attributes: bold)
    case .title, .key: Color(number: yellow, attributes: bold)
    case .star: Color(number: isLight ? 5 : 3)
    case .mark: Color(number: isLight ? 5 : 3, attributes: panda_attribute_reverse())
    case .selected: Color(number: cyan, attributes: panda_attribute_reverse())
    case .problem: Color(number: 1)
    }
  }

  /// The accent's rust and a star's gold from xterm's 6x6x6 cube, with a contrast of at least 4.5
  /// on white or on black (WCAG 2.2).
  private func ofMany(_ ink: Ink) -> Color? {
    let bold = panda_attribute_bold()
    let isLight = ground == .light
    return switch ink {
    case .plain: nil
    case .secondary: Color(number: Int16(Self.usualSecondary(ground)))
    case .dim: Color(number: isLight ? 246 : 241)
    case .accent: Color(number: isLight ? 130 : 208, attributes: bold)
    case .title, .key: Color(number: isLight ? 94 : 216, attributes: bold)
    case .star: Color(number: isLight ? 94 : 220, attributes: isLight ? bold : 0)
    case .mark: Color(number: isLight ? 94 : 220, attributes: panda_attribute_reverse())
    case .selected: Color(number: isLight ? 130 : 208, attributes: panda_attribute_reverse())
    case .problem: Color(number: isLight ? 160 : 210)
    }
  }

  /// The gray of a theme's less important text, among those of xterm's palette from 232 (#080808)
  /// to 255 (#eeeeee).
  static func usualSecondary(_ ground: Ground) -> UInt8 { ground == .light ? 241 : 245 }

  /// The attributes that replace colors where there are none.
  @MainActor static var monochrome: [Ink: (attr_t, Int16)] {
    let bold = panda_attribute_bold()
    return [
      .dim: (panda_attribute_dim(), 0), .accent: (bold, 0), .title: (bold, 0), .star: (bold, 0),
      .key: (bold, 0), .selected: (panda_attribute_reverse(), 0), .problem: (bold, 0),
      .mark: (panda_attribute_reverse(), 0),
    ]
  }
}
