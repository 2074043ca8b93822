import Foundation
import Grove
import PandaTestSupport
import Pantry
import PictureCodecs
import Testing

@testable import PandaCore

/// Favorites that look the same.
@MainActor
@Suite struct PerceptualHashLibraryTests {
  private let folder = LibraryFolder()

  /// A drawn panda as a file.
  private func drawing(
    _ number: Int, seed: UInt64, width: Int = 320, quality: Int32 = 90, cut: Int = 0
  ) throws -> RemoteImage {
    let size = PixelSize(width: width, height: width * 3 / 4)
    let part = PixelSize(width: size.width - 2 * cut, height: size.height - 2 * cut)
    let bitmap = BambooGrove.drawing(seed: seed, size: size).bitmap
      .cropped(to: PixelRect(x: cut, y: cut, size: part))
    let bytes: Data = try #require(JPEGEncoder.encode(bitmap, quality: quality))
    return image(number, bytes: bytes)
  }

  @Test func `a favorite of an earlier version gets its hash once, and it is kept`() async throws {
    let first = folder.library()
    try await first.save([
      drawing(1, seed: 5), drawing(2, seed: 6), drawing(3, seed: 5, width: 200, quality: 40),
      image(4),
    ])
    #expect(first.favorites.items.allSatisfy { $0.perceptualHash == nil })
    #expect(try await first.hasher.incomparableCount == 4)
    try await first.hasher.hashFavorites()
    #expect(try await first.hasher.incomparableCount == 0, "what cannot be decoded is tried once")
    #expect(first.favorites.items.map { $0.perceptualHash != nil } == [true, true, true, false])
    await first.close()

    let second = folder.library()
    try await second.favorites.itemsHaveLoaded()
    let images = second.favorites.items
    let similar = NearDuplicates.all(in: images)
    #expect(similar.map(\.url.lastPathComponent) == ["1", "3"])
    // It was no step of the user.
    #expect(try await second.undo()?.count == 4)
    await second.close()
  }

  @Test func `a picture is compared with the favorites when it is saved`() async throws {
    let library = folder.library()
    let controller = ImagesController(library: library, source: BambooGroveSource())
    try await controller.imagesHaveBeenRead()
    for (number, seed) in [UInt64(5), 6, 7].enumerated() {
      let image = await controller.library.hasher.hashed(try drawing(number, seed: seed))
      #expect(NearDuplicates.nearest(to: image, in: controller.images) == nil)
      try await controller.saveImage(image: image)
      #expect(
        NearDuplicates.nearest(to: image, in: controller.images) == nil,
        "a picture is no duplicate of itself")
    }
    #expect(controller.images.allSatisfy { $0.perceptualHash != nil })
    let other = await controller.library.hasher.hashed(
      try drawing(9, seed: 6, width: 640, quality: 60))
    #expect(NearDuplicates.nearest(to: other, in: controller.images)?.url.lastPathComponent == "1")
    let unreadable = await controller.library.hasher.hashed(image(10))
    #expect(NearDuplicates.nearest(to: unreadable, in: controller.images) == nil)
    await controller.library.close()
  }

  @Test(arguments: [0, 1, UInt64.max, 1 << 63, 0x8000_0000_0000_0401])
  func `every hash is stored as it is`(_ bits: UInt64) async throws {
    var image = image(1)
    image.perceptualHash = PerceptualHash(across: bits, down: ~bits)
    let first = folder.library()
    try await first.save(image)
    await first.close()
    let second = folder.library()
    try await second.favorites.itemsHaveLoaded()
    #expect(second.favorites.items.map(\.perceptualHash) == [image.perceptualHash])
    await second.close()
  }
}
