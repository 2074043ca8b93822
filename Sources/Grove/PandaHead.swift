/// The head of a red panda, drawn around (0, 0): the face is about 220 wide, the chin at y = 90.
struct PandaHead {
  /// The bounding box of the head in its own coordinates, including the ears.
  static let box = (low: Point(-132, -144), high: Point(132, 98))

  let painter: Painter
  let coat: Coat
  let recipe: Recipe
  /// The color of the light on the rim of the fur.
  let rim: Color
  /// The distance between the roots of hairs, in these coordinates.
  let grain: Double

  /// Draws the head with its fur and all its features.
  func draw(_ generator: inout SeededGenerator) {
    for side in [-1.0, 1] { drawEarNow(side, &generator) }
    let outline = outline()
    painter.fill(
      outline,
      .radial(
        Point(0, -18), 128, 118,
        [
          Stop(0, coat.ginger), Stop(0.42, coat.rust.mixed(with: coat.ginger, 0.45)),
          Stop(0.75, coat.rust), Stop(1, coat.deep),
        ]))
    painter.clipped(to: outline) {
      drawMarkings()
      drawLight()
    }
    drawFur(outline, &generator)
    HeadFeatures(painter: painter, coat: coat, recipe: recipe).draw(&generator)
  }

  private func outline() -> Path {
    let cheek = recipe.cheekWidth
    return Path(symmetric: [
      Point(0, -86), Point(36, -83), Point(70, -65), Point(92, -34), Point(102 * cheek, 0),
      Point(118 * cheek, 34), Point(100 * cheek, 55), Point(74, 74), Point(40, 89), Point(0, 93),
    ])
  }

  // MARK: - Ears

  /// Draws an ear, turned if it twitches.
  private func drawEarNow(_ side: Double, _ generator: inout SeededGenerator) {
    guard recipe.moment == .twitch, side > 0 else { return drawEar(side, &generator) }
    // What is drawn after it must not change: as many numbers are used as by an ear at rest.
    var own = generator
    drawEar(side, &generator, isVisible: false)
    let foot = Point(side * 64, -44)
    let turn = Transform.placing(at: foot, angle: side * Self.twitch)
      .after(Transform(tx: -foot.x, ty: -foot.y))
    painter.with(turn) { drawEar(side, &own) }
  }

  /// The angle by which an ear turns, in radians.
  private static let twitch = 0.24

  private func drawEar(
    _ side: Double, _ generator: inout SeededGenerator, isVisible: Bool = true
  ) {
    let map = Transform(a: side)
    let place = Transform.placing(at: Point(64, -52), scale: recipe.earSize)
    let point = recipe.earPoint
    // From the inner base over the tip to the outer base, around the ear's own base at (0, 0).
    let tip = Point(36 + 6 * point, -72 - 11 * point)
    let shape = [
      Point(-38, -20), Point(-22, -46), Point(4, -66 - 2 * point), tip,
      Point(56 - 2 * point, -56 - point), Point(57, -28), Point(44, 4), Point(20, 26),
      Point(-20, 20),
    ]
    func ear(_ factor: Double, _ shift: Point) -> Path {
      let center = Point(16, -26)
      return Path(smooth: shape.map { place(center + ($0 - center) * factor + shift) })
        .transformed(by: map)
    }
    if isVisible {
      painter.fill(ear(1.09, Point(0, -1)), coat.deep.darker(0.15))
      painter.fill(
        ear(1, Point(0, 2)),
        .linear(place(Point(20, -90)), place(Point(10, 20)), coat.white, coat.cream))
      painter.fill(
        ear(0.62, Point(0, 8)),
        .radial(
          Point(side * 84, -66), 62, 70,
          [
            Stop(0, coat.black), Stop(0.5, coat.dark),
            Stop(1, coat.dark.mixed(with: coat.deep, 0.6)),
          ]))
    }
    let mask = painter.mask(of: ear(1.05, Point(0, 0)))
    let foot = Point(side * 70, -40)
    let low = Point(side > 0 ? 20 : -132, -160)
    painter.fur(
      in: mask, from: low, to: low + Point(112, 140), spacing: grain * 1.1, generator: &generator,
      isVisible: isVisible
    ) { root in
      Hair(direction: root - foot, length: 9, width: grain * 0.55, shade: 0.04)
    }
    guard isVisible else { return }
    // The long white hairs in the ear.
    for index in 0..<9 {
      let share = Double(index) / 8
      let root = Point(side * (46 + 14 * share), -86 + 40 * share)
      let direction = Point(side * (0.9 - 0.35 * share), -0.55 + 0.5 * share).normalized
      painter.fill(Path(leaf: root, tip: root + direction * 26, width: 5), coat.white.faded(0.85))
    }
  }

  // MARK: - Markings

  private func drawMarkings() {
    for side in [-1.0, 1] {
      painter.with(Transform(a: side)) {
        // The white cheek, from below the eye out to the tuft.
        painter.fill(
          Path(smooth: [
            Point(64, 2), Point(88, -10), Point(112, 4), Point(132, 34), Point(104, 62),
            Point(76, 72), Point(70, 44),
          ]),
          .linear(
            Point(60, 20), Point(122, 30), coat.white, coat.cream.mixed(with: coat.white, 0.4)))
        // The brow spot.
        painter.fill(Path(ellipse: Point(41, -31), 22, 14.5, angle: 0.42), coat.white)
        painter.fill(Path(ellipse: Point(60, -22), 11, 9, angle: 0.9), coat.white)
      }
    }
    // The muzzle, with the blaze that runs up between the eyes.
    painter.fill(
      Path(symmetric: [
        Point(0, -12), Point(12, 4), Point(26, 20), Point(44, 36), Point(47, 58), Point(34, 80),
        Point(0, 96),
      ]), coat.white)
    painter.fill(
      Path(ellipse: Point(0, -6), 24, 44), .glow(Point(0, -6), 24, 44, coat.cream.faded(0.75)))
    for side in [-1.0, 1] {
      painter.with(Transform(a: side)) {
        // The dark patch around the eye and the tear stripe down to the corner of the mouth.
        painter.fill(
          Path(smooth: [
            Point(22, 2), Point(31, -14), Point(49, -16), Point(63, -3), Point(65, 18),
            Point(69, 40),
            Point(70, 62), Point(58, 82), Point(52, 66), Point(47, 40), Point(31, 20),
          ]),
          .linear(
            Point(40, -16), Point(58, 82),
            [Stop(0, coat.rust), Stop(0.25, coat.tear), Stop(1, coat.tear.darker(0.3))]))
      }
    }
  }

  private func drawLight() {
    painter.fill(
      Path(ellipse: Point(0, -62), 90, 40), .glow(Point(0, -62), 90, 40, rim.faded(0.3)))
    painter.fill(
      Path(ellipse: Point(0, 104), 120, 34),
      .glow(Point(0, 104), 120, 34, coat.dark.faded(0.55)))
  }

  // MARK: - Fur

  private func drawFur(_ outline: Path, _ generator: inout SeededGenerator) {
    let mask = painter.mask(of: outline)
    let nose = Point(0, 14)
    painter.fur(
      in: mask, from: Point(-126, -92), to: Point(126, 100), spacing: grain,
      generator: &generator
    ) { root in
      let away = root - nose
      let distance = away.length
      // Cheek hair sweeps outwards and down; the muzzle is short-haired.
      let cheek = root.y > 0 && (root.x > 62 || root.x < -62)
      let fall = cheek ? Point(root.x > 0 ? 34 : -34, 14) : Point(0, 0)
      let side = root.x < 0 ? -root.x : root.x
      let length = distance < 50 ? 5 : cheek ? 7 + (side - 62) * 0.24 : 6 + distance * 0.06
      let above = mask.contains(painter.transform(root - Point(0, 8)))
      let lit = above ? 0 : 0.28
      return Hair(
        direction: away + fall, length: length, width: grain * (distance < 50 ? 0.4 : 0.55),
        shade: lit)
    }
  }
}
