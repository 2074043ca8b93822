/// The trunk, limbs and paws of a red panda, in the coordinates of its head.
struct PandaBody {
  let painter: Painter
  let coat: Coat
  /// The distance between the roots of hairs.
  let grain: Double

  /// Fills `outline` with the rust coat, its `belly` with the dark one, and covers both with fur.
  func drawTrunk(
    _ outline: Path, belly: Path?, from low: Point, to high: Point, chin: Point,
    _ generator: inout SeededGenerator, _ flow: (Point) -> Point
  ) {
    painter.fill(
      outline,
      .linear(
        low, Point(low.x, high.y),
        [
          Stop(0, coat.ginger.mixed(with: coat.rust, 0.6)), Stop(0.4, coat.rust),
          Stop(1, coat.deep),
        ]
      ))
    painter.clipped(to: outline) {
      if let belly {
        painter.fill(
          belly, .linear(low, Point(low.x, high.y), coat.black, coat.dark))
      }
      painter.fill(
        Path(ellipse: chin, 130, 70), .glow(chin, 130, 70, coat.black.faded(0.7)))
    }
    let mask = painter.mask(of: outline)
    painter.fur(in: mask, from: low, to: high, spacing: grain * 1.05, generator: &generator) {
      root in
      let above = mask.contains(painter.transform(root - Point(0, 11)))
      return Hair(
        direction: flow(root), length: 13, width: grain * 0.6, shade: above ? 0 : 0.26)
    }
  }

  /// Draws a dark limb through `points`, from the trunk to the paw, with a thin rim of rust.
  func drawLimb(
    _ points: [Point], widths: [Double], _ generator: inout SeededGenerator
  ) {
    let limb = Ribbon(through: points, widths: widths)
    let rim = Ribbon(through: points, widths: widths.map { $0 * 1.12 })
    painter.fill(rim.body(from: 0.2, to: 1, bulge: 0), coat.dark.mixed(with: coat.rust, 0.75))
    painter.fill(limb.outline(), coat.dark)
    // A soft light along the middle makes it look round.
    for (share, width) in [(0.1, 0.7), (0.1, 0.5), (0.12, 0.3)] {
      let core = Ribbon(through: points, widths: widths.map { $0 * width })
      painter.fill(core.body(from: 0.12, to: 1, bulge: 0), coat.ginger.faded(share))
    }
    // The round shoulder: its hair lies along the limb.
    let shoulder = limb.point(0)
    let radius = limb.halfWidth(0)
    let forward = limb.direction(0.1)
    painter.fur(
      in: painter.mask(of: Path(ellipse: shoulder, radius * 1.05, radius * 1.05)),
      from: shoulder - Point(radius, radius) * 1.1, to: shoulder + Point(radius, radius) * 1.1,
      spacing: grain, generator: &generator
    ) { root in
      Hair(
        direction: forward * 0.6 + (root - shoulder) * (1 / radius), length: 11,
        width: grain * 0.55)
    }
    painter.fur(
      along: limb, spacing: grain, length: 11, width: grain * 0.6, flare: 0.6,
      generator: &generator)
  }

  /// Draws the round thigh of a lying panda over the top of its leg.
  func drawHaunch(at center: Point, radius: Double, _ generator: inout SeededGenerator) {
    let outline = Path(ellipse: center, radius, radius * 0.86)
    painter.fill(
      Path(ellipse: center, radius * 1.25, radius * 1.12),
      .glow(center, radius * 1.25, radius * 1.12, coat.deep.faded(0.8)))
    painter.fill(
      outline,
      .radial(
        center - Point(0, radius * 0.4), radius * 1.5, radius * 1.3,
        [
          Stop(0, coat.rust.mixed(with: coat.ginger, 0.35)), Stop(0.6, coat.rust),
          Stop(1, coat.deep),
        ]))
    painter.fur(
      in: painter.mask(of: outline), from: center - Point(radius, radius),
      to: center + Point(radius, radius), spacing: grain, generator: &generator
    ) { root in
      Hair(
        direction: Point((root.x - center.x) / radius + 0.3, 0.8 + (root.y - center.y) / radius),
        length: 13, width: grain * 0.6)
    }
  }

  /// Draws a paw seen from above, with its claws pointing in `direction`.
  func drawPaw(
    at center: Point, size: Double, direction: Point, _ generator: inout SeededGenerator
  ) {
    let forward = direction.normalized
    let side = forward.perpendicular
    for toe in [-0.6, -0.2, 0.2, 0.6] {
      let root = center + side * (toe * size * 0.85) + forward * (size * (0.78 - toe * toe * 0.4))
      painter.fill(
        Path(leaf: root, tip: root + forward * (size * 0.42), width: size * 0.17),
        coat.cream.faded(0.95))
    }
    painter.fill(
      Path(ellipse: center, size * 1.5, size * 1.5),
      .glow(center, size * 1.5, size * 1.5, coat.black.faded(0.8)))
    let paw = Path(ellipse: center, size, size * 0.98)
    painter.fill(
      paw,
      .radial(
        center - Point(size * 0.3, size * 0.4), size * 1.5, size * 1.5,
        [
          Stop(0, coat.dark.mixed(with: coat.ginger, 0.32)), Stop(0.5, coat.dark),
          Stop(1, coat.black),
        ]))
    painter.fur(
      in: painter.mask(of: paw), from: center - Point(size, size), to: center + Point(size, size),
      spacing: grain, generator: &generator
    ) { _ in Hair(direction: forward, length: size * 0.3, width: grain * 0.55) }
    for toe in [-0.36, 0, 0.36] {
      let root = center + side * (toe * size) + forward * (size * 0.88)
      painter.fill(
        Ribbon(
          through: [root, root - forward * (size * 0.45)], widths: [size * 0.1, size * 0.03],
          samples: 3
        ).outline(), coat.black)
    }
  }

  /// Draws the underside of a paw: a foot facing the viewer, or a raised hand.
  func drawSole(
    at center: Point, size: Double, up: Point, _ generator: inout SeededGenerator
  ) {
    let forward = up.normalized
    let side = forward.perpendicular
    painter.fill(
      Path(ellipse: center, size * 1.12, size * 1.12), coat.dark.mixed(with: coat.rust, 0.75))
    let sole = Path(ellipse: center, size, size)
    painter.fill(
      sole, .radial(center, size, size, [Stop(0, coat.dark.lighter(0.1)), Stop(1, coat.black)]))
    painter.fur(
      in: painter.mask(of: Path(ellipse: center, size * 1.08, size * 1.08)),
      from: center - Point(size, size) * 1.1, to: center + Point(size, size) * 1.1, spacing: grain,
      generator: &generator
    ) { root in Hair(direction: root - center, length: size * 0.26, width: grain * 0.55) }
    let pad = Color(0xC98D86)
    let palm = center - forward * (size * 0.2)
    let angle = forward.x * 0.8
    painter.fill(
      Path(ellipse: palm, size * 0.44, size * 0.34, angle: angle),
      .radial(palm, size * 0.46, size * 0.46, [Stop(0, pad.lighter(0.15)), Stop(1, pad)]))
    for (aside, ahead) in [(-0.6, 0.22), (-0.22, 0.52), (0.22, 0.52), (0.6, 0.22)] {
      let toe = center + side * (aside * size) + forward * (ahead * size)
      painter.fill(Path(ellipse: toe, size * 0.15, size * 0.18, angle: angle), pad)
    }
  }
}
