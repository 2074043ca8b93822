import Foundation
import PandaTestSupport
import Pantry
import Testing

@testable import Grove
@testable import PandaCore
@testable import PictureCodecs

@Suite struct PreviewCacheTests {
  let directory = TemporaryDirectory()
  let decoder = PictureDecoder()
  private static let size = PixelSize(width: 640, height: 480)

  func cache(limit: Int = 2 << 20) -> PreviewCache {
    PreviewCache(directory: StorageDirectory(url: directory.url), limit: limit)
  }

  func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.url.path).sorted()
  }

  /// A drawing that was decoded for so many pixels, and an attachment without its bytes.
  func drawing(
    _ seed: UInt64, covering target: PixelSize = size
  ) async throws -> (decoded: DecodedPicture, gone: Pantry.Attachment) {
    let bytes = try BambooGrove.drawing(seed: seed, size: Self.size).pngData()
    let digest = Pantry.Attachment(bytes).digest.hexadecimal
    let gone = try JSONDecoder().decode(
      Pantry.Attachment.self, from: Data(#"{"sha256":"\#(digest)","byteCount":9}"#.utf8))
    return (try await decoder.decode(bytes, covering: target), gone)
  }

  @Test func `a kept picture comes back without its bytes, and looks the same`() async throws {
    let (decoded, gone) = try await drawing(1)
    let cache = cache()
    #expect(await cache.preview(of: gone, covering: Self.size, decoder: decoder) == nil)
    await cache.keep(decoded, of: gone)
    let larger = PixelSize(width: 2000, height: 2000)
    for target in [Self.size, larger] {
      let kept = try #require(await cache.preview(of: gone, covering: target, decoder: decoder))
      #expect(kept.bitmap.size == Self.size)
      var error = 0
      for (one, other) in zip(kept.bitmap.pixels, decoded.bitmap.pixels) {
        error += (Int(one) - Int(other)) * (Int(one) - Int(other))
      }
      // 40 dB and more.
      #expect(error / decoded.bitmap.pixels.count < 7)
    }
  }

  @Test func `a preview decoded smaller serves only requests of its size`() async throws {
    let small = PixelSize(width: 160, height: 120)
    let (decoded, gone) = try await drawing(2, covering: small)
    try #require(decoded.bitmap.size.width < Self.size.width)
    let cache = cache()
    await cache.keep(decoded, of: gone)
    #expect(await cache.preview(of: gone, covering: small, decoder: decoder) != nil)
    #expect(await cache.preview(of: gone, covering: Self.size, decoder: decoder) == nil)
  }

  @Test func `small, incomplete and transparent pictures are not kept`() async throws {
    let (decoded, gone) = try await drawing(3)
    let cache = cache()
    var clear = decoded.bitmap.pixels
    clear[3] = 0
    let tiny = PixelSize(width: 10, height: 10)
    for picture in [
      DecodedPicture(bitmap: decoded.bitmap, originalSize: Self.size, isIncomplete: true),
      DecodedPicture(
        bitmap: Bitmap(size: Self.size, pixels: clear), originalSize: Self.size,
        isIncomplete: false),
      DecodedPicture(
        bitmap: Bitmap(size: tiny, pixels: Array(repeating: 255, count: 400)), originalSize: tiny,
        isIncomplete: false),
    ] {
      await cache.keep(picture, of: gone)
      #expect(try files().isEmpty)
    }
  }

  @Test func `a damaged file is no preview, and few are kept`() async throws {
    let (decoded, gone) = try await drawing(4)
    let cache = cache(limit: 300_000)
    await cache.keep(decoded, of: gone)
    for file in try files() {
      try Data("no picture".utf8).write(to: directory.url.appending(path: file))
    }
    #expect(await cache.preview(of: gone, covering: Self.size, decoder: decoder) == nil)
    for seed: UInt64 in 5..<12 {
      let (decoded, gone) = try await drawing(seed)
      await cache.keep(decoded, of: gone)
    }
    let total = try files().reduce(0) { sum, file in
      sum + (try Data(contentsOf: directory.url.appending(path: file)).count)
    }
    #expect(total <= 300_000 && total > 0)
  }
}
