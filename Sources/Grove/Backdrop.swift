/// The grove behind the panda: sky, light, hills and bamboo.
struct Backdrop {
  let painter: Painter
  let palette: Palette
  let setting: Setting
  /// The upper left corner of the visible part of the plane.
  let low: Point
  let high: Point

  private var width: Double { high.x - low.x }
  private var height: Double { high.y - low.y }

  /// Paints everything behind the panda; `focus` is where its face will be.
  func draw(focus: Point, _ generator: inout SeededGenerator) {
    let light = drawSky(&generator)
    drawHills(&generator)
    var grove = generator.fork()
    for (depth, color) in palette.bamboo.enumerated() {
      drawStalks(depth, color, focus: focus, light: light, &grove)
      if depth < 2 { drawMist(depth, &grove) }
    }
    painter.fill(
      Path(rectangle: low, high), .glow(focus, height * 0.62, height * 0.58, palette.halo))
    let corner = palette.leaf.darker(0.6)
    painter.fill(
      Path(rectangle: low, high),
      .radial(
        low.mixed(with: high, 0.5), width * 0.72, height * 0.76,
        [Stop(0.6, corner.faded(0)), Stop(0.8, corner.faded(0.12)), Stop(1, corner.faded(0.4))]))
  }

  /// Paints the sky with the sun or moon, and returns its position.
  private func drawSky(_ generator: inout SeededGenerator) -> Point {
    painter.fill(
      Path(rectangle: low, high),
      .linear(
        low, Point(low.x, high.y),
        [
          Stop(0, palette.skyTop), Stop(0.55, palette.skyMiddle), Stop(1, palette.skyBottom),
        ]))
    let right = generator.chance(0.5)
    let place = Point(
      low.x + width * (right ? generator.number(0.78, 0.9) : generator.number(0.1, 0.22)),
      low.y + height * generator.number(0.12, 0.24))
    switch setting {
    case .night: drawNight(moon: place, &generator)
    case .morning, .autumn, .noon: drawRays(from: place, &generator)
    case .dusk: drawSettingSun(Point(place.x, low.y + height * 0.5))
    case .snow: break
    }
    return place
  }

  private func drawNight(moon: Point, _ generator: inout SeededGenerator) {
    for _ in 0..<90 {
      let star = Point(
        generator.number(low.x, high.x), generator.number(low.y, low.y + height * 0.65))
      let radius = generator.number(0.8, 2.6)
      painter.fill(
        Path(ellipse: star, radius, radius),
        Color(0xFFFBE6, alpha: generator.number(0.35, 1)))
    }
    let radius = generator.number(52, 74)
    painter.fill(
      Path(ellipse: moon, radius * 4, radius * 4),
      .glow(moon, radius * 4, radius * 4, Color(0xFFF3C4, alpha: 0.42)))
    painter.fill(
      Path(ellipse: moon, radius, radius),
      .radial(
        moon - Point(radius * 0.2, radius * 0.2), radius * 1.25, radius * 1.25,
        [Stop(0, Color(0xFFFDEB)), Stop(0.7, Color(0xFCEFBF)), Stop(1, Color(0xE4CF92))]))
    for _ in 0..<4 {
      let spot =
        moon
        + Point(0, radius * generator.number(0.1, 0.6)).rotated(
          by: generator.number(0, Turn.whole))
      let size = radius * generator.number(0.09, 0.2)
      painter.fill(Path(ellipse: spot, size, size * 0.9), Color(0xD9C48C, alpha: 0.4))
    }
  }

  private func drawRays(from sun: Point, _ generator: inout SeededGenerator) {
    painter.fill(
      Path(rectangle: low, high), .glow(sun, 460, 460, Color(0xFFFBD6, alpha: 0.85)))
    for _ in 0..<6 {
      let angle = generator.number(0.15, 1.2) + (sun.x > low.x + width / 2 ? 0.9 : 0)
      let spread = generator.number(0.025, 0.06)
      let reach = 900.0
      let direction = Point(1, 0).rotated(by: angle)
      painter.fill(
        Path(polygon: [
          sun, sun + direction.rotated(by: -spread) * reach,
          sun + direction.rotated(by: spread) * reach,
        ]),
        .radial(
          sun, reach, reach,
          [
            Stop(0, Color(0xFFFCDC, alpha: 0)), Stop(0.2, Color(0xFFFCDC, alpha: 0.3)),
            Stop(1, Color(0xFFFCDC, alpha: 0)),
          ]))
    }
  }

  private func drawSettingSun(_ sun: Point) {
    painter.fill(
      Path(rectangle: low, high), .glow(sun, 420, 420, Color(0xFFE2A0, alpha: 0.7)))
    painter.fill(
      Path(ellipse: sun, 74, 74),
      .linear(sun - Point(0, 74), sun + Point(0, 74), Color(0xFFF4C9), Color(0xFFB469)))
  }

  private func drawHills(_ generator: inout SeededGenerator) {
    for (index, color) in palette.hills.enumerated() {
      let level = low.y + height * (0.56 + 0.14 * Double(index))
      var points = [Point(low.x - 60, high.y + 80)]
      for step in 0...6 {
        points.append(
          Point(low.x + width * Double(step) / 6, level + generator.number(-55, 45)))
      }
      points.append(Point(high.x + 60, high.y + 80))
      painter.fill(
        Path(smooth: points),
        .linear(
          Point(0, level - 60), Point(0, high.y), color,
          color.mixed(with: palette.skyBottom, 0.55)))
    }
  }

  private func drawMist(_ depth: Int, _ generator: inout SeededGenerator) {
    let mist = palette.skyBottom.mixed(with: palette.skyMiddle, 0.4)
    for _ in 0..<3 {
      let center = Point(
        generator.number(low.x, high.x),
        low.y + height * (0.55 + 0.18 * Double(depth)) + generator.number(-60, 60))
      painter.fill(
        Path(ellipse: center, 420, 80), .glow(center, 420, 80, mist.faded(0.5)))
    }
  }

  private func drawStalks(
    _ depth: Int, _ color: Color, focus: Point, light: Point,
    _ generator: inout SeededGenerator
  ) {
    let gap = [112.0, 180, 230][depth]
    let thickness = [15.0, 25, 40][depth]
    var x = low.x + generator.number(-20, gap * 0.6)
    while x < high.x + 20 {
      // Keep the nearest stalks away from the panda.
      let away = x - focus.x
      let hidesLight = (depth > 0 || setting == .night) && abs(x - light.x) < 95
      if !hidesLight, depth < 2 || away > 330 || away < -330 {
        let stalk = Bamboo(
          bottom: Point(x + generator.number(-26, 26), high.y + 20),
          top: Point(x + generator.number(-40, 40), low.y - 20),
          width: thickness * generator.number(0.8, 1.2), color: color,
          leafColor: depth == 2 ? palette.leaf : color.darker(0.12),
          snowy: setting == .snow)
        stalk.draw(on: painter, leaves: depth + 2, &generator)
      }
      x += gap * generator.number(0.65, 1.35)
    }
  }
}
