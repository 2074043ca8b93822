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
    #expect(first.unhashed.count == 4)
    try await first.hashFavorites()
    #expect(first.unhashed.isEmpty, "what cannot be decoded is tried once")
    #expect(first.favorites.items.map { $0.perceptualHash != nil } == [true, true, true, false])
    await first.close()

    let second = folder.library()
    try await second.favorites.itemsHaveLoaded()
    let images = second.favorites.items
    let similar = NearDuplicates.all(in: images, crops: CropPairs())
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
      let image = await controller.hashed(try drawing(number, seed: seed))
      #expect(controller.nearDuplicate(of: image) == nil)
      try await controller.saveImage(image: image)
      #expect(
        controller.nearDuplicate(of: image) == nil, "a picture is no duplicate of itself")
    }
    #expect(controller.images.allSatisfy { $0.perceptualHash != nil })
    let other = await controller.hashed(try drawing(9, seed: 6, width: 640, quality: 60))
    #expect(controller.nearDuplicate(of: other)?.url.lastPathComponent == "1")
    let unreadable = await controller.hashed(image(10))
    #expect(controller.nearDuplicate(of: unreadable) == nil)
    await controller.close()
  }

  @Test func `a crop is found when it is saved, and by its shape after a relaunch`() async throws {
    let library = folder.library()
    let controller = ImagesController(library: library, source: BambooGroveSource())
    try await controller.imagesHaveBeenRead()
    for (number, seed) in [UInt64(5), 6, 7].enumerated() {
      let image = await controller.hashed(try drawing(number, seed: seed))
      try await controller.saveImage(image: image)
      #expect(await controller.crop(like: image) == nil)
    }
    let part = await controller.hashed(try drawing(3, seed: 6, quality: 70, cut: 16))
    try await controller.saveImage(image: part)
    #expect(controller.nearDuplicate(of: part) == nil, "the hash differs")
    #expect(await controller.crop(like: part)?.url.lastPathComponent == "1")
    #expect(similar(controller) == ["1", "3"])
    await controller.close()

    let second = folder.library()
    let other = ImagesController(library: second, source: BambooGroveSource())
    #expect(try await other.incomparableCount == 0)
    #expect(similar(other) == [])
    try await other.hashImages()
    #expect(similar(other) == ["1", "3"])
    // A crop without its whole looks like no other, and a former favorite needs no shape.
    let whole = try #require(other.images.first { $0.url.lastPathComponent == "1" })
    try await other.removeImage(image: whole)
    #expect(similar(other) == [])
    try await other.hashImages()
    #expect(second.shapes.items.count == 3)
    await other.close()
  }

  @Test func `favorites of an earlier version get the shapes that tell crops`() async throws {
    let first = folder.library()
    let images = [
      try drawing(1, seed: 5), try drawing(2, seed: 6), try drawing(3, seed: 5, cut: 10), image(4),
    ]
    // Version 0.2 stored hashes.
    for image in images { try await first.save(await first.hashed(image)) }
    let controller = ImagesController(library: first, source: BambooGroveSource())
    #expect(try await controller.incomparableCount == 4)
    try await controller.hashImages()
    #expect(try await controller.incomparableCount == 0)
    #expect(similar(controller) == ["1", "3"])
    // A favorite that comes later is compared with all.
    try await first.save(drawing(5, seed: 6, width: 400, cut: 12))
    #expect(try await controller.incomparableCount == 1)
    try await controller.hashImages()
    #expect(similar(controller) == ["1", "2", "3", "5"])
    await controller.close()
  }

  private func similar(_ controller: ImagesController) -> [String] {
    var index = FavoritesIndex()
    return FavoritesFilter("is:similar")
      .apply(to: controller.images, crops: controller.crops, index: &index)
      .map(\.url.lastPathComponent)
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
