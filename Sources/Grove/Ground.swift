/// The surface that a panda sits, stands or sleeps on.
struct Ground {
  let painter: Painter
  let palette: Palette
  let snowy: Bool
  let low: Point
  let high: Point

  /// Draws a soft hill across the bottom, its top at `level`, with grass or snow.
  func drawHill(level: Double, _ generator: inout SeededGenerator) {
    let far = max(high.y, level + 120) + 200
    var points = [Point(low.x - 200, far)]
    for step in 0...5 {
      let share = Double(step) / 5
      points.append(
        Point(
          low.x - 60 + (high.x - low.x + 120) * share,
          level + 36 * (share - 0.5) * (share - 0.5) * 4 + generator.number(-7, 7)))
    }
    points.append(Point(high.x + 200, far))
    let color = palette.ground
    painter.fill(
      Path(smooth: points),
      .linear(
        Point(0, level - 10), Point(0, level + 150), color.lighter(snowy ? 0.3 : 0.16),
        color.darker(snowy ? 0.16 : 0.36)))
    for _ in 0..<(snowy ? 26 : 150) {
      let root = Point(
        generator.number(low.x, high.x), level + generator.number(16, max(40, high.y - level)))
      let height = generator.number(16, 38)
      let tip = root + Point(generator.number(-14, 14), -height)
      painter.fill(
        Path(leaf: root, tip: tip, width: 6),
        (snowy ? palette.leaf : color.lighter(0.22)).mixed(
          with: color.darker(0.3), generator.unit()))
    }
  }

  /// Draws a branch across the whole picture through `middle`, `thickness` thick.
  func drawBranch(through middle: Point, thickness: Double, _ generator: inout SeededGenerator) {
    let slope = generator.number(-16, 16)
    let ribbon = Ribbon(
      through: [
        Point(low.x - 60, middle.y + slope + 14), Point((low.x + middle.x) / 2, middle.y + 4),
        middle, Point((high.x + middle.x) / 2, middle.y + 3),
        Point(high.x + 60, middle.y - slope + 10),
      ], widths: [thickness * 1.12, thickness, thickness * 0.9], samples: 30)
    let wood = palette.wood
    painter.fill(
      ribbon.body(from: 0, to: 1, bulge: 0),
      .linear(
        middle - Point(0, thickness / 2), middle + Point(0, thickness / 2),
        [Stop(0, wood.lighter(0.3)), Stop(0.3, wood), Stop(1, wood.darker(0.5))]))
    for _ in 0..<90 {
      let share = generator.unit()
      let offset = generator.number(-0.85, 0.9)
      let length = generator.number(0.02, 0.06)
      painter.fill(
        Ribbon(
          through: [ribbon.point(share, offset), ribbon.point(share + length, offset)],
          widths: [0.5, 2.6, 0.5], samples: 4
        ).outline(),
        (generator.chance(0.6) ? wood.darker(0.5) : wood.lighter(0.32)).faded(0.55))
    }
    if snowy { drawSnow(on: ribbon, &generator) }
    for _ in 0..<5 {
      let share = generator.number(0.02, 0.98)
      Bamboo.drawBunch(
        on: painter, at: ribbon.point(share, 0.8), right: generator.chance(0.5), size: 64,
        color: palette.leaf.lighter(0.1), snowy: snowy, &generator)
    }
  }

  private func drawSnow(on ribbon: Ribbon, _ generator: inout SeededGenerator) {
    var points: [Point] = []
    for step in 0...24 { points.append(ribbon.point(Double(step) / 24, -1.22)) }
    for step in 0...24 {
      points.append(ribbon.point(1 - Double(step) / 24, generator.number(-0.72, -0.3)))
    }
    painter.fill(Path(smooth: points), Color(0xF6FAFF))
  }
}
