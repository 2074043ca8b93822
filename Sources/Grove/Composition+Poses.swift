extension Composition {
  /// Draws the panda in the recipe's pose, with its seat or hiding place.
  func drawPanda(on stage: Stage, _ generator: inout SeededGenerator) {
    switch recipe.pose {
    case .portrait: drawPortrait(stage, &generator)
    case .sitting: drawSitting(stage, &generator)
    case .greeting: drawGreeting(stage, &generator)
    case .dozing: drawDozing(stage, &generator)
    case .peeking: drawPeeking(stage, &generator)
    }
  }

  private var snowy: Bool { recipe.setting == .snow }

  private var ground: Ground {
    Ground(painter: painter, palette: palette, snowy: snowy, low: low, high: high)
  }

  private func body(_ stage: Stage) -> PandaBody {
    PandaBody(painter: painter, coat: coat, grain: grain(stage.scale))
  }

  private func tail(_ stage: Stage, rings: Int) -> PandaTail {
    PandaTail(painter: painter, coat: coat, grain: grain(stage.scale), rings: rings)
  }

  /// Returns the transform of the body: the head's without its tilt, mirrored as in the recipe.
  private func bodyMap(_ stage: Stage) -> Transform {
    Transform.placing(at: stage.head, scale: stage.scale, mirrored: recipe.mirrored)
  }

  private func drawHead(_ stage: Stage, _ generator: inout SeededGenerator) {
    painter.with(headMap(stage)) {
      // White cheeks need something darker behind them, above all in mist.
      let shade = palette.leaf.darker(0.25).faded(0.55)
      painter.fill(
        Path(ellipse: Point(0, 24), 176, 124), .glow(Point(0, 24), 176, 124, shade))
      let head = PandaHead(
        painter: painter, coat: coat, recipe: recipe, rim: palette.halo, grain: grain(stage.scale))
      head.draw(&generator)
      Adornments.draw(recipe.adornment, on: painter, leaf: palette.leaf, &generator)
    }
  }

  // MARK: - Poses

  private func drawPortrait(_ stage: Stage, _ generator: inout SeededGenerator) {
    painter.with(bodyMap(stage)) {
      tail(stage, rings: 4).draw(
        along: [Point(120, 210), Point(176, 150), Point(184, 70), Point(160, 10)], width: 62,
        &generator)
      let outline = Path(symmetric: [
        Point(0, 40), Point(60, 58), Point(104, 92), Point(136, 140), Point(152, 220),
        Point(120, 300), Point(0, 300),
      ])
      let belly = Path(symmetric: [
        Point(0, 50), Point(52, 66), Point(78, 110), Point(84, 170), Point(90, 300), Point(0, 310),
      ])
      body(stage).drawTrunk(
        outline, belly: belly, from: Point(-160, 40), to: Point(160, 200), chin: Point(0, 96),
        &generator
      ) { Point($0.x * 0.012, 1) }
    }
    drawHead(stage, &generator)
  }

  private func drawSitting(_ stage: Stage, _ generator: inout SeededGenerator) {
    ground.drawHill(level: 628, &generator)
    let body = body(stage)
    painter.with(bodyMap(stage)) {
      tail(stage, rings: 5).draw(
        along: [
          Point(70, 268), Point(150, 276), Point(214, 236), Point(216, 160), Point(176, 104),
        ], width: 66, &generator)
      drawSeatedTrunk(body, &generator)
      for side in [-1.0, 1] {
        body.drawLimb(
          [Point(side * 78, 214), Point(side * 98, 250), Point(side * 86, 268)],
          widths: [58, 60, 50], &generator)
        body.drawSole(
          at: Point(side * 84, 264), size: 30, up: Point(side * 0.3, -1), &generator)
      }
    }
    drawHead(stage, &generator)
    painter.with(bodyMap(stage)) {
      for side in [-1.0, 1] {
        body.drawLimb(
          [Point(side * 70, 112), Point(side * 88, 160), Point(side * 44, 178 - side * 14)],
          widths: [44, 46, 38], &generator)
      }
      drawMeal(&generator)
      body.drawPaw(
        at: Point(-34, 190), size: 19, direction: Point(0.9, -0.5), &generator)
      body.drawPaw(
        at: Point(32, 160), size: 19, direction: Point(-0.9, -0.2), &generator)
    }
  }

  private func drawSeatedTrunk(_ body: PandaBody, _ generator: inout SeededGenerator) {
    let outline = Path(symmetric: [
      Point(0, 40), Point(54, 62), Point(84, 110), Point(106, 180), Point(112, 238),
      Point(84, 282), Point(0, 292),
    ])
    let belly = Path(symmetric: [
      Point(0, 50), Point(44, 72), Point(60, 120), Point(72, 190), Point(66, 256), Point(0, 284),
    ])
    body.drawTrunk(
      outline, belly: belly, from: Point(-120, 40), to: Point(120, 296), chin: Point(0, 94),
      &generator
    ) { Point($0.x * 0.01, 1) }
  }

  /// Draws the bamboo shoot that the panda eats.
  private func drawMeal(_ generator: inout SeededGenerator) {
    let green = Color(0x7CC156)
    let stalk = Bamboo(
      bottom: Point(-92, 238), top: Point(58, 92), width: 13, color: green,
      leafColor: Color(0x4DA843), snowy: false)
    stalk.draw(on: painter, leaves: 0, &generator)
    for (angle, length) in [(-1.1, 56.0), (-0.5, 66), (0.1, 58), (0.7, 46)] {
      let tip = Point(length, 0).rotated(by: angle)
      Bamboo.drawLeaf(
        on: painter, from: Point(56, 94), to: Point(56, 94) + tip, width: length * 0.24,
        color: Color(0x55B548).mixed(with: Color(0x8BD45A), generator.unit() * 0.7), bend: 3)
    }
    Bamboo.drawLeaf(
      on: painter, from: Point(-84, 230), to: Point(-140, 232), width: 13, color: green, bend: 4)
  }

  private func drawGreeting(_ stage: Stage, _ generator: inout SeededGenerator) {
    ground.drawHill(level: 650, &generator)
    let body = body(stage)
    painter.with(bodyMap(stage)) {
      tail(stage, rings: 5).draw(
        along: [
          Point(60, 262), Point(140, 274), Point(196, 236), Point(208, 166), Point(184, 112),
        ], width: 64, &generator)
      drawSeatedTrunk(body, &generator)
      for side in [-1.0, 1] {
        body.drawLimb(
          [Point(side * 64, 230), Point(side * 72, 270), Point(side * 74, 290)],
          widths: [62, 58, 54], &generator)
      }
      for side in [-1.0, 1] {
        body.drawLimb(
          [
            Point(side * 66, 112), Point(side * 120, 106), Point(side * 152, 58),
            Point(side * 160, -4),
          ], widths: [48, 46, 42, 38], &generator)
        body.drawSole(
          at: Point(side * 161, -20), size: 27, up: Point(side * 0.15, -1), &generator)
      }
    }
    drawHead(stage, &generator)
  }

  private func drawDozing(_ stage: Stage, _ generator: inout SeededGenerator) {
    let body = body(stage)
    let curled = generator.chance(0.5)
    let trunk = Path(smooth: [
      Point(-50, 60), Point(-10, -10), Point(60, -64), Point(146, -86), Point(224, -56),
      Point(262, 6), Point(264, 74), Point(220, 112), Point(60, 116), Point(-30, 104),
    ])
    painter.with(bodyMap(stage)) {
      if !curled {
        tail(stage, rings: 5).draw(
          along: [
            Point(226, 40), Point(272, 62), Point(284, 120), Point(276, 190), Point(290, 240),
          ], width: 62, &generator)
      }
      body.drawTrunk(
        trunk, belly: nil, from: Point(-60, -95), to: Point(270, 120), chin: Point(20, 100),
        &generator
      ) { Point(1, ($0.y - 20) * 0.012 + 0.15) }
    }
    ground.drawBranch(
      through: stage.head + Point(0, 118 * stage.scale), thickness: 66, &generator)
    painter.with(bodyMap(stage)) {
      body.drawLimb(
        [Point(180, 84), Point(200, 118), Point(200, 164)], widths: [70, 50, 36], &generator)
      body.drawPaw(at: Point(200, 172), size: 21, direction: Point(0, 1), &generator)
      body.drawHaunch(at: Point(190, 62), radius: 56, &generator)
      for x in [-66.0, 72] {
        body.drawLimb(
          [Point(x * 0.7, 84), Point(x, 104), Point(x, 146)], widths: [40, 44, 36], &generator)
        body.drawPaw(at: Point(x, 152), size: 20, direction: Point(0, 1), &generator)
      }
      if curled {
        tail(stage, rings: 6).draw(
          along: [
            Point(244, 20), Point(254, 72), Point(200, 98), Point(130, 96), Point(76, 82),
          ], width: 62, &generator)
      }
    }
    drawHead(stage, &generator)
  }

  private func drawPeeking(_ stage: Stage, _ generator: inout SeededGenerator) {
    let body = body(stage)
    painter.with(bodyMap(stage)) {
      tail(stage, rings: 5).draw(
        along: [Point(40, 190), Point(120, 176), Point(168, 120), Point(178, 40)], width: 60,
        &generator)
      let outline = Path(smooth: [
        Point(-110, 60), Point(0, 40), Point(70, 70), Point(98, 130), Point(104, 240),
        Point(-110, 240),
      ])
      let belly = Path(smooth: [
        Point(-110, 70), Point(0, 56), Point(46, 84), Point(60, 140), Point(60, 250),
        Point(-110, 250),
      ])
      body.drawTrunk(
        outline, belly: belly, from: Point(-120, 40), to: Point(120, 200), chin: Point(0, 96),
        &generator
      ) { Point($0.x * 0.008, 1) }
    }
    drawHead(stage, &generator)
    let side = recipe.mirrored ? -1.0 : 1.0
    let near = palette.bamboo[2].mixed(with: palette.bamboo[1], 0.35)
    for (away, width) in [(-336.0, 74.0), (-204, 92)] {
      let x = stage.head.x + side * away
      Bamboo(
        bottom: Point(x - side * 8, high.y + 20), top: Point(x + side * 12, low.y - 20),
        width: width, color: near, leafColor: palette.leaf.lighter(0.12), snowy: snowy,
        leafSide: -side
      ).draw(on: painter, leaves: 3, &generator)
    }
    painter.with(bodyMap(stage)) {
      for y in [66.0, 122] {
        let paw = Point(-92, y)
        body.drawLimb(
          [Point(-62, y + 22), Point(-76, y + 8), paw], widths: [36, 38, 34], &generator)
        body.drawPaw(at: paw, size: 21, direction: Point(-1, -0.12), &generator)
      }
    }
  }
}
