/// An outline of lines and cubic curves; every contour counts as closed when filled.
struct Path: Sendable {
  enum Element: Sendable {
    case move(Point)
    case line(Point)
    case cubic(Point, Point, Point)
  }

  private(set) var elements: [Element] = []

  init() {}

  mutating func move(to point: Point) { elements.append(.move(point)) }
  mutating func line(to point: Point) { elements.append(.line(point)) }
  mutating func curve(to end: Point, _ first: Point, _ second: Point) {
    elements.append(.cubic(first, second, end))
  }
  mutating func append(_ other: Path) { elements += other.elements }

  init(polygon points: [Point]) {
    for (index, point) in points.enumerated() {
      if index == 0 { move(to: point) } else { line(to: point) }
    }
  }

  /// Creates an ellipse, rotated by `angle` radians.
  ///
  /// It runs clockwise, as y grows downwards.
  init(ellipse center: Point, _ radiusX: Double, _ radiusY: Double, angle: Double = 0) {
    // The usual circle of four cubics: off by at most 0.03 % of the radius.
    let handle = 0.5522847498
    let place = Transform.placing(at: center, angle: angle)
    func at(_ x: Double, _ y: Double) -> Point { place(Point(x * radiusX, y * radiusY)) }
    move(to: at(1, 0))
    curve(to: at(0, 1), at(1, handle), at(handle, 1))
    curve(to: at(-1, 0), at(-handle, 1), at(-1, handle))
    curve(to: at(0, -1), at(-1, -handle), at(-handle, -1))
    curve(to: at(1, 0), at(handle, -1), at(1, -handle))
  }

  init(rectangle low: Point, _ high: Point) {
    self.init(polygon: [low, Point(high.x, low.y), high, Point(low.x, high.y)])
  }

  /// Creates the closed smooth curve (Catmull-Rom) through all `points`.
  init(smooth points: [Point]) {
    let count = points.count
    guard count > 2 else { return }
    move(to: points[0])
    for index in 0..<count {
      let before = points[(index + count - 1) % count]
      let start = points[index]
      let end = points[(index + 1) % count]
      let after = points[(index + 2) % count]
      curve(to: end, start + (end - before) * (1 / 6), end - (after - start) * (1 / 6))
    }
  }

  /// Creates a smooth shape that is symmetric about x = 0.
  ///
  /// `half` runs down the right side, from the top point on the axis to the bottom one.
  init(symmetric half: [Point]) {
    let left = half.dropFirst().dropLast().reversed().map { Point(-$0.x, $0.y) }
    self.init(smooth: half + left)
  }

  /// Creates a pointed leaf from `base` to `tip`, `width` wide, that leans to one side by `bend`.
  init(leaf base: Point, tip: Point, width: Double, bend: Double = 0) {
    let along = tip - base
    let side = along.normalized.perpendicular
    move(to: base)
    curve(
      to: tip, base + along * 0.25 + side * (width * 0.7 + bend),
      base + along * 0.65 + side * (width * 0.45 + bend))
    curve(
      to: base, base + along * 0.65 - side * (width * 0.45 - bend),
      base + along * 0.25 - side * (width * 0.7 - bend))
  }

  func transformed(by map: Transform) -> Path {
    var result = Path()
    result.elements = elements.map { element in
      switch element {
      case .move(let point): .move(map(point))
      case .line(let point): .line(map(point))
      case .cubic(let first, let second, let end): .cubic(map(first), map(second), map(end))
      }
    }
    return result
  }
}
