/// The bushy tail with its rings of rust and cream and its dark tip.
struct PandaTail {
  let painter: Painter
  let coat: Coat
  /// The distance between the roots of hairs.
  let grain: Double
  /// The number of pairs of rings.
  let rings: Int

  /// Draws the tail along `points`, from the body to the tip; `width` is its maximum width.
  func draw(along points: [Point], width: Double, _ generator: inout SeededGenerator) {
    let ribbon = Ribbon(
      through: points, widths: [0.62, 0.94, 1.06, 1.1, 1.06, 0.92, 0.5].map { $0 * width },
      samples: 36)
    painter.fill(ribbon.outline(), coat.rust)
    let step = 0.94 / Double(rings)
    for ring in 0..<rings {
      let start = 0.04 + step * (Double(ring) + 0.46)
      painter.fill(
        ribbon.body(from: start, to: start + step * 0.5, bulge: 0.3),
        coat.cream.mixed(with: coat.ginger, 0.08))
      painter.fill(
        ribbon.body(from: start - step * 0.14, to: start, bulge: 0.3), coat.deep)
    }
    painter.fill(ribbon.body(from: 0.92, to: 1, bulge: 0.3), coat.dark)
    painter.fill(Path(ellipse: ribbon.point(1), width * 0.25, width * 0.25), coat.dark)
    // A shadow on one side makes it look round.
    painter.clipped(to: ribbon.outline()) {
      for share in stride(from: 0.0, through: 1, by: 0.07) {
        let center = ribbon.point(share)
        let below = center + Point(0, width * 0.42)
        painter.fill(
          Path(ellipse: below, width * 0.5, width * 0.3),
          .glow(below, width * 0.5, width * 0.3, coat.dark.faded(0.16)))
      }
    }
    painter.fur(
      along: ribbon, spacing: grain, length: width * 0.17, width: grain * 0.55, flare: 0.7,
      generator: &generator)
  }
}
