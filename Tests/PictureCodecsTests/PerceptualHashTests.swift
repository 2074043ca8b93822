import Foundation
import Testing

@testable import Grove
@testable import PictureCodecs

@Suite struct PerceptualHashTests {
  private let size = PixelSize(width: 480, height: 360)

  private func drawing(_ seed: UInt64) -> Bitmap {
    BambooGrove.drawing(seed: seed, size: size).bitmap
  }

  @Test(arguments: UInt64(0)..<20)
  func `other sizes, formats and qualities, and a slight crop, look the same`(_ seed: UInt64)
    async throws
  {
    let bitmap = drawing(seed)
    let hash = PerceptualHash(of: bitmap)
    let decoder = PictureDecoder()
    var others: [(String, Data)] = [("PNG", try PNGEncoder.encode(bitmap))]
    for quality in [Int32(10), 40, 90] {
      others.append(("JPEG \(quality)", try #require(JPEGEncoder.encode(bitmap, quality: quality))))
    }
    for width in [96, 233, 900] {
      let scaled = bitmap.scaled(to: PixelSize(width: width, height: width * 3 / 4))
      others.append(("\(width) wide", try #require(JPEGEncoder.encode(scaled, quality: 70))))
    }
    let cropped = bitmap.cropped(
      to: PixelRect(x: 2, y: 2, size: PixelSize(width: size.width - 4, height: size.height - 4)))
    others.append(("cropped", try #require(JPEGEncoder.encode(cropped, quality: 70))))
    for (name, data) in others {
      let distance = hash.distance(to: try await PerceptualHash(of: data, decoder: decoder))
      #expect(distance <= PerceptualHash.nearDistance, "\(name): \(distance) bits")
    }
  }

  @Test func `different pandas do not look the same`() {
    let hashes = (UInt64(0)..<80).map { PerceptualHash(of: drawing($0)) }
    for (place, one) in hashes.enumerated() {
      #expect(one.isDistinct)
      for other in hashes[(place + 1)...] {
        #expect(one.distance(to: other) > PerceptualHash.nearDistance)
      }
    }
  }

  @Test func `a picture of one color, noisy or transparent, tells nothing`() async throws {
    let size = PixelSize(width: 64, height: 48)
    var generator = SeededGenerator(seed: 1)
    for alpha in [UInt8(0), 255] {
      let pixels = (0..<size.width * size.height).flatMap { _ -> [UInt8] in
        let gray = UInt8(120 + generator.next() % 3)
        return [gray, gray, gray, alpha]
      }
      #expect(!PerceptualHash(of: Bitmap(size: size, pixels: pixels)).isDistinct)
    }
    let nothing = Bitmap(size: PixelSize(width: 0, height: 0), pixels: [])
    #expect(!PerceptualHash(of: nothing).isDistinct)
  }

  @Test func `steps to a lighter neighbor are ones, from left to right and down`() {
    func ramp(_ level: (Int) -> Int) -> Bitmap {
      let pixels = (0..<72).flatMap { place -> [UInt8] in
        [UInt8(level(place % 9) * 20), 0, 0, 255]
      }
      return Bitmap(size: PixelSize(width: 9, height: 8), pixels: pixels)
    }
    let hash = PerceptualHash(of: ramp { $0 })
    #expect(hash.across == .max && hash.down == 0)
    #expect(PerceptualHash(of: ramp { 8 - $0 }).across == 0)
  }
}
