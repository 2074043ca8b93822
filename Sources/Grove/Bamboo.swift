/// A stalk of bamboo with its joints and leaves.
struct Bamboo {
  let bottom: Point
  let top: Point
  let width: Double
  let color: Color
  let leafColor: Color
  let snowy: Bool
  /// The only side that has leaves: -1 for the left one, 1 for the right one, 0 for both.
  var leafSide = 0.0

  /// Draws the stalk and `leaves` bunches of leaves.
  func draw(on painter: Painter, leaves: Int, _ generator: inout SeededGenerator) {
    let side = (top - bottom).normalized.perpendicular
    let center = bottom.mixed(with: top, 0.5)
    let bow = side * generator.number(-14, 14)
    let ribbon = Ribbon(through: [bottom, center + bow, top], widths: [width], samples: 16)
    painter.fill(
      ribbon.body(from: 0, to: 1, bulge: 0),
      .linear(
        center + bow * 0.6 - side * (width / 2), center + bow * 0.6 + side * (width / 2),
        [
          Stop(0, color.darker(0.24)), Stop(0.28, color.lighter(0.1)),
          Stop(0.42, color.lighter(0.3)), Stop(0.6, color), Stop(1, color.darker(0.34)),
        ]))
    let length = ribbon.length
    let gap = max(70, width * 3.4)
    var place = generator.number(0.2, 0.9) * gap
    while place < length {
      drawJoint(on: painter, ribbon, place / length)
      place += gap * generator.number(0.92, 1.08)
    }
    for _ in 0..<leaves {
      let share = generator.number(0.12, 0.95)
      let chosen = generator.chance(0.5)
      let right = leafSide == 0 ? chosen : leafSide > 0
      Self.drawBunch(
        on: painter, at: ribbon.point(share, right ? 0.9 : -0.9), right: right,
        size: 38 + width * 1.5, color: leafColor, snowy: snowy, &generator)
    }
  }

  private func drawJoint(on painter: Painter, _ ribbon: Ribbon, _ share: Double) {
    let left = ribbon.point(share, -1.1)
    let right = ribbon.point(share, 1.1)
    let forward = ribbon.direction(share) * (width * 0.07)
    let dark = Ribbon(
      through: [left - forward, right - forward], widths: [width * 0.1], samples: 2)
    let light = Ribbon(
      through: [left + forward, right + forward], widths: [width * 0.12], samples: 2)
    painter.fill(dark.outline(), color.darker(0.42))
    painter.fill(light.outline(), snowy ? Color(0xF2F8FF) : color.lighter(0.34))
  }

  /// Draws three or four leaves that hang from one twig.
  static func drawBunch(
    on painter: Painter, at base: Point, right: Bool, size: Double, color: Color, snowy: Bool,
    _ generator: inout SeededGenerator
  ) {
    for _ in 0..<(3 + generator.index(below: 2)) {
      let angle = generator.number(-0.35, 1.05)
      let direction = Point(right ? 1 : -1, 0).rotated(by: right ? angle : -angle)
      let length = size * generator.number(0.75, 1.3)
      drawLeaf(
        on: painter, from: base, to: base + direction * length, width: length * 0.2,
        color: color.mixed(with: color.lighter(0.3), generator.unit() * 0.6),
        bend: generator.number(-0.08, 0.08) * length, snowy: snowy)
    }
  }

  /// Draws one leaf with its middle line, and snow on it where `snowy`.
  static func drawLeaf(
    on painter: Painter, from base: Point, to tip: Point, width: Double, color: Color,
    bend: Double = 0, snowy: Bool = false
  ) {
    painter.fill(
      Path(leaf: base, tip: tip, width: width, bend: bend),
      .linear(base, tip, color.darker(0.12), color.lighter(0.14)))
    if snowy {
      let lift = Point(0, -width * 0.22)
      painter.fill(
        Path(
          leaf: base.mixed(with: tip, 0.12) + lift, tip: base.mixed(with: tip, 0.86) + lift,
          width: width * 0.6, bend: bend), Color(0xF4F9FF, alpha: 0.92))
    } else {
      let side = (tip - base).normalized.perpendicular * (bend * 0.75)
      painter.fill(
        Ribbon(
          through: [base, base.mixed(with: tip, 0.5) + side, tip], widths: [width * 0.1, 0],
          samples: 6
        ).body(from: 0, to: 1, bulge: 0), color.lighter(0.28).faded(0.6))
    }
  }
}
