/// Things in the air: snow, fireflies, falling leaves, petals, specks of light.
struct Weather {
  let painter: Painter
  let setting: Setting
  let palette: Palette
  let low: Point
  let high: Point

  func drawBehind(_ generator: inout SeededGenerator) {
    switch setting {
    case .morning, .noon: drawSpecks(14, &generator)
    case .dusk: drawFireflies(10, size: 7, &generator)
    case .night: drawFireflies(22, size: 9, &generator)
    case .snow: drawSnow(110, from: 2, to: 5, &generator)
    case .autumn: drawLeaves(12, size: 26, avoiding: nil, &generator)
    }
  }

  /// Draws everything nearer than the panda, keeping clear of the face around `face`.
  func drawInFront(avoiding face: Point, radius: Double, _ generator: inout SeededGenerator) {
    if setting != .snow, setting != .autumn { drawFrame(avoiding: face, &generator) }
    switch setting {
    case .morning, .noon, .dusk: break
    case .night: drawFireflies(5, size: 12, avoiding: (face, radius), &generator)
    case .snow: drawSnow(34, from: 4, to: 9, avoiding: (face, radius), &generator)
    case .autumn: drawLeaves(5, size: 40, avoiding: (face, radius), &generator)
    }
  }

  /// Draws big leaves in the foreground that hang into the upper corners.
  private func drawFrame(avoiding face: Point, _ generator: inout SeededGenerator) {
    for right in [false, true] {
      let corner = Point(right ? high.x + 12 : low.x - 12, low.y + generator.number(-30, 70))
      let wanted = generator.chance(0.65)
      let color = palette.leaf.darker(generator.number(0.15, 0.35))
      guard wanted, (corner - face).length > 460 else { continue }
      Bamboo.drawBunch(
        on: painter, at: corner, right: !right, size: 150, color: color, snowy: false, &generator)
    }
  }

  private func place(
    _ avoided: (Point, Double)?, _ generator: inout SeededGenerator
  ) -> Point? {
    let place = Point(generator.number(low.x, high.x), generator.number(low.y, high.y))
    if let (center, radius) = avoided, (place - center).length < radius * 1.25 { return nil }
    return place
  }

  private func drawSnow(
    _ count: Int, from small: Double, to large: Double, avoiding avoided: (Point, Double)? = nil,
    _ generator: inout SeededGenerator
  ) {
    for _ in 0..<count {
      let radius = generator.number(small, large)
      guard let place = place(avoided, &generator) else { continue }
      painter.fill(
        Path(ellipse: place, radius * 1.5, radius * 1.5),
        .radial(
          place, radius * 1.5, radius * 1.5,
          [
            Stop(0, Color(0xFFFFFF, alpha: 0.95)), Stop(0.5, Color(0xFFFFFF, alpha: 0.9)),
            Stop(1, Color(0xFFFFFF, alpha: 0)),
          ]))
    }
  }

  private func drawFireflies(
    _ count: Int, size: Double, avoiding avoided: (Point, Double)? = nil,
    _ generator: inout SeededGenerator
  ) {
    for _ in 0..<count {
      let radius = size * generator.number(0.7, 1.3)
      guard let place = place(avoided, &generator) else { continue }
      painter.fill(
        Path(ellipse: place, radius * 3.4, radius * 3.4),
        .glow(place, radius * 3.4, radius * 3.4, Color(0xE8FF7A, alpha: 0.75)))
      painter.fill(Path(ellipse: place, radius * 0.5, radius * 0.5), Color(0xFDFFD8))
    }
  }

  private func drawSpecks(_ count: Int, _ generator: inout SeededGenerator) {
    for _ in 0..<count {
      let radius = generator.number(12, 46)
      guard let place = place(nil, &generator) else { continue }
      painter.fill(
        Path(ellipse: place, radius, radius),
        .radial(
          place, radius, radius,
          [
            Stop(0, Color(0xFFFFE6, alpha: 0.12)), Stop(0.8, Color(0xFFFFE6, alpha: 0.22)),
            Stop(1, Color(0xFFFFE6, alpha: 0)),
          ]))
    }
  }

  private func drawLeaves(
    _ count: Int, size: Double, avoiding avoided: (Point, Double)?,
    _ generator: inout SeededGenerator
  ) {
    let colors: [UInt32] = [0xD9481C, 0xE98A1F, 0xF2B632, 0xB93A24]
    for _ in 0..<count {
      let color = Color(generator.pick(colors))
      let angle = generator.number(0, Turn.whole)
      let scale = size / 40 * generator.number(0.7, 1.2)
      guard let place = place(avoided, &generator) else { continue }
      Adornments.drawMapleLeaf(
        on: painter, by: .placing(at: place, scale: scale, angle: angle), color)
    }
  }
}
