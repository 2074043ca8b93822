internal import Foundation
internal import Testing

@testable import PictureCodecs

@Suite("Decoding GIF")
struct GIFDecodingTests {
  private let decoder = PictureDecoder()
  private static let clear: [UInt8] = [0, 0, 0, 0]

  @Test(
    "Plain, interlaced, animated and transparent have the right colors",
    arguments: [
      ("plain.gif", quadrants), ("interlaced.gif", quadrants), ("animated.gif", quadrants),
      ("transparent.gif", quadrants.prefix(3) + [clear]),
    ])
  func colors(name: String, expected: [[UInt8]]) async throws {
    let picture = try await decoder.decode(try fixture(name))
    #expect(picture.bitmap.size == PixelSize(width: 32, height: 32))
    #expect(picture.originalSize == PixelSize(width: 32, height: 32))
    #expect(picture.bitmap.shows(expected), "\(picture.bitmap.quadrantMiddles)")
    #expect(!picture.isIncomplete)
  }

  @Test("A picture is reduced while it is read", arguments: [false, true])
  func reduced(isInterlaced: Bool) async throws {
    let data = Data(GIFWriter(images: [.init(isInterlaced: isInterlaced)]).bytes())
    let picture = try await decoder.decode(data, covering: PixelSize(width: 9, height: 5))
    // 32 / 9 is 3: boxes of three.
    #expect(picture.bitmap.size == PixelSize(width: 11, height: 11))
    #expect(picture.bitmap.shows())
  }

  @Test("Every row of an interlaced picture is where it should be", arguments: 1...20)
  func interlaced(height: Int) async throws {
    let image = GIFWriter.Image(width: 3, height: height, isInterlaced: true) { _, y in
      UInt8(y % 4)
    }
    let writer = GIFWriter(width: 3, height: height, images: [image])
    let bitmap = try await decoder.decode(writer.bytes()).bitmap
    for y in 0..<height { #expect(bitmap.pixel(1, y) == quadrants[y % 4]) }
  }

  @Test("The screen outside the image is transparent", arguments: [false, true])
  func smallerThanScreen(isInterlaced: Bool) async throws {
    let image = GIFWriter.Image(x: 4, y: 8, isInterlaced: isInterlaced)
    let writer = GIFWriter(width: 40, height: 44, images: [image])
    let bitmap = try await decoder.decode(writer.bytes()).bitmap
    #expect(bitmap.size == PixelSize(width: 40, height: 44))
    for (x, y) in [(3, 8), (4, 7), (36, 39), (35, 40), (0, 43)] {
      #expect(bitmap.pixel(x, y) == Self.clear)
    }
    #expect(bitmap.pixel(4, 8) == quadrants[0])
    #expect(bitmap.pixel(35, 39) == quadrants[3])
  }

  @Test("An image that extends past the screen is clipped", arguments: [false, true])
  func largerThanScreen(isInterlaced: Bool) async throws {
    let image = GIFWriter.Image(x: 2, y: 3, isInterlaced: isInterlaced)
    let picture = try await decoder.decode(
      GIFWriter(width: 20, height: 21, images: [image]).bytes())
    #expect(picture.bitmap.size == PixelSize(width: 20, height: 21))
    #expect(picture.bitmap.pixel(19, 20) == quadrants[3])
    #expect(!picture.isIncomplete)
    let outside = GIFWriter(width: 20, height: 20, images: [.init(x: 20)]).bytes()
    #expect(await errorKind { _ = try await decoder.decode(outside) } == .damaged)
  }

  @Test("The image's own palette is used, and an index past it is black")
  func palettes() async throws {
    let own: [UInt8] = [9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 1]
    let bitmap = try await decoder.decode(GIFWriter(images: [.init(palette: own)]).bytes()).bitmap
    #expect(bitmap.pixel(0, 0) == [9, 8, 7, 255])
    let past = GIFWriter(images: [.init { _, _ in 200 }]).bytes()
    #expect(try await decoder.decode(past).bitmap.pixel(0, 0) == [0, 0, 0, 255])
  }

  @Test("A picture without any palette is shown in black, white and grays, as in browsers")
  func noPalette() async throws {
    let image = GIFWriter.Image(width: 4, height: 1) { x, _ in [0, 1, 2, 200][x] }
    let bytes = GIFWriter(width: 4, height: 1, palette: [], images: [image]).bytes()
    let bitmap = try await decoder.decode(bytes).bitmap
    #expect((0..<4).map { bitmap.pixel($0, 0)[0] } == [0, 255, 2, 200])
    #expect((0..<4).allSatisfy { Set(bitmap.pixel($0, 0).prefix(3)).count == 1 })
  }

  @Test("Only the first image is read")
  func firstImage() async throws {
    let images = [GIFWriter.Image(), GIFWriter.Image(width: 65_535, height: 1) { _, _ in 0 }]
    #expect(try await decoder.decode(GIFWriter(images: images).bytes()).bitmap.shows())
    let without = GIFWriter(images: []).bytes()
    #expect(await errorKind { _ = try await decoder.decode(without) } == .damaged)
  }

  @Test("A large image in a small screen is refused")
  func hiddenSize() async throws {
    var bytes = GIFWriter().bytes()
    let descriptor = try #require(bytes.firstIndex(of: 0x2C))
    bytes.replaceSubrange((descriptor + 5)..<(descriptor + 9), with: [255, 255, 255, 255])
    let expected = PictureError.Kind.tooManyPixels(
      PixelSize(width: 65_535, height: 65_535), limit: 200_000_000, sideLimit: 65_535)
    #expect(await errorKind { _ = try await decoder.decode(bytes) } == expected)
  }

  @Test("If the bytes end early, the rows before are kept")
  func cut() async throws {
    let bytes = GIFWriter().bytes()
    let picture = try await decoder.decode(Array(bytes.dropLast(bytes.count / 3)))
    #expect(picture.isIncomplete)
    #expect(picture.bitmap.quadrantMiddles.prefix(2) == quadrants.prefix(2))
    #expect(picture.bitmap.pixel(31, 31) == Self.clear)
    #expect(await errorKind { _ = try await decoder.decode(Array(bytes[..<50])) } == .incomplete)
    // An interlaced picture has pixels everywhere.
    let interlaced = GIFWriter(images: [.init(isInterlaced: true)]).bytes()
    let coarse = try await decoder.decode(Array(interlaced.dropLast(interlaced.count / 2)))
    #expect(coarse.isIncomplete && coarse.bitmap.shows())
    // All the pixels, but not the whole file; a missing trailer does not matter.
    let animation = GIFWriter(images: [.init(), .init()]).bytes()
    #expect(try await decoder.decode(Array(animation.dropLast(5))).isIncomplete)
    #expect(try await !decoder.decode(animation.dropLast()).isIncomplete)
  }
}
