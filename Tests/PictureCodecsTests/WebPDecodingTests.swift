internal import Foundation
internal import Testing

@testable import PictureCodecs

@Suite("Decoding WebP")
struct WebPDecodingTests {
  private let decoder = PictureDecoder()

  /// The quadrants of `lossy-alpha.webp` and `lossless-alpha.webp`.
  private static let translucent: [[UInt8]] = [
    [255, 0, 0, 255], [0, 255, 0, 128], [0, 0, 255, 64], [255, 255, 255, 0],
  ]

  @Test(
    "Lossy, lossless, with alpha and animated have the right colors",
    arguments: [
      ("lossy.webp", quadrants, 8), ("lossless.webp", quadrants, 0),
      ("animated.webp", quadrants, 8), ("lossy-alpha.webp", translucent, 8),
      ("lossless-alpha.webp", translucent, 0),
    ])
  func colors(name: String, expected: [[UInt8]], tolerance: Int) async throws {
    let picture = try await decoder.decode(try fixture(name))
    #expect(picture.originalSize == PixelSize(width: 32, height: 32))
    #expect(picture.bitmap.size == picture.originalSize)
    #expect(
      picture.bitmap.shows(expected, within: tolerance), "\(picture.bitmap.quadrantMiddles)")
    #expect(!picture.isIncomplete)
  }

  @Test(
    "A scaled decode covers the target with less than twice its tighter side",
    arguments: ["lossy.webp", "lossless.webp", "animated.webp"],
    [(1, 1), (5, 9), (16, 16), (20, 10), (31, 31), (32, 5), (99, 99)])
  func scaled(name: String, sides: (Int, Int)) async throws {
    let target = PixelSize(width: sides.0, height: sides.1)
    let picture = try await decoder.decode(Data(try fixture(name)), covering: target)
    let size = picture.bitmap.size
    #expect(picture.originalSize == PixelSize(width: 32, height: 32))
    #expect(size.width >= min(sides.0, 32) && size.height >= min(sides.1, 32))
    let isTight = size.width < 2 * sides.0 + 1 || size.height < 2 * sides.1 + 1
    #expect(isTight, "\(size)")
    if sides.0 > 4 && sides.1 > 4 { #expect(picture.bitmap.shows(within: 12)) }
  }

  @Test("The scaled size keeps the proportions, and never less than 16 a side")
  func scaledSize() {
    let wide = PixelSize(width: 4_000, height: 3_000)
    func scaled(_ size: PixelSize, _ width: Int, _ height: Int) -> PixelSize {
      WebPDecoder.scaledSize(of: size, covering: PixelSize(width: width, height: height))
    }
    #expect(scaled(wide, 800, 600) == PixelSize(width: 800, height: 600))
    #expect(scaled(wide, 800, 1) == PixelSize(width: 800, height: 600))
    #expect(scaled(wide, 1, 1) == PixelSize(width: 22, height: 16))
    #expect(scaled(wide, 5_000, 1) == wide)
    let narrow = PixelSize(width: 16_383, height: 3)
    #expect(scaled(narrow, 80, 2) == narrow)
  }

  @Test("A frame smaller than the canvas lies where it should, and the rest is transparent")
  func placedFrame() async throws {
    let writer = WebPWriter(
      width: 64, height: 64, place: (32, 0), picture: try fixture("lossless.webp"))
    let picture = try await decoder.decode(writer.bytes())
    #expect(picture.bitmap.size == PixelSize(width: 64, height: 64))
    #expect(picture.bitmap.pixel(31, 0) == [0, 0, 0, 0])
    #expect(picture.bitmap.pixel(32, 0) == [255, 0, 0, 255])
    #expect(picture.bitmap.pixel(63, 31) == [255, 255, 255, 255])
    #expect(picture.bitmap.pixel(63, 32) == [0, 0, 0, 0])
    let target = PixelSize(width: 16, height: 16)
    let small = try await decoder.decode(Data(writer.bytes()), covering: target).bitmap
    #expect(small.size == target)
    #expect(small.pixel(7, 0) == [0, 0, 0, 0])
    #expect(small.pixel(9, 1) == [255, 0, 0, 255])
  }

  @Test("A frame past the canvas, or of another size than its picture, is damage")
  func contradictions() async throws {
    let picture = try fixture("lossless.webp")
    let past = WebPWriter(width: 40, height: 40, place: (10, 0), picture: picture).bytes()
    let other = WebPWriter(
      width: 40, height: 40, place: (0, 0), picture: picture,
      pictureSize: PixelSize(width: 31, height: 32)
    ).bytes()
    let still = WebPWriter(width: 33, height: 32, picture: picture).bytes()
    let empty = WebPWriter.file(WebPWriter.chunk("VP8X", [UInt8](repeating: 0, count: 10)))
    for bytes in [past, other, still, empty] {
      #expect(await errorKind { _ = try await decoder.decode(bytes) } == .damaged)
    }
  }

  @Test("If the bytes end early, the rows before are kept")
  func cut() async throws {
    let whole = try await decoder.decode(try fixture("noise.webp"))
    let bytes = try fixture("noise.webp")
    let picture = try await decoder.decode(Array(bytes.dropLast(bytes.count / 4)))
    #expect(picture.isIncomplete && !whole.isIncomplete)
    #expect(picture.bitmap.pixels.prefix(64 * 4 * 8) == whole.bitmap.pixels.prefix(64 * 4 * 8))
    #expect(picture.bitmap.pixel(63, 47) == [0, 0, 0, 0])
    #expect(await errorKind { _ = try await decoder.decode(Array(bytes[..<40])) } == .incomplete)
    // All the pixels, but not all the file.
    let animation = try fixture("animated.webp")
    let first = try await decoder.decode(Array(animation.dropLast(10)))
    #expect(first.isIncomplete && first.bitmap.shows(within: 8))
  }
}
