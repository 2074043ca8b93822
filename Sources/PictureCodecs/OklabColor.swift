internal import Glibc

/// A color in Oklab, where equal distances look equally different (Björn Ottosson,
/// https://bottosson.github.io/posts/oklab).
struct OklabColor: Hashable, Sendable {
  /// From 0, black, to 1, white.
  package let lightness: Double
  /// From green to red; 0 for grays.
  let greenRed: Double
  /// From blue to yellow; 0 for grays.
  let blueYellow: Double

  /// The distance from gray: at most about 0.32 for any color of sRGB.
  var chroma: Double { (greenRed * greenRed + blueYellow * blueYellow).squareRoot() }

  /// Creates the color from three sRGB channels.
  init(red: UInt8, green: UInt8, blue: UInt8) {
    let (red, green, blue) = (Self.linear(red), Self.linear(green), Self.linear(blue))
    let long = cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
    let medium = cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
    let short = cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
    lightness = 0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short
    greenRed = 1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short
    blueYellow = 0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short
  }

  /// Creates the color from a number written as 0xRRGGBB.
  init(_ hex: UInt32) {
    self.init(
      red: UInt8(truncatingIfNeeded: hex >> 16), green: UInt8(truncatingIfNeeded: hex >> 8),
      blue: UInt8(truncatingIfNeeded: hex))
  }

  /// Returns how different the colors' names are likely to be.
  ///
  /// Hue and chroma count twice as much as lightness, since a shadow does not change the name of a
  /// color.
  package func difference(from other: OklabColor) -> Double {
    let light = lightness - other.lightness
    let red = 2 * (greenRed - other.greenRed)
    let yellow = 2 * (blueYellow - other.blueYellow)
    return light * light + red * red + yellow * yellow
  }

  /// Inverts the transfer function of sRGB (IEC 61966-2-1).
  private static func linear(_ channel: UInt8) -> Double {
    let value = Double(channel) / 255
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }
}
