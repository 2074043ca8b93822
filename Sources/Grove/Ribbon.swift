/// A band of varying width along a smooth spine: a tail, a limb, a stem, a brush stroke.
struct Ribbon: Sendable {
  private let spine: [Point]
  private let normals: [Point]
  private let halfWidths: [Double]

  /// Creates a ribbon through at least two `points`; `widths` are spread evenly along the spine.
  init(through points: [Point], widths: [Double], samples: Int = 24) {
    precondition(points.count > 1 && !widths.isEmpty && samples > 1, "a ribbon needs a spine")
    var spine: [Point] = []
    for sample in 0...samples {
      let place = Double(sample) / Double(samples) * Double(points.count - 1)
      let index = min(Int(place), points.count - 2)
      let share = place - Double(index)
      let start = points[index]
      let end = points[index + 1]
      let before = index > 0 ? points[index - 1] : start + (start - end)
      let after = index + 2 < points.count ? points[index + 2] : end + (end - start)
      // Catmull-Rom, uniform.
      let first = (end - before) * 0.5
      let last = (after - start) * 0.5
      let gap = end - start
      let square = gap * 3 - first * 2 - last
      let cube = first + last - gap * 2
      spine.append(start + (first + (square + cube * share) * share) * share)
    }
    self.spine = spine
    normals = spine.indices.map { index in
      let before = spine[max(0, index - 1)]
      let after = spine[min(spine.count - 1, index + 1)]
      return (after - before).normalized.perpendicular
    }
    halfWidths = spine.indices.map { index in
      let place = Double(index) / Double(samples) * Double(widths.count - 1)
      let low = min(Int(place), widths.count - 1)
      let high = min(low + 1, widths.count - 1)
      return (widths[low] + (widths[high] - widths[low]) * (place - Double(low))) / 2
    }
  }

  /// Returns the point at `share` (0 to 1) of the spine, offset sideways by -1 to 1 half widths.
  func point(_ share: Double, _ offset: Double = 0) -> Point {
    let (low, high, rest) = place(share)
    let center = spine[low].mixed(with: spine[high], rest)
    let normal = normals[low].mixed(with: normals[high], rest)
    return center + normal * (offset * halfWidth(share))
  }

  /// Returns the direction of the spine at `share`, from start to end.
  func direction(_ share: Double) -> Point {
    let (low, high, rest) = place(share)
    let normal = normals[low].mixed(with: normals[high], rest).normalized
    return Point(normal.y, -normal.x)
  }

  func halfWidth(_ share: Double) -> Double {
    let (low, high, rest) = place(share)
    return halfWidths[low] + (halfWidths[high] - halfWidths[low]) * rest
  }

  var length: Double {
    var sum = 0.0
    for index in 1..<spine.count { sum += (spine[index] - spine[index - 1]).length }
    return sum
  }

  /// Returns the outline with rounded ends.
  func outline() -> Path {
    var path = body(from: 0, to: 1, bulge: 0)
    for share in [0.0, 1.0] where halfWidth(share) > 0.3 {
      path.append(Path(ellipse: point(share), halfWidth(share), halfWidth(share)))
    }
    return path
  }

  /// Returns the part between two shares; its ends bulge forward by `bulge` half widths.
  func body(from start: Double, to end: Double, bulge: Double) -> Path {
    let steps = max(2, Int((end - start) * Double(spine.count)))
    var left: [Point] = []
    var right: [Point] = []
    for step in 0...steps {
      let share = start + (end - start) * Double(step) / Double(steps)
      left.append(point(share, -1))
      right.append(point(share, 1))
    }
    let points = left + arc(end, bulge) + right.reversed() + arc(start, bulge).reversed()
    return Path(polygon: points)
  }

  private func arc(_ share: Double, _ bulge: Double) -> [Point] {
    guard bulge != 0 else { return [] }
    let forward = direction(share) * (bulge * halfWidth(share))
    return [-0.75, -0.4, 0, 0.4, 0.75].map { offset in
      point(share, offset) + forward * (1 - offset * offset)
    }
  }

  private func place(_ share: Double) -> (low: Int, high: Int, rest: Double) {
    let place = max(0, min(1, share)) * Double(spine.count - 1)
    let low = min(Int(place), spine.count - 1)
    return (low, min(low + 1, spine.count - 1), place - Double(low))
  }
}
