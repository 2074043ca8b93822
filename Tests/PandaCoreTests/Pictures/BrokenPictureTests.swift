internal import CTurboJPEG
internal import Foundation
internal import Testing

@testable internal import PandaCore

@Suite("Broken pictures")
struct BrokenPictureTests {
  private let decoder = PictureDecoder()

  /// Whole pictures to be broken.
  private static func pictures() throws -> [(String, [UInt8])] {
    let noise = RepeatableNoise()
    return [
      ("baseline", try JPEGWriter(width: 40, height: 24).bytes()),
      ("progressive", try JPEGWriter(width: 40, height: 24, flags: TJFLAG_PROGRESSIVE).bytes()),
      ("cmyk", try fixture("cmyk-adobe.jpg")),
      ("arithmetic", try fixture("arithmetic.jpg")),
      ("png", PNGWriter(width: 13, height: 9, samples: noise.samples).bytes()),
      ("interlaced", PNGWriter(width: 13, height: 9, isInterlaced: true).bytes()),
      (
        "palette",
        PNGWriter(
          width: 13, height: 9, depth: 4, colour: .palette, palette: [1, 2, 3, 4, 5, 6],
          transparency: [7]
        ) { x, _ in [x & 1] }.bytes()
      ),
    ]
  }

  /// Decodes and reports only an error that is no ``PictureError``, and a picture of a wrong shape.
  private func attempt(_ bytes: [UInt8], _ name: String) async {
    for side in [1, 5, 20_000] {
      let target = PixelSize(width: side, height: side)
      do {
        let picture = try await decoder.decode(Data(bytes), covering: target)
        #expect(picture.bitmap.size.width > 0 && picture.bitmap.size.height > 0)
      } catch is PictureError {
        continue
      } catch {
        Issue.record("\(name): \(error)")
      }
    }
  }

  @Test("A picture cut at every 97th byte is decoded as incomplete or refused")
  func truncation() async throws {
    let large = [
      ("large png", PNGWriter(width: 100, height: 50).bytes()),
      ("large jpeg", try JPEGWriter(width: 900, height: 700).bytes()),
    ]
    for (name, bytes) in try Self.pictures() + large {
      for count in stride(from: 0, to: bytes.count, by: 97) {
        let cut = Array(bytes[..<count])
        await attempt(cut, "\(name) cut at \(count)")
        // What is cut is never taken for whole.
        if let picture = try? await decoder.decode(cut) {
          #expect(picture.isIncomplete, "\(name) cut at \(count)")
        }
      }
    }
  }

  @Test("A byte changed at any offset is no crash")
  func corruption() async throws {
    for (name, bytes) in try Self.pictures() {
      for offset in bytes.indices {
        for change: UInt8 in [0x01, 0x80, 0xFF] {
          var broken = bytes
          broken[offset] ^= change
          await attempt(broken, "\(name) changed at \(offset)")
        }
      }
    }
  }

  @Test("A PNG with changed bytes and right checksums is no crash")
  func corruptionBehindChecksums() async throws {
    // Without this the checksums keep nearly every change from the decoder proper.
    for seed in 0..<300 {
      var random = RepeatableGenerator(state: UInt64(seed))
      let writer = PNGWriter(
        width: Int.random(in: 1...20, using: &random),
        height: Int.random(in: 1...20, using: &random),
        depth: [1, 2, 4, 8, 16].randomElement(using: &random)!,
        colour: [.grey, .rgb, .palette, .greyAlpha, .rgba].randomElement(using: &random)!,
        palette: Array(repeating: 77, count: Int.random(in: 0...20, using: &random)),
        transparency: Array(repeating: 7, count: Int.random(in: 0...9, using: &random)),
        isInterlaced: Bool.random(using: &random),
        samples: { x, y in [x & 1] })
      await attempt(writer.bytes(), "seed \(seed)")
    }
  }

  @Test("Random bytes after a true beginning are refused or incomplete")
  func randomBytes() async throws {
    let beginnings: [[UInt8]] = [
      [], PNGWriter().header(), PictureHeaderTests.jpeg(32, 32),
      Array(try JPEGWriter().bytes().prefix(200)), Array("GIF89a".utf8), Array("<svg".utf8),
    ]
    for seed in 0..<200 {
      var random = RepeatableGenerator(state: UInt64(seed))
      let count = Int.random(in: 0...600, using: &random)
      let noise = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      for beginning in beginnings { await attempt(beginning + noise, "seed \(seed)") }
    }
  }
}

/// Colours without a pattern.
private struct RepeatableNoise {
  let samples: (Int, Int) -> [Int] = { x, y in
    var random = RepeatableGenerator(state: UInt64(x * 1_000 + y))
    return (0..<3).map { _ in Int.random(in: 0...255, using: &random) }
  }
}
