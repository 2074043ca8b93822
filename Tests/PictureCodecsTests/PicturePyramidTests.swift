import Testing

@testable import PictureCodecs

@Suite struct PicturePyramidTests {
  /// Left half black, right half white.
  func halves(width: Int, height: Int) -> Bitmap {
    var pixels: [UInt8] = []
    for _ in 0..<height {
      for column in 0..<width {
        let value: UInt8 = column < width / 2 ? 0 : 255
        pixels += [value, value, value, 255]
      }
    }
    return Bitmap(size: PixelSize(width: width, height: height), pixels: pixels)
  }

  @Test func `a part has at least the pixels that are wanted, and less than four times as many`() {
    let pyramid = PicturePyramid(halves(width: 1_600, height: 1_200))
    let whole = PixelRect(x: 0, y: 0, size: pyramid.size)
    for target in [100, 200, 333, 800, 1_599] {
      let part = pyramid.part(whole, covering: PixelSize(width: target, height: target * 3 / 4))
      #expect(part.size.width >= min(target, 200) && part.size.width <= 1_600)
      #expect(target <= 200 || part.size.width < target * 2)
    }
    let enlarged = pyramid.part(
      PixelRect(x: 10, y: 10, size: PixelSize(width: 40, height: 30)),
      covering: PixelSize(width: 800, height: 600))
    #expect(enlarged.size == PixelSize(width: 40, height: 30))
  }

  @Test func `a part of a smaller level is the same part`() {
    let pyramid = PicturePyramid(halves(width: 1_600, height: 1_200))
    let part = pyramid.part(
      PixelRect(x: 400, y: 0, size: PixelSize(width: 800, height: 600)),
      covering: PixelSize(width: 100, height: 75))
    #expect(part.size.width == 200 || part.size.width == 100 || part.size.width == 400)
    #expect(part.pixels[0] == 0)
    #expect(part.pixels[(part.size.width - 1) * 4] == 255)
  }
}
