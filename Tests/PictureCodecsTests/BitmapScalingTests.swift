internal import Testing

@testable import PictureCodecs

@Suite("Scaling and cropping")
struct BitmapScalingTests {
  @Test("A smaller size averages the area of each pixel")
  func averages() {
    let row = bitmap(3, 1, [[0, 0, 0, 255], [90, 90, 90, 255], [180, 180, 180, 255]])
    // Halves of three pixels: 1 + 1/2 each.
    #expect(row.scaled(to: size(2, 1)).pixels == [30, 30, 30, 255, 150, 150, 150, 255])
    #expect(row.scaled(to: size(1, 1)).pixels == [90, 90, 90, 255])
    let column = bitmap(1, 3, [[0, 0, 0, 255], [90, 90, 90, 255], [180, 180, 180, 255]])
    #expect(column.scaled(to: size(1, 2)).pixels == [30, 30, 30, 255, 150, 150, 150, 255])
  }

  @Test("Transparent pixels contribute no color")
  func alpha() {
    let pair = bitmap(2, 1, [[200, 100, 50, 255], [0, 0, 0, 0]])
    #expect(pair.scaled(to: size(1, 1)).pixels == [200, 100, 50, 128])
    #expect(pair.reduced(byBoxesOf: 2, isOpaque: false).pixels == [200, 100, 50, 128])
    let clear = bitmap(2, 1, [[9, 9, 9, 0], [7, 7, 7, 0]])
    #expect(clear.scaled(to: size(1, 1)).pixels == [0, 0, 0, 0])
    #expect(clear.reduced(byBoxesOf: 2, isOpaque: false).pixels == [0, 0, 0, 0])
  }

  @Test(
    "One color stays that color at any size",
    arguments: [(1, 1), (7, 3), (64, 1), (1, 64), (63, 65), (100, 100), (0, -5)])
  func flat(width: Int, height: Int) {
    let flat = bitmap(64, 64, Array(repeating: [137, 1, 254, 255], count: 64 * 64))
    let scaled = flat.scaled(to: size(width, height))
    #expect(scaled.size == size(max(1, width), max(1, height)))
    let isFlat = stride(from: 0, to: scaled.pixels.count, by: 4).allSatisfy {
      Array(scaled.pixels[$0..<($0 + 4)]) == [137, 1, 254, 255]
    }
    #expect(isFlat)
  }

  @Test("A larger size repeats pixels")
  func enlarged() {
    let pair = bitmap(2, 1, [[1, 2, 3, 255], [4, 5, 6, 255]])
    #expect(pair.scaled(to: size(4, 2)).pixel(1, 1) == [1, 2, 3, 255])
    #expect(pair.scaled(to: size(4, 2)).pixel(2, 0) == [4, 5, 6, 255])
  }

  @Test("An empty picture scales to a transparent one")
  func empty() {
    let none = Bitmap(size: size(0, 5), pixels: [])
    #expect(none.scaled(to: size(1, 2)).pixels == [UInt8](repeating: 0, count: 8))
    #expect(none.cropped(toFill: size(1, 1)) == none)
  }

  @Test("Extreme proportions scale without a trap", arguments: [(1, 100_000), (100_000, 1)])
  func extreme(width: Int, height: Int) {
    let line = Bitmap(
      size: size(width, height), pixels: [UInt8](repeating: 255, count: width * height * 4))
    let fitted = line.size.fitted(in: size(80, 48))
    #expect(fitted == size(min(width, 80), min(height, 48)))
    #expect(line.scaled(to: fitted).pixels.allSatisfy { $0 == 255 })
    #expect(line.cropped(toFill: size(1, 1)).size == size(1, 1))
  }

  @Test("Boxes at the edges average what they have")
  func boxes() {
    let picture = bitmap(3, 3, (0..<9).map { [UInt8($0 * 10), 0, 0, 255] })
    let reduced = picture.reduced(byBoxesOf: 2)
    #expect(reduced.size == size(2, 2))
    #expect(stride(from: 0, to: 16, by: 4).map { reduced.pixels[$0] } == [20, 35, 65, 80])
    #expect(picture.reduced(byBoxesOf: 1) == picture)
    #expect(picture.reduced(byBoxesOf: 99).pixels == [40, 0, 0, 255])
  }

  @Test("The box factor covers the target and is never 0")
  func factor() {
    #expect(BoxReducer.factor(from: size(4_000, 3_000), covering: size(800, 600)) == 5)
    #expect(BoxReducer.factor(from: size(4_000, 3_000), covering: size(801, 600)) == 4)
    #expect(BoxReducer.factor(from: size(10, 10), covering: size(800, 600)) == 1)
    #expect(BoxReducer.factor(from: size(10, 10), covering: size(0, -1)) == 10)
  }

  @Test("A crop is clipped to the picture")
  func crop() {
    let picture = bitmap(3, 2, (0..<6).map { [UInt8($0), 0, 0, 255] })
    let middle = picture.cropped(to: PixelRect(x: 1, y: 0, size: size(1, 2)))
    #expect(middle == bitmap(1, 2, [[1, 0, 0, 255], [4, 0, 0, 255]]))
    let corner = picture.cropped(to: PixelRect(x: -5, y: 1, size: size(6, .max)))
    #expect(corner == bitmap(1, 1, [[3, 0, 0, 255]]))
    for rect in [
      PixelRect(x: 3, y: 0, size: size(1, 1)), PixelRect(x: 0, y: 0, size: size(-1, 1)),
      PixelRect(x: .max, y: .min, size: size(.max, .max)),
    ] {
      #expect(picture.cropped(to: rect).pixels.isEmpty)
    }
  }

  @Test("Filling keeps the middle of the width, and of the height what is around 38 percent")
  func fill() {
    #expect(
      size(400, 100).upperCenterRect(toFill: size(1, 1))
        == PixelRect(x: 150, y: 0, size: size(100, 100)))
    #expect(
      size(100, 400).upperCenterRect(toFill: size(1, 1))
        == PixelRect(x: 0, y: 102, size: size(100, 100)))
    #expect(
      size(600, 800).upperCenterRect(toFill: size(4, 3))
        == PixelRect(x: 0, y: 79, size: size(600, 450)))
    // The picture has nothing above that could be kept.
    #expect(
      size(100, 110).upperCenterRect(toFill: size(1, 1))
        == PixelRect(x: 0, y: 0, size: size(100, 100)))
    #expect(size(1, .max).upperCenterRect(toFill: size(1, 1)).y > 0)
    #expect(
      size(160, 90).upperCenterRect(toFill: size(16, 9))
        == PixelRect(x: 0, y: 0, size: size(160, 90)))
  }

  @Test(
    "A fitted size has no side of 0 and never leaves the box",
    arguments: [
      ((4_000, 3_000), (800, 800), (800, 600)), ((3, 4), (800, 800), (600, 800)),
      ((1, 100_000), (80, 24), (1, 24)), ((100_000, 1), (80, 24), (80, 1)),
      ((1, 1), (80, 24), (24, 24)), ((0, 7), (80, 24), (3, 24)), ((5, 5), (0, 0), (1, 1)),
      ((Int.max, 1), (80, 24), (80, 1)), ((Int.max, Int.max), (80, 24), (24, 24)),
      ((1, 1), (Int.max, Int.max), (Int.max, Int.max)),
    ])
  func fitted(own: (Int, Int), box: (Int, Int), expected: (Int, Int)) {
    #expect(size(own.0, own.1).fitted(in: size(box.0, box.1)) == size(expected.0, expected.1))
  }

  @Test("Shrinking never enlarges")
  func shrunk() {
    #expect(size(10, 5).shrunk(toFit: size(100, 100)) == size(10, 5))
    #expect(size(200, 100).shrunk(toFit: size(100, 100)) == size(100, 50))
  }

  private func size(_ width: Int, _ height: Int) -> PixelSize {
    PixelSize(width: width, height: height)
  }

  private func bitmap(_ width: Int, _ height: Int, _ pixels: [[UInt8]]) -> Bitmap {
    Bitmap(size: size(width, height), pixels: pixels.flatMap { $0 })
  }
}
