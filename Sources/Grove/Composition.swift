internal import PictureCodecs

/// A drawing in progress: the canvas, the colors and the layout.
///
/// The plane is 960 x 720 units. A wider canvas shows more of the scene on both sides, a taller one
/// more above: pandas cut off by the lower edge stay that way.
struct Composition {
  let painter: Painter
  let recipe: Recipe
  let palette: Palette
  let coat: Coat
  /// The upper left corner of the visible part of the plane.
  let low: Point
  let high: Point
  /// The number of pixels per unit.
  let unit: Double
  var generator: SeededGenerator

  init(recipe: Recipe, size: PixelSize, generator: inout SeededGenerator) {
    self.recipe = recipe
    painter = Painter(size: size)
    palette = Palette(recipe.setting, shift: generator.unit())
    coat = Coat(hue: recipe.hue, light: palette.light)
    let width = Double(size.width)
    let height = Double(size.height)
    unit = min(width / 960, height / 720)
    high = Point(480 + width / unit / 2, 720)
    low = Point(480 - width / unit / 2, 720 - height / unit)
    painter.transform = Transform(
      a: unit, d: unit, tx: width / 2 - 480 * unit, ty: height - 720 * unit)
    self.generator = generator.fork()
  }

  /// Draws everything and returns the face's box in pixels.
  mutating func draw() -> PixelRect {
    let stage = Stage(recipe: recipe, generator: &generator)
    var scenery = generator.fork()
    var animal = generator.fork()
    var air = generator.fork()
    let weather = Weather(
      painter: painter, setting: recipe.setting, palette: palette, low: low, high: high)
    Backdrop(painter: painter, palette: palette, setting: recipe.setting, low: low, high: high)
      .draw(focus: stage.head, &scenery)
    weather.drawBehind(&air)
    drawPanda(on: stage, &animal)
    weather.drawInFront(avoiding: stage.head, radius: 100 * stage.scale, &air)
    return faceBox(stage)
  }

  /// Returns the transform from the head's coordinates to the plane.
  func headMap(_ stage: Stage) -> Transform {
    Transform.placing(at: stage.head, scale: stage.scale, angle: stage.tilt)
  }

  /// Returns the distance between hairs in coordinates scaled by `scale`.
  func grain(_ scale: Double) -> Double { 4.2 / scale }

  private func faceBox(_ stage: Stage) -> PixelRect {
    let map = painter.transform.after(headMap(stage))
    let box = PandaHead.box
    let corners = [
      map(box.low), map(box.high), map(Point(box.low.x, box.high.y)),
      map(Point(box.high.x, box.low.y)),
    ]
    func clamp(_ value: Double, _ limit: Int) -> Int { Int(max(0, min(Double(limit), value))) }
    let left = clamp((corners.map(\.x).min() ?? 0).rounded(.down), painter.size.width - 1)
    let top = clamp((corners.map(\.y).min() ?? 0).rounded(.down), painter.size.height - 1)
    let right = clamp((corners.map(\.x).max() ?? 0).rounded(.up), painter.size.width)
    let bottom = clamp((corners.map(\.y).max() ?? 0).rounded(.up), painter.size.height)
    return PixelRect(
      x: left, y: top,
      size: PixelSize(width: max(1, right - left), height: max(1, bottom - top)))
  }
}
