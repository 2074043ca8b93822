/// The placement of a pose's head on the plane.
struct Stage: Sendable {
  let head: Point
  /// The number of plane units for each unit of the head.
  let scale: Double
  let tilt: Double

  init(recipe: Recipe, generator: inout SeededGenerator) {
    let side = recipe.mirrored ? -1.0 : 1.0
    switch recipe.pose {
    case .portrait:
      head = Point(480 + generator.number(-40, 40), 392 + generator.number(-8, 8))
      scale = generator.number(2.05, 2.2)
      tilt = recipe.tilt
    case .sitting:
      head = Point(480 - side * 40, 256)
      scale = generator.number(1.52, 1.58)
      tilt = recipe.tilt * 0.7
    case .greeting:
      head = Point(480 + generator.number(-20, 20), 292)
      scale = generator.number(1.5, 1.6)
      tilt = recipe.tilt * 0.8
    case .dozing:
      head = Point(480 - side * 130, 400)
      scale = generator.number(1.6, 1.7)
      tilt = side * 0.1 + recipe.tilt * 0.5
    case .peeking:
      head = Point(480 + side * 30, 384)
      scale = generator.number(1.9, 2.02)
      tilt = -side * 0.14 + recipe.tilt * 0.4
    }
  }
}
