internal import PictureCodecs

/// The appearance of hair at one position, in the coordinates of the drawing.
struct Hair {
  /// The direction of the hair; its length does not matter.
  var direction: Point
  var length: Double
  /// The width at the root; the tip is sharp.
  var width: Double
  /// The lightness relative to the coat below, from -1 (darker) to 1 (lighter).
  var shade = 0.0
}

extension Painter {
  /// Draws fur: hairs that take their color from the coat painted below their roots.
  ///
  /// Colors come from a copy of the canvas, so that markings painted earlier get soft, furry edges,
  /// and hairs near the rim break the outline. Roots lie on a jittered grid, `spacing` apart,
  /// inside `mask`.
  ///
  /// - Parameter isVisible: whether they are drawn; if not, only the generator's numbers are used.
  func fur(
    in mask: Mask, from low: Point, to high: Point, spacing: Double,
    generator: inout SeededGenerator, isVisible: Bool = true, _ hair: (Point) -> Hair
  ) {
    rememberCoat()
    var y = low.y
    while y < high.y {
      var x = low.x
      while x < high.x {
        let root = Point(
          x + (generator.unit() - 0.5) * spacing * 1.6, y + (generator.unit() - 0.5) * spacing * 1.6
        )
        if mask.contains(transform(root)) {
          draw(hair(root), at: root, &generator, isVisible: isVisible)
        }
        x += spacing
      }
      y += spacing
    }
  }

  /// Draws fur along a ribbon, pointing towards its end and slightly outwards.
  func fur(
    along ribbon: Ribbon, spacing: Double, length: Double, width: Double, flare: Double = 0.5,
    generator: inout SeededGenerator
  ) {
    rememberCoat()
    let rows = max(1, Int(ribbon.length / spacing))
    for row in 0...rows {
      let share = Double(row) / Double(rows)
      let columns = max(1, Int(2 * ribbon.halfWidth(share) / spacing))
      for _ in 0...columns {
        let offset = generator.number(-0.97, 0.97)
        let root = ribbon.point(share + generator.number(-0.5, 0.5) / Double(rows), offset)
        let forward = ribbon.direction(share)
        let hair = Hair(
          direction: forward + forward.perpendicular * (offset * flare),
          length: length * generator.number(0.7, 1.2), width: width, shade: 0)
        draw(hair, at: root, &generator)
      }
    }
  }

  /// Saves the current canvas: hairs colored by other hairs would accumulate their shades.
  private func rememberCoat() {
    coat.update(from: pixels, count: size.width * size.height)
  }

  private func draw(
    _ hair: Hair, at root: Point, _ generator: inout SeededGenerator, isVisible: Bool = true
  ) {
    let start = transform(root)
    guard
      start.x >= 0, start.y >= 0, start.x < Double(size.width), start.y < Double(size.height)
    else { return }
    let scale = transform.scale
    let turn = (generator.unit() - 0.5) * 0.7
    let bend = (generator.unit() - 0.5) * 0.5
    let color = coat[Int(start.y) * size.width + Int(start.x)]
    // Dark hairs in white fur look like dirt, so a lighter coat gets weaker shades.
    let lightness = Double((color &>> 8) & 255) / 255
    let shade = hair.shade + (generator.unit() - 0.5) * (0.46 - 0.3 * lightness)
    guard isVisible else { return }
    let direction = hair.direction.normalized
    let leaning = direction + direction.perpendicular * turn
    let tip = transform(root + leaning * hair.length)
    let side = (tip - start).normalized.perpendicular
    let half = side * (hair.width * scale * 0.5)
    let middle = start.mixed(with: tip, 0.55) + side * (bend * hair.length * scale * 0.3)
    let thin = half * 0.75
    coverage.add(start + half, middle + thin)
    coverage.add(middle + thin, tip)
    coverage.add(tip, middle - thin)
    coverage.add(middle - thin, start - half)
    coverage.add(start - half, start + half)
    fillCoverage(packed: 0xC800_0000 | Self.shaded(color, shade))
  }

  /// Returns a color moved towards white or black by `shade`, in integers of 1/256.
  private static func shaded(_ color: UInt32, _ shade: Double) -> UInt32 {
    let amount = Int(shade * 256)
    func channel(_ shift: UInt32) -> UInt32 {
      let value = Int((color &>> shift) & 255)
      // Light scales the color, so that rust stays rust; only strong light bleaches it.
      let lit = value + value * amount / 256 + (amount > 0 ? amount / 16 : 0)
      return UInt32(lit < 0 ? 0 : lit > 255 ? 255 : lit) &<< shift
    }
    return channel(16) | channel(8) | channel(0)
  }
}
