/// A position or a direction on the drawing; x grows to the right, y downwards.
struct Point: Hashable, Sendable {
  var x: Double
  var y: Double

  init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }

  static func + (left: Point, right: Point) -> Point { Point(left.x + right.x, left.y + right.y) }
  static func - (left: Point, right: Point) -> Point { Point(left.x - right.x, left.y - right.y) }
  static func * (left: Point, right: Double) -> Point { Point(left.x * right, left.y * right) }

  var length: Double { (x * x + y * y).squareRoot() }

  /// The same direction with length 1; straight up for a zero vector.
  var normalized: Point {
    let length = length
    return length > 1e-9 ? Point(x / length, y / length) : Point(0, -1)
  }

  /// The direction rotated by 90 degrees clockwise (y grows downwards).
  var perpendicular: Point { Point(-y, x) }

  func rotated(by angle: Double) -> Point {
    let sine = Turn.sine(angle)
    let cosine = Turn.cosine(angle)
    return Point(x * cosine - y * sine, x * sine + y * cosine)
  }

  func mixed(with other: Point, _ share: Double) -> Point { self + (other - self) * share }
}

/// Computes sine and cosine reproducibly.
///
/// A C library may change the last bit, and with it the bytes of a seed's drawing.
enum Turn {
  static let whole = 2 * Double.pi

  /// Returns the sine of an angle in radians, to about 1e-9.
  static func sine(_ angle: Double) -> Double {
    var rest = angle - (angle / whole).rounded(.toNearestOrEven) * whole
    if rest > .pi / 2 { rest = .pi - rest }
    if rest < -.pi / 2 { rest = -.pi - rest }
    let square = rest * rest
    // The Taylor series up to the 13th power.
    var sum = 1 / 6_227_020_800.0
    sum = sum * square - 1 / 39_916_800.0
    sum = sum * square + 1 / 362_880.0
    sum = sum * square - 1 / 5_040.0
    sum = sum * square + 1 / 120.0
    sum = sum * square - 1 / 6.0
    return rest * (sum * square + 1)
  }

  /// Returns the cosine of an angle in radians.
  static func cosine(_ angle: Double) -> Double { sine(angle + .pi / 2) }
}

/// An affine transform of the plane: x' = a x + c y + tx, y' = b x + d y + ty.
struct Transform: Hashable, Sendable {
  var a = 1.0
  var b = 0.0
  var c = 0.0
  var d = 1.0
  var tx = 0.0
  var ty = 0.0

  /// Returns the transform that rotates and scales around the origin, then moves it to `origin`.
  static func placing(
    at origin: Point, scale: Double = 1, angle: Double = 0, mirrored: Bool = false
  ) -> Transform {
    let sine = Turn.sine(angle) * scale
    let cosine = Turn.cosine(angle) * scale
    let flip = mirrored ? -1.0 : 1.0
    return Transform(
      a: cosine * flip, b: sine * flip, c: -sine, d: cosine, tx: origin.x, ty: origin.y)
  }

  func callAsFunction(_ point: Point) -> Point {
    Point(a * point.x + c * point.y + tx, b * point.x + d * point.y + ty)
  }

  /// Returns the transform that applies `inner` first and then this one.
  func after(_ inner: Transform) -> Transform {
    Transform(
      a: a * inner.a + c * inner.b, b: b * inner.a + d * inner.b,
      c: a * inner.c + c * inner.d, d: b * inner.c + d * inner.d,
      tx: a * inner.tx + c * inner.ty + tx, ty: b * inner.tx + d * inner.ty + ty)
  }

  /// The inverse transform.
  ///
  /// The transform must not flatten the plane.
  var inverse: Transform {
    let determinant = a * d - b * c
    precondition(abs(determinant) > 1e-18, "a flat map has no way back")
    let scale = 1 / determinant
    return Transform(
      a: d * scale, b: -b * scale, c: -c * scale, d: a * scale,
      tx: (c * ty - d * tx) * scale, ty: (b * tx - a * ty) * scale)
  }

  /// The average scale factor of lengths.
  var scale: Double { abs(a * d - b * c).squareRoot() }
}
