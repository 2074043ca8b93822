/// An sRGB color: red, green, blue and opacity, each from 0 to 1.
struct Color: Hashable, Sendable {
  var red: Double
  var green: Double
  var blue: Double
  var alpha: Double

  init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// Creates the color from a number written as 0xRRGGBB.
  init(_ hex: UInt32, alpha: Double = 1) {
    red = Double((hex &>> 16) & 255) / 255
    green = Double((hex &>> 8) & 255) / 255
    blue = Double(hex & 255) / 255
    self.alpha = alpha
  }

  func mixed(with other: Color, _ share: Double) -> Color {
    Color(
      red: red + (other.red - red) * share, green: green + (other.green - green) * share,
      blue: blue + (other.blue - blue) * share, alpha: alpha + (other.alpha - alpha) * share)
  }

  func lighter(_ share: Double) -> Color { mixed(with: Color(0xFFFFFF, alpha: alpha), share) }
  func darker(_ share: Double) -> Color { mixed(with: Color(0x000000, alpha: alpha), share) }

  func faded(_ alpha: Double) -> Color {
    Color(red: red, green: green, blue: blue, alpha: self.alpha * alpha)
  }

  func lit(by light: Color) -> Color {
    Color(red: red * light.red, green: green * light.green, blue: blue * light.blue, alpha: alpha)
  }

  /// The color as 0xAARRGGBB.
  var packed: UInt32 {
    func byte(_ value: Double) -> UInt32 { UInt32(max(0, min(1, value)) * 255 + 0.5) }
    return byte(alpha) &<< 24 | byte(red) &<< 16 | byte(green) &<< 8 | byte(blue)
  }
}

/// A color at a position (0 to 1) of a gradient.
struct Stop: Hashable, Sendable {
  var place: Double
  var color: Color

  init(_ place: Double, _ color: Color) {
    self.place = place
    self.color = color
  }
}

/// The fill of a shape.
///
/// Gradient positions use the coordinates of the shape.
enum Paint: Sendable {
  case solid(Color)
  /// The stops run from the first point to the second, in ascending order.
  case linear(Point, Point, [Stop])
  /// The stops run from the center to the edge of an ellipse with these radii.
  case radial(Point, Double, Double, [Stop])

  static func linear(_ start: Point, _ end: Point, _ first: Color, _ last: Color) -> Paint {
    .linear(start, end, [Stop(0, first), Stop(1, last)])
  }

  /// Returns a soft spot that fades to nothing at its edge.
  static func glow(_ center: Point, _ radiusX: Double, _ radiusY: Double, _ color: Color) -> Paint {
    .radial(
      center, radiusX, radiusY,
      [
        Stop(0, color), Stop(0.3, color.faded(0.72)), Stop(0.6, color.faded(0.26)),
        Stop(0.85, color.faded(0.05)), Stop(1, color.faded(0)),
      ])
  }
}
