/// Small natural things that land on a panda.
enum Adornments {
  /// Draws the adornment of the head, in the head's coordinates.
  static func draw(
    _ adornment: Adornment, on painter: Painter, leaf: Color, _ generator: inout SeededGenerator
  ) {
    let lean = generator.number(-0.4, 0.4)
    let aside = generator.number(-22, 22)
    let top = Point(aside, -82 + aside * aside * 0.006)
    switch adornment {
    case .nothing: break
    case .bambooLeaf:
      let green = Color(0x5FBF4A).mixed(with: leaf, 0.15)
      for (turn, length) in [(-0.5, 52.0), (0.35, 60)] {
        let tip = Point(0, -length).rotated(by: turn * 2 + lean)
        Bamboo.drawLeaf(
          on: painter, from: top + Point(0, 6), to: top + tip, width: 21, color: green, bend: 4)
      }
    case .mapleLeaf:
      drawMapleLeaf(
        on: painter, by: .placing(at: top - Point(0, 4), scale: 1.05, angle: lean),
        Color(0xE9A01F))
    case .blossom:
      drawBlossom(on: painter, by: .placing(at: top, scale: 1, angle: lean))
    case .snow: drawSnowCap(on: painter)
    case .butterfly:
      drawButterfly(on: painter, by: .placing(at: top - Point(0, 6), scale: 1, angle: lean))
    }
  }

  /// Draws a five-lobed leaf, about 80 units wide.
  static func drawMapleLeaf(on painter: Painter, by map: Transform, _ color: Color) {
    painter.with(map) {
      var points: [Point] = []
      let lobes: [(Double, Double)] = [
        (-2.2, 30), (-1.1, 40), (0, 46), (1.1, 40), (2.2, 30),
      ]
      for (index, lobe) in lobes.enumerated() {
        let tip = Point(0, -lobe.1).rotated(by: lobe.0)
        points.append(Point(0, -lobe.1 * 0.62).rotated(by: lobe.0 - 0.26))
        points.append(tip)
        points.append(Point(0, -lobe.1 * 0.62).rotated(by: lobe.0 + 0.26))
        if index < lobes.count - 1 {
          points.append(Point(0, -15).rotated(by: (lobe.0 + lobes[index + 1].0) / 2))
        }
      }
      points.append(Point(0, 12))
      painter.fill(
        Path(polygon: points),
        .radial(Point(0, 4), 48, 48, [Stop(0, color.lighter(0.25)), Stop(1, color.darker(0.12))]))
      for lobe in lobes {
        let vein = Ribbon(
          through: [Point(0, 8), Point(0, -lobe.1 * 0.8).rotated(by: lobe.0)], widths: [2.6, 0.5],
          samples: 2)
        painter.fill(vein.outline(), color.darker(0.3).faded(0.6))
      }
      let stem = Ribbon(
        through: [Point(0, 8), Point(3, 22), Point(10, 36)], widths: [3.4, 2.2], samples: 6)
      painter.fill(stem.outline(), color.darker(0.4))
    }
  }

  private static func drawBlossom(on painter: Painter, by map: Transform) {
    painter.with(map) {
      for index in 0..<5 {
        let angle = Double(index) * Turn.whole / 5
        let center = Point(0, -17).rotated(by: angle)
        painter.fill(
          Path(ellipse: center, 13, 16, angle: angle),
          .linear(
            Point(0, 0), Point(0, -34).rotated(by: angle), Color(0xF589B0), Color(0xFFE3EE)))
      }
      painter.fill(Path(ellipse: Point(0, 0), 8, 8), Color(0xFFD24D))
      painter.fill(Path(ellipse: Point(-1, -1), 4, 4), Color(0xFFF0A6))
    }
  }

  private static func drawSnowCap(on painter: Painter) {
    let cap = Path(smooth: [
      Point(-52, -72), Point(-34, -93), Point(-6, -103), Point(26, -98), Point(52, -74),
      Point(38, -66), Point(24, -72), Point(10, -63), Point(-8, -70), Point(-24, -63),
      Point(-38, -70),
    ])
    let shade = Color(0x4A2A3A, alpha: 0.5)
    painter.fill(
      Path(ellipse: Point(0, -70), 66, 20), .glow(Point(0, -70), 66, 20, shade))
    painter.fill(
      cap, .linear(Point(0, -102), Point(0, -62), Color(0xFFFFFF), Color(0xC9DDF2)))
    for bump in [Point(-24, -90), Point(4, -98), Point(30, -88)] {
      painter.fill(Path(ellipse: bump, 22, 11), .glow(bump, 22, 11, Color(0xFFFFFF)))
    }
  }

  private static func drawButterfly(on painter: Painter, by map: Transform) {
    painter.with(map) {
      for side in [-1.0, 1] {
        painter.fill(
          Path(smooth: [
            Point(0, -8), Point(side * 16, -34), Point(side * 38, -36), Point(side * 36, -14),
            Point(side * 14, -4),
          ]), .linear(Point(0, -8), Point(side * 36, -32), Color(0x8FE0FF), Color(0x2F7FE0)))
        painter.fill(
          Path(smooth: [
            Point(0, -6), Point(side * 18, -6), Point(side * 27, 8), Point(side * 14, 15),
          ]), .linear(Point(0, -6), Point(side * 24, 12), Color(0xA9ECFF), Color(0x3C8FE8)))
        painter.fill(
          Ribbon(
            through: [Point(0, -12), Point(side * 5, -26), Point(side * 12, -32)],
            widths: [1.8, 1], samples: 6
          ).outline(), Color(0x20202C))
      }
      painter.fill(Path(ellipse: Point(0, -2), 3, 13), Color(0x20202C))
    }
  }
}
