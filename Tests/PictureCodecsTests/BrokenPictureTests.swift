internal import CTurboJPEG
internal import Foundation
internal import PandaTestSupport
internal import Testing

@testable import PictureCodecs

@Suite("Broken pictures")
struct BrokenPictureTests {
  private let decoder = PictureDecoder()

  /// Intact pictures to break.
  private static func pictures() throws -> [(String, [UInt8])] {
    let noise = RepeatableNoise()
    return try [
      ("baseline", try JPEGWriter(width: 40, height: 24).bytes()),
      ("progressive", try JPEGWriter(width: 40, height: 24, flags: panda_tj_progressive).bytes()),
      ("cmyk", try fixture("cmyk-adobe.jpg")),
      ("arithmetic", try fixture("arithmetic.jpg")),
      ("png", PNGWriter(width: 13, height: 9, samples: noise.samples).bytes()),
      ("interlaced", PNGWriter(width: 13, height: 9, isInterlaced: true).bytes()),
      (
        "palette",
        PNGWriter(
          width: 13, height: 9, depth: 4, color: .palette, palette: [1, 2, 3, 4, 5, 6],
          transparency: [7]
        ) { x, _ in [x & 1] }.bytes()
      ),
      (
        "turned",
        EXIFWriter(6).inserted(intoJPEG: try JPEGWriter(width: 40, height: 24).bytes())
      ),
    ]
      + [
        "lossy.webp", "lossless.webp", "lossy-alpha.webp", "lossless-alpha.webp", "animated.webp",
        "turned.webp", "plain.gif", "interlaced.gif", "transparent.gif", "animated.gif",
      ].map { ($0, try fixture($0)) }
  }

  /// Decodes, reporting only an error other than ``PictureError`` and a picture of the wrong shape.
  ///
  /// - Parameter turn: chooses the size that is asked for; nil for each.
  private func attempt(_ bytes: [UInt8], _ name: String, turn: Int? = nil) async {
    let sides = [1, 5, 20_000]
    for side in turn.map({ [sides[$0 % sides.count]] }) ?? sides {
      let target = PixelSize(width: side, height: side)
      do {
        let picture = try await decoder.decode(Data(bytes), covering: target)
        #expect(picture.bitmap.size.width > 0 && picture.bitmap.size.height > 0)
        #expect(picture.bitmap.pixels.count <= 4 * PictureLimits.network.pixels)
      } catch is PictureError {
        continue
      } catch {
        Issue.record("\(name): \(error)")
      }
    }
  }

  /// Intact pictures of a few thousand bytes.
  private static func largePictures() throws -> [(String, [UInt8])] {
    try [
      ("large png", PNGWriter(width: 100, height: 50).bytes()),
      ("large jpeg", try JPEGWriter(width: 900, height: 700).bytes()),
    ]
      + ["noise.webp", "noise-alpha.webp", "noise-lossless.webp", "noise.gif"].map {
        ($0, try fixture($0))
      }
  }

  @Test("A WebP or GIF cut at every byte is decoded as incomplete or refused")
  func truncationAtEveryByte() async throws {
    let large = try Self.largePictures().filter { $0.0.hasPrefix("noise") }
    for (name, bytes) in try Self.pictures().filter({ $0.0.contains(".") }) + large {
      let whole = try await decoder.decode(bytes)
      // The long form cuts the large ones at every byte, too.
      let step = Torture.isOn || bytes.count < 1_000 ? 1 : 7
      for count in stride(from: 0, to: bytes.count, by: step) {
        let cut = Array(bytes[..<count])
        do {
          let picture = try await decoder.decode(cut)
          // A GIF may end after any block, without its trailer: then no pixel is missing.
          let isWhole = name.hasSuffix("gif") && picture.bitmap == whole.bitmap
          #expect(picture.isIncomplete || isWhole, "\(name) cut at \(count)")
        } catch let error as PictureError {
          let isExpected = error.kind == .incomplete || error.kind == .notAPicture(nil)
          #expect(isExpected, "\(name) cut at \(count): \(error)")
        }
      }
    }
  }

  @Test("A picture cut at every 97th byte is decoded as incomplete or refused")
  func truncation() async throws {
    for (name, bytes) in try Self.pictures() + Self.largePictures() {
      for count in stride(from: 0, to: bytes.count, by: 97) {
        let cut = Array(bytes[..<count])
        await attempt(cut, "\(name) cut at \(count)")
        // A truncated picture is never taken for a complete one.
        if let picture = try? await decoder.decode(cut) {
          #expect(picture.isIncomplete, "\(name) cut at \(count)")
        }
      }
    }
  }

  @Test("A byte changed at any offset causes no crash")
  func corruption() async throws {
    for (name, bytes) in try Self.pictures() {
      let changes: [UInt8] = [0x01, 0x80, 0xFF]
      for offset in bytes.indices {
        // The long form has each change in each size.
        for (turn, change) in changes.enumerated()
        where Torture.isOn || turn == offset % changes.count {
          var broken = bytes
          broken[offset] ^= change
          await attempt(
            broken, "\(name) changed at \(offset)", turn: Torture.isOn ? nil : offset / 3)
        }
      }
    }
  }

  @Test("A PNG with changed bytes and correct checksums causes no crash")
  func corruptionBehindChecksums() async throws {
    // Otherwise the checksums keep nearly every change from reaching the decoder.
    for seed in 0..<300 {
      var random = SplitMix64(seed: UInt64(seed))
      let writer = PNGWriter(
        width: Int.random(in: 1...20, using: &random),
        height: Int.random(in: 1...20, using: &random),
        depth: [1, 2, 4, 8, 16].randomElement(using: &random)!,
        color: [.gray, .rgb, .palette, .grayAlpha, .rgba].randomElement(using: &random)!,
        palette: Array(repeating: 77, count: Int.random(in: 0...20, using: &random)),
        transparency: Array(repeating: 7, count: Int.random(in: 0...9, using: &random)),
        isInterlaced: Bool.random(using: &random),
        samples: { x, y in [x & 1] })
      await attempt(writer.bytes(), "seed \(seed)")
    }
  }

  @Test("Random bytes after a valid beginning are refused or incomplete")
  func randomBytes() async throws {
    let beginnings: [[UInt8]] = [
      [], PNGWriter().header(), PictureHeaderTests.jpeg(32, 32),
      Array(try JPEGWriter().bytes().prefix(200)), Array("GIF89a".utf8), Array("<svg".utf8),
      Array(try fixture("plain.gif").prefix(40)), Array(try fixture("lossy.webp").prefix(40)),
      Array(try fixture("lossless.webp").prefix(30)),
      Array(try fixture("animated.webp").prefix(80)),
    ]
    for seed in 0..<200 {
      var random = SplitMix64(seed: UInt64(seed))
      let count = Int.random(in: 0...600, using: &random)
      let noise = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      // The long form has each beginning in each size.
      for (index, beginning) in beginnings.enumerated() {
        await attempt(
          beginning + noise, "seed \(seed)", turn: Torture.isOn ? nil : seed + index)
      }
    }
  }
}

/// Colors without a pattern.
private struct RepeatableNoise {
  let samples: (Int, Int) -> [Int] = { x, y in
    var random = SplitMix64(seed: UInt64(x * 1_000 + y))
    return (0..<3).map { _ in Int.random(in: 0...255, using: &random) }
  }
}
