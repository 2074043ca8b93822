import Foundation
import Pantry
import PictureCodecs
import Testing

@testable import Grove
@testable import PandaCore

@Suite struct NearDuplicatesTests {
  private func image(_ name: String, bits: UInt64?) -> RemoteImage {
    var image = FavoritesFilterTests.image(name)
    image.perceptualHash = bits.map { PerceptualHash(across: $0, down: 0) }
    return image
  }

  private func found(_ text: String, _ images: [RemoteImage]) -> String {
    var index = FavoritesIndex()
    return FavoritesFilter(text).apply(to: images, index: &index).map(\.url.lastPathComponent)
      .joined()
  }

  @Test func `is:similar finds similar pictures, in its own order`() {
    let images = [
      image("a", bits: 0xFFFF_0000_FFFF_0000), image("b", bits: 0x0123_4567_89AB_CDEF),
      // Seven bits.
      image("c", bits: 0xFFFF_0000_FFFF_0000 ^ 0x0101_0101_0101_0100), image("d", bits: nil),
      image("e", bits: nil), image("f", bits: 0), image("g", bits: 0),
      image("h", bits: 0x0123_4567_89AB_CDEF ^ 0xFF),
    ]
    #expect(found("is:similar", images) == "ac")
    #expect(found("IS:Similar redpanda", images) == "ac")
    #expect(found("is:similar zzz", images) == "")
    #expect(!FavoritesFilter("is:similar").isEmpty && FavoritesFilter("x is:similar").findsSimilar)
    #expect(!FavoritesFilter("similar").findsSimilar)
  }

  @Test func `the nearest one is found, not the picture itself`() {
    let bits: UInt64 = 0xFFFF_0000_FFFF_0000
    let images = [
      image("a", bits: bits ^ 0x7), image("b", bits: bits), image("c", bits: bits ^ 0x1),
      image("d", bits: ~bits),
    ]
    #expect(NearDuplicates.nearest(to: images[1], in: images)?.id == images[2].id)
    #expect(NearDuplicates.nearest(to: images[3], in: images) == nil)
    #expect(NearDuplicates.nearest(to: image("e", bits: nil), in: images) == nil)
  }

  @Test func `buckets find the same pairs as comparing every pair`() {
    var generator = SeededGenerator(seed: 4)
    // Few different bits, so that many hashes are near each other.
    let hashes = (0..<400).map { _ in
      PerceptualHash(
        across: generator.next() & 0x1111_1111_1111_1111,
        down: generator.next() & 0x1111_1111_1111_1111)
    }
    let near = hashes.indices.map { one in
      hashes.indices.contains {
        $0 != one && hashes[one].distance(to: hashes[$0]) <= PerceptualHash.nearDistance
      }
    }
    #expect(NearDuplicates.areNear(hashes) == near)
    #expect(near.contains(true) && near.contains(false))
    #expect(NearDuplicates.areNear([]).isEmpty && NearDuplicates.areNear([hashes[0]]) == [false])
  }
}
