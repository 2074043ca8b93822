internal import Foundation
internal import SystemSupport
internal import PandaTestSupport
internal import Testing

@testable import PictureCodecs

@Suite("Decoding animations")
struct AnimationDecodingTests {
  private let decoder = PictureDecoder()
  private static let clear: [UInt8] = [0, 0, 0, 0]

  private func frames(
    _ bytes: [UInt8], covering side: Int = 1_000, atMost count: Int = 1_000,
    limits: PictureLimits = .network
  ) async throws -> Animation<Bitmap>? {
    try await PictureDecoder(limits: limits).frames(
      of: Data(bytes), covering: PixelSize(width: side, height: side), atMost: count
    ) { $0 }
  }

  /// A GIF image of one color.
  private func image(
    _ index: UInt8, x: Int = 0, y: Int = 0, side: Int = 32, delay: Int = 5, disposal: UInt8 = 1
  ) -> GIFWriter.Image {
    GIFWriter.Image(x: x, y: y, width: side, height: side, delay: delay, disposal: disposal) {
      _, _ in index
    }
  }

  @Test(
    "The first frame is what a still picture shows", arguments: ["animated.gif", "animated.webp"])
  func firstFrame(name: String) async throws {
    let bytes = try fixture(name)
    let animation = try #require(await frames(bytes))
    #expect(animation.frames[0].picture == (try await decoder.decode(bytes)).bitmap)
    #expect(animation.frames.count > 1)
  }

  @Test("A still picture is no animation", arguments: ["plain.gif", "lossy.webp", "rgb.jpg"])
  func still(name: String) async throws {
    #expect(try await frames(try fixture(name)) == nil)
  }

  @Test("An image of a GIF stays, is cleared, or gives way to what was before")
  func disposal() async throws {
    let images = [
      image(0), image(1, side: 16, disposal: 3), image(2, x: 16, y: 16, side: 16, disposal: 2),
      image(3, side: 8),
    ]
    let animation = try #require(await frames(GIFWriter(images: images).bytes()))
    let corners = animation.frames.map { [$0.picture.pixel(0, 0), $0.picture.pixel(31, 31)] }
    #expect(
      corners == [
        [quadrants[0], quadrants[0]], [quadrants[1], quadrants[0]], [quadrants[0], quadrants[2]],
        [quadrants[3], Self.clear],
      ])
    #expect(animation.frames[3].picture.pixel(12, 12) == quadrants[0])
  }

  @Test("Transparent pixels of a GIF leave what was before, in interlaced order too")
  func transparency() async throws {
    let second = GIFWriter.Image(isInterlaced: true, transparentIndex: 1, delay: 5) { _, y in
      UInt8(y % 2 == 0 ? 1 : 2)
    }
    let animation = try #require(await frames(GIFWriter(images: [image(0), second]).bytes()))
    for y in 0..<32 {
      #expect(animation.frames[1].picture.pixel(3, y) == quadrants[y % 2 == 0 ? 0 : 2])
    }
  }

  @Test("An image that reaches past the screen is clipped, wherever it is")
  func clipped() async throws {
    let images = [
      image(0), image(1, x: 20, y: 20, disposal: 2), image(2, x: 500, y: 0, side: 9),
      image(3, side: 2),
    ]
    let animation = try #require(await frames(GIFWriter(images: images).bytes()))
    #expect(
      animation.frames.map { $0.picture.pixel(31, 31) } == [
        quadrants[0], quadrants[1], Self.clear, Self.clear,
      ])
  }

  @Test("A delay under 20 milliseconds is one of 100")
  func delays() async throws {
    let images = [0, 1, 2, 70].map { image(0, delay: $0) }
    let gif = try #require(await frames(GIFWriter(images: images).bytes()))
    #expect(gif.frames.map(\.duration) == [100, 100, 20, 700].map { .milliseconds($0) })
    let webp = try #require(
      await frames(
        WebPWriter.animation(
          [0, 19, 20, 3_000].map { .init(color: [1, 2, 3, 255], milliseconds: $0) })))
    #expect(webp.frames.map(\.duration) == [100, 100, 20, 3_000].map { .milliseconds($0) })
  }

  @Test("A GIF plays once, or as often as it says")
  func loopsOfGIF() async throws {
    for (repetitions, count) in [(nil, 1), (0, nil), (1, 2), (700, 701)] as [(Int?, Int?)] {
      let writer = GIFWriter(images: [image(0), image(1)], repetitions: repetitions)
      #expect(try await frames(writer.bytes())?.loopCount == count)
    }
  }

  @Test("A WebP plays without end, or as often as it says")
  func loopsOfWebP() async throws {
    let pictures = [WebPWriter.Frame(color: [1, 2, 3, 255]), .init(color: [4, 5, 6, 255])]
    #expect(try #require(await frames(WebPWriter.animation(pictures))).loopCount == nil)
    let thrice = WebPWriter.animation(pictures, loopCount: 3)
    #expect(try #require(await frames(thrice)).loopCount == 3)
  }

  @Test("A frame of a WebP blends or replaces, and stays or is cleared")
  func blending() async throws {
    let half: [UInt8] = [0, 255, 0, 128]
    let animation = try #require(
      await frames(
        WebPWriter.animation([
          .init(color: [255, 0, 0, 255]),
          .init(width: 16, height: 16, color: half),
          .init(width: 8, height: 8, color: half, isCleared: true, replaces: true),
          .init(x: 16, y: 16, width: 16, height: 16, color: half),
        ])))
    let pixels = animation.frames.map { $0.picture.pixel(0, 0) }
    #expect(pixels == [[255, 0, 0, 255], [127, 128, 0, 255], half, Self.clear])
    #expect(animation.frames[3].picture.pixel(12, 12) == [127, 128, 0, 255])
  }

  @Test("Of too many frames some are left out, and the time stays the same")
  func tooMany() async throws {
    let writer = GIFWriter(images: (0..<10).map { image(UInt8($0 % 4), delay: 10 + $0) })
    let animation = try #require(await frames(writer.bytes(), atMost: 4))
    #expect(animation.frames.map(\.duration) == [330, 420, 510, 190].map { .milliseconds($0) })
    #expect(animation.frames.map { $0.picture.pixel(0, 0) } == [0, 3, 2, 1].map { quadrants[$0] })
    #expect(try await frames(writer.bytes(), limits: PictureLimits(frames: 5))?.frames.count == 5)
    #expect(try await frames(writer.bytes(), atMost: 1) == nil)
  }

  @Test("Frames are reduced like a still picture")
  func reduced() async throws {
    let bytes = GIFWriter(images: [image(0), image(1)]).bytes()
    let animation = try #require(await frames(bytes, covering: 9))
    #expect(animation.frames.allSatisfy { $0.picture.size == PixelSize(width: 11, height: 11) })
    #expect(animation.frames[1].picture.pixel(10, 10) == quadrants[1])
  }

  @Test("A damaged animation plays up to the damage")
  func damaged() async throws {
    let gif = GIFWriter(images: (0..<4).map { image($0) }).bytes()
    #expect(try await frames(Array(gif.dropLast(200)))?.frames.count == 3)
    let webp = WebPWriter.animation((0..<4).map { .init(color: [$0, 0, 0, 255]) })
    #expect(try await frames(Array(webp.dropLast(20)))?.frames.count == 3)
    // The second frame reaches past the canvas: only one is left, which is no animation.
    let outside = WebPWriter.animation([
      .init(color: [1, 1, 1, 255]), .init(x: 20, color: [1, 1, 1, 255]),
    ])
    #expect(try await frames(outside) == nil)
  }

  @Test("Any cut or changed byte gives an animation or none, and never a crash")
  func broken() async throws {
    let files = [
      GIFWriter(images: [
        image(0, side: 9, disposal: 3), image(1, x: 3, side: 7, disposal: 2), image(2),
      ])
      .bytes(), try fixture("animated.webp"),
    ]
    var random = SplitMix64(seed: 7)
    for bytes in files {
      for count in stride(from: 0, to: bytes.count, by: 7) {
        _ = try? await frames(Array(bytes[..<count]))  // any error will do
      }
      for _ in 0..<300 {
        var changed = bytes
        changed[Int.random(in: 12..<bytes.count, using: &random)] = .random(
          in: 0...255, using: &random)
        _ = try? await frames(changed)  // any error will do
      }
    }
  }

  @Test("A canvas too large to be held is not played, and a large image in a small screen ends it")
  func large() async throws {
    let bytes = GIFWriter(images: [image(0), image(1)]).bytes()
    #expect(try await frames(bytes, limits: PictureLimits(animatedPixels: 1_023)) == nil)
    var hidden = bytes
    let second = try #require(hidden.lastIndex(of: 0x2C))
    hidden.replaceSubrange((second + 5)..<(second + 9), with: [255, 255, 255, 255])
    #expect(try await frames(hidden) == nil)
  }

  @Test("After the time limit the frames until then play")
  func slow() async throws {
    let time = Ticks()
    let decoder = PictureDecoder(
      limits: PictureLimits(animationTime: .seconds(100)), now: { time.next() })
    // A second for each row: three images of 32 rows.
    let bytes = GIFWriter(images: (0..<6).map { image($0 % 4) }).bytes()
    let animation = try #require(
      await decoder.frames(of: Data(bytes), covering: PixelSize(width: 9, height: 9), atMost: 9) {
        $0
      })
    #expect((2...3).contains(animation.frames.count))
  }
}

/// A clock that is a second later each time it is asked.
private final class Ticks: Sendable {
  private let start = ContinuousClock.now
  private let count = Lock(0)

  func next() -> ContinuousClock.Instant {
    let count = count.withLock { count in
      count += 1
      return count
    }
    return start + .seconds(count)
  }
}
