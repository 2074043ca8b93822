internal import FoundationEssentials
internal import Testing

@testable import Grove
@testable import PictureCodecs

@Suite("The bamboo grove")
struct BambooGroveTests {
  private static let small = PixelSize(width: 320, height: 240)

  @Test("The same seed draws the same picture and the same file")
  func sameSeedSameBytes() throws {
    for seed: UInt64 in [0, 7, .max] {
      let first = BambooGrove.drawing(seed: seed, size: Self.small)
      let second = BambooGrove.drawing(seed: seed, size: Self.small)
      #expect(first.bitmap == second.bitmap)
      #expect(first.title == second.title)
      #expect(first.faceBox == second.faceBox)
      #expect(try first.pngData() == second.pngData())
    }
  }

  @Test("A blink closes open eyes, a twitch turns an ear, and nothing else changes")
  func moments() {
    for seed: UInt64 in 0..<16 {
      var generator = SeededGenerator(seed: seed)
      let recipe = Recipe(from: &generator)
      let still = BambooGrove.drawing(seed: seed, size: Self.small)
      let changed = GroveMoment.allCases.map { moment in
        rows(of: still, changedIn: BambooGrove.drawing(seed: seed, size: Self.small, moment))
      }
      #expect(changed[0].isEmpty)
      let hasOpenEyes = recipe.expression != .happy && recipe.expression != .asleep
      #expect(changed[1].isEmpty != hasOpenEyes, "seed \(seed)")
      #expect(!changed[2].isEmpty, "seed \(seed)")
      // Eyes and ears lie in the upper part of the face.
      let face = still.faceBox
      for row in changed.joined() {
        #expect((face.y - 8..<face.y + face.size.height * 3 / 4).contains(row), "seed \(seed)")
      }
    }
  }

  /// The rows in which a drawing differs from another one.
  private func rows(of still: GroveDrawing, changedIn other: GroveDrawing) -> [Int] {
    let width = still.bitmap.size.width * 4
    return (0..<still.bitmap.size.height).filter { row in
      let range = row * width..<(row + 1) * width
      return still.bitmap.pixels[range] != other.bitmap.pixels[range]
    }
  }

  @Test("Different seeds draw different pictures")
  func differentSeeds() {
    let bitmaps = (UInt64(0)..<24).map { BambooGrove.drawing(seed: $0, size: Self.small).bitmap }
    #expect(Set(bitmaps).count == 24)
  }

  @Test("Every pose, setting and expression turns up within a hundred seeds")
  func everythingTurnsUp() {
    let recipes = (UInt64(0)..<100).map { seed in
      var generator = SeededGenerator(seed: seed)
      return Recipe(from: &generator)
    }
    #expect(Set(recipes.map(\.pose)).count == Pose.allCases.count)
    #expect(Set(recipes.map(\.setting)).count == Setting.allCases.count)
    #expect(Set(recipes.map(\.expression)).count == Expression.allCases.count)
    #expect(recipes.allSatisfy { $0.title.count <= 25 })
  }

  @Test(
    "The face lies inside the picture and fills a good part of it",
    arguments: [
      PixelSize(width: 320, height: 240), PixelSize(width: 500, height: 200),
      PixelSize(width: 200, height: 400),
    ])
  func faceBox(size: PixelSize) {
    for seed: UInt64 in 0..<12 {
      let drawing = BambooGrove.drawing(seed: seed, size: size)
      let face = drawing.faceBox
      #expect(drawing.bitmap.size == size)
      #expect(face.x >= 0 && face.y >= 0)
      #expect(face.x + face.size.width <= size.width && face.y + face.size.height <= size.height)
      // Of the 4:3 part that holds the panda.
      let unit = min(Double(size.width) / 4, Double(size.height) / 3)
      let share = Double(face.size.width * face.size.height) / (unit * unit * 12)
      #expect(share > 0.18, "seed \(seed) has a face of only \(share)")
    }
  }

  @Test("A face is rust, white and black", arguments: UInt64(0)..<40)
  func colorsOfTheFace(seed: UInt64) {
    let drawing = BambooGrove.drawing(seed: seed, size: PixelSize(width: 240, height: 180))
    let face = drawing.faceBox
    var rust = 0
    var white = 0
    var black = 0
    for y in face.y..<face.y + face.size.height {
      for x in face.x..<face.x + face.size.width {
        let place = (y * drawing.bitmap.size.width + x) * 4
        let red = Int(drawing.bitmap.pixels[place])
        let green = Int(drawing.bitmap.pixels[place + 1])
        let blue = Int(drawing.bitmap.pixels[place + 2])
        if red > 110, red > green + 45, green > blue { rust += 1 }
        if red > 205, green > 195, blue > 170 { white += 1 }
        if max(red, green, blue) < 70, red + 8 >= blue { black += 1 }
      }
    }
    let area = Double(face.size.width * face.size.height)
    #expect(Double(rust) / area > 0.15)
    #expect(Double(white) / area > 0.08)
    #expect(Double(black) / area > 0.02)
  }

  @Test("Every pixel is opaque, even on a canvas of one pixel")
  func opaque() throws {
    for (width, height) in [(1, 1), (3, 200), (200, 3), (64, 48)] {
      let drawing = BambooGrove.drawing(seed: 3, size: PixelSize(width: width, height: height))
      let pixels = drawing.bitmap.pixels
      #expect(stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] == 255 })
      #expect(drawing.faceBox.size.width > 0 && drawing.faceBox.size.height > 0)
    }
  }

  @Test("The default size is 960 x 720")
  func defaultSize() {
    #expect(BambooGrove.drawing(seed: 1).bitmap.size == PixelSize(width: 960, height: 720))
  }
}

@Suite("PNG files")
struct PNGEncoderTests {
  private func header(of data: Data) -> (width: Int, height: Int, depth: Int, kind: Int) {
    let bytes = [UInt8](data)
    func number(_ place: Int) -> Int {
      bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    return (number(16), number(20), Int(bytes[24]), Int(bytes[25]))
  }

  @Test("A drawing becomes an RGB file with its dimensions")
  func drawing() throws {
    let size = PixelSize(width: 123, height: 45)
    let data = try BambooGrove.drawing(seed: 5, size: size).pngData()
    #expect([UInt8](data.prefix(8)) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    #expect(header(of: data) == (123, 45, 8, 2))
  }

  @Test("A picture with one transparent pixel keeps its alpha")
  func alpha() throws {
    let bitmap = Bitmap(
      size: PixelSize(width: 2, height: 1), pixels: [255, 0, 0, 255, 0, 0, 255, 0])
    #expect(header(of: try PNGEncoder.encode(bitmap)) == (2, 1, 8, 6))
  }

  @Test("A picture without pixels is an error", arguments: [(0, 0), (0, 5), (5, 0)])
  func empty(width: Int, height: Int) {
    let size = PixelSize(width: width, height: height)
    #expect(throws: PNGEncodingError(size: size)) {
      try PNGEncoder.encode(Bitmap(size: size, pixels: []))
    }
  }
}

@Suite("The painter")
struct PainterTests {
  private let white = Color(0xFFFFFF)

  private func painter(_ width: Int, _ height: Int) -> Painter {
    Painter(size: PixelSize(width: width, height: height))
  }

  /// How white the canvas is in all, in pixels.
  private func area(_ painter: Painter) -> Double {
    let pixels = painter.bitmap().pixels
    return stride(from: 0, to: pixels.count, by: 4).reduce(0) { $0 + Double(pixels[$1]) / 255 }
  }

  @Test("A half covered pixel has half the coverage")
  func halfCovered() {
    let painter = painter(3, 1)
    painter.fill(Path(rectangle: Point(0.5, 0), Point(2.5, 1)), white)
    let pixels = painter.bitmap().pixels
    #expect(abs(Int(pixels[0]) - 128) <= 1)
    #expect(pixels[4] == 255)
    #expect(abs(Int(pixels[8]) - 128) <= 1)
  }

  @Test("A circle has the area of a circle", arguments: [5.0, 17.3, 40])
  func circle(radius: Double) {
    let painter = painter(100, 100)
    painter.fill(Path(ellipse: Point(50.3, 49.6), radius, radius), white)
    let exact = Double.pi * radius * radius
    #expect(abs(area(painter) - exact) / exact < 0.005)
  }

  @Test("Shapes may leave the canvas on every side")
  func outside() {
    let painter = painter(20, 10)
    painter.fill(Path(rectangle: Point(-50, -50), Point(70, 60)), white)
    #expect(area(painter) == 200)
    painter.fill(Path(ellipse: Point(-400, 5), 100, 100), Color(0x000000))
    painter.fill(Path(ellipse: Point(400, 500), 100, 100), Color(0x000000))
    #expect(area(painter) == 200)
  }

  @Test("Contours with the same direction merge; one with the opposite direction cuts a hole")
  func winding() {
    let outer = [Point(0, 0), Point(10, 0), Point(10, 10), Point(0, 10)]
    let inner = [Point(2, 2), Point(8, 2), Point(8, 8), Point(2, 8)]
    let joined = painter(10, 10)
    var path = Path(polygon: outer)
    path.append(Path(polygon: inner))
    joined.fill(path, white)
    #expect(area(joined) == 100)
    let holed = painter(10, 10)
    path = Path(polygon: outer)
    path.append(Path(polygon: inner.reversed()))
    holed.fill(path, white)
    #expect(area(holed) == 64)
  }

  @Test("A clip keeps the paint inside")
  func clip() {
    let painter = painter(10, 10)
    painter.clipped(to: Path(rectangle: Point(2, 2), Point(5, 5))) {
      painter.fill(Path(rectangle: Point(0, 0), Point(10, 10)), white)
    }
    #expect(area(painter) == 9)
    painter.fill(Path(rectangle: Point(0, 0), Point(10, 10)), white)
    #expect(area(painter) == 100)
  }

  @Test("A gradient runs from its first color to its last, under a transform too")
  func gradient() {
    let painter = painter(256, 1)
    painter.transform = Transform(a: 2, d: 2)
    painter.fill(
      Path(rectangle: Point(0, 0), Point(128, 1)),
      .linear(Point(0, 0), Point(128, 0), Color(0x000000), white))
    let pixels = painter.bitmap().pixels
    for x in 0..<256 { #expect(abs(Int(pixels[x * 4]) - x) <= 1) }
  }

  @Test("Half transparent paint lets half of the color below through")
  func alpha() {
    let painter = painter(1, 1)
    painter.fill(Path(rectangle: Point(0, 0), Point(1, 1)), Color(0xFFFFFF, alpha: 0.5))
    #expect(abs(Int(painter.bitmap().pixels[0]) - 128) <= 1)
  }

  @Test("Our sine and cosine are accurate to nine digits")
  func sine() {
    let root = 0.75.squareRoot()
    let known: [(angle: Double, sine: Double, cosine: Double)] = [
      (0, 0, 1), (.pi / 6, 0.5, root), (.pi / 2, 1, 0), (-.pi, 0, -1),
      (13 * .pi / 6, 0.5, root), (-.pi / 3, -root, 0.5),
    ]
    for (angle, sine, cosine) in known {
      #expect(abs(Turn.sine(angle) - sine) < 2e-9)
      #expect(abs(Turn.cosine(angle) - cosine) < 2e-9)
    }
  }

  @Test("The generator gives SplitMix64's published numbers")
  func generator() {
    // The reference values for the seed 1234567 (prng.di.unimi.it, splitmix64.c).
    var generator = SeededGenerator(seed: 1_234_567)
    #expect(generator.next() == 6_457_827_717_110_365_317)
    #expect(generator.next() == 3_203_168_211_198_807_973)
    for _ in 0..<1000 {
      #expect((0..<7).contains(generator.index(below: 7)))
      #expect((0..<1).contains(generator.unit()))
    }
  }
}
