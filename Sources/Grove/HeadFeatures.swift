/// The features drawn over the fur of the face: eyes, nose, mouth, whiskers, blush.
struct HeadFeatures {
  let painter: Painter
  let coat: Coat
  let recipe: Recipe

  func draw(_ generator: inout SeededGenerator) {
    if recipe.blush { drawBlush() }
    drawMouth()
    drawNose()
    for side in [-1.0, 1] {
      switch recipe.expression {
      case .curious, .tongue: drawOpenEye(side)
      case .happy: drawSmilingEye(side)
      case .wink: if side < 0 { drawSmilingEye(side) } else { drawOpenEye(side) }
      case .asleep: drawSleepingEye(side)
      }
    }
    drawWhiskers(&generator)
  }

  private func drawBlush() {
    for side in [-1.0, 1] {
      let center = Point(side * 84, 38)
      painter.fill(
        Path(ellipse: center, 24, 17), .glow(center, 24, 17, coat.pink.faded(0.6)))
    }
  }

  private func drawOpenEye(_ side: Double) {
    if recipe.moment == .blink { return drawLid(Point(side * 43, -1), height: 11, width: 18) }
    let center = Point(side * 43, 1)
    let radius = 16.5 * recipe.eyeSize
    painter.fill(
      Path(ellipse: center, radius * 1.5, radius * 1.45),
      .radial(
        center, radius * 1.5, radius * 1.45,
        [
          Stop(0.6, coat.ginger.faded(0.75)), Stop(0.8, coat.ginger.faded(0.5)),
          Stop(1, coat.ginger.faded(0)),
        ]))
    painter.fill(Path(ellipse: center, radius, radius * 1.04), coat.black)
    let iris = center + Point(recipe.gaze.x * 1.6, recipe.gaze.y * 1.2 + 1)
    painter.fill(
      Path(ellipse: iris, radius * 0.86, radius * 0.88),
      .radial(
        iris + Point(0, radius * 0.7), radius * 1.4, radius * 1.2,
        [
          Stop(0, Color(0xA0602F)), Stop(0.45, Color(0x55280F)), Stop(0.8, Color(0x1D0D0A)),
          Stop(1, coat.black),
        ]))
    painter.fill(
      Path(ellipse: iris + Point(0, radius * 0.06), radius * 0.5, radius * 0.54), Color(0x0B0507))
    let shine = iris + Point(radius * (0.32 + recipe.gaze.x * 0.1), -radius * 0.36)
    painter.fill(Path(ellipse: shine, radius * 0.3, radius * 0.32), Color(0xFFFFFF))
    painter.fill(
      Path(ellipse: iris + Point(-radius * 0.38, radius * 0.36), radius * 0.14, radius * 0.14),
      Color(0xFFFFFF, alpha: 0.85))
    // The upper lid.
    painter.fill(
      Ribbon(
        through: [
          center + Point(-side * radius * 0.98, radius * 0.1),
          center + Point(-side * radius * 0.75, -radius * 0.72),
          center + Point(0, -radius * 1.04), center + Point(side * radius * 0.78, -radius * 0.72),
          center + Point(side * radius * 1.25, -radius * 0.42),
        ], widths: [1, 4, 5.5, 5, 1]
      ).outline(), coat.black)
  }

  private func drawSmilingEye(_ side: Double) {
    drawLid(Point(side * 43, 4), height: -17, width: 18)
  }

  private func drawSleepingEye(_ side: Double) {
    let center = Point(side * 43, -1)
    drawLid(center, height: 13, width: 19)
    for lash in [-0.55, 0, 0.55] {
      let root = center + Point(lash * 19, 13 * (1 - lash * lash) - 1)
      painter.fill(
        Ribbon(
          through: [root, root + Point(lash * 7, 8)], widths: [4, 0.8], samples: 3
        ).outline(), coat.black)
    }
  }

  private func drawLid(_ center: Point, height: Double, width: Double) {
    let arc = [
      center + Point(-width, 0), center + Point(-width * 0.6, height * 0.72),
      center + Point(0, height), center + Point(width * 0.6, height * 0.72),
      center + Point(width, 0),
    ]
    let glow = arc.map { $0 + Point(0, 4.5) }
    painter.fill(
      Ribbon(through: glow, widths: [1, 5, 6, 5, 1]).outline(), coat.ginger.faded(0.75))
    painter.fill(Ribbon(through: arc, widths: [4, 8, 9, 8, 4]).outline(), coat.black)
  }

  private func drawNose() {
    let nose = Path(symmetric: [
      Point(0, 13), Point(13, 13.5), Point(20, 21), Point(14, 31), Point(0, 37),
    ])
    painter.fill(
      Path(ellipse: Point(0, 30), 30, 18), .glow(Point(0, 30), 30, 18, coat.tear.faded(0.3)))
    painter.fill(nose, .linear(Point(0, 12), Point(0, 37), Color(0x3A2C30), Color(0x0C0709)))
    painter.fill(Path(ellipse: Point(-4, 18), 8.5, 3, angle: -0.1), Color(0xFFFFFF, alpha: 0.62))
    for side in [-1.0, 1] {
      painter.fill(
        Path(ellipse: Point(side * 10, 26), 3.4, 2.4, angle: side * 0.5), Color(0x000000))
    }
  }

  private func drawMouth() {
    let open = recipe.expression == .tongue || recipe.expression == .happy
    let depth = recipe.expression == .asleep ? 56.0 : 60.0
    if open {
      painter.fill(
        Path(symmetric: [
          Point(0, 53), Point(14, 58), Point(21, 57), Point(15, 72), Point(0, 78),
        ]), Color(0x4A1618))
      let long = recipe.expression == .tongue ? 17.0 : 0
      let tongue = Path(symmetric: [
        Point(0, 63), Point(10, 64), Point(12.5, 70 + long * 0.4), Point(9, 76 + long),
        Point(0, 78 + long),
      ])
      painter.fill(
        tongue, .linear(Point(0, 60), Point(0, 94), coat.pink.darker(0.14), coat.pink.lighter(0.1)))
      painter.fill(
        Ribbon(
          through: [Point(0, 66), Point(0, 72 + long)], widths: [2, 0.6], samples: 3
        ).outline(), coat.pink.darker(0.3).faded(0.7))
    }
    painter.fill(
      Ribbon(through: [Point(0, 34), Point(0, 52)], widths: [4.5], samples: 3).outline(), coat.black
    )
    for side in [-1.0, 1] {
      painter.fill(
        Ribbon(
          through: [
            Point(0, 52), Point(side * 12, depth), Point(side * 26, depth - 3),
            Point(side * 34, depth - 12),
          ], widths: [4.5, 5, 4.5, 1.5]
        ).outline(), coat.black)
    }
  }

  private func drawWhiskers(_ generator: inout SeededGenerator) {
    for side in [-1.0, 1] {
      for index in 0..<3 {
        let start = Point(side * 34, 42 + Double(index) * 8)
        let reach = Point(
          side * generator.number(74, 90), -8 + Double(index) * 16 + generator.number(-5, 5))
        painter.fill(
          Ribbon(
            through: [start, start + reach * 0.5 - Point(0, 5), start + reach], widths: [1.8, 0.4],
            samples: 10
          ).outline(), Color(0xFFFDF6, alpha: 0.7))
      }
    }
  }
}
