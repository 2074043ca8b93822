import Foundation
import PandaCore
import PandaTestSupport
import Testing

@testable import PandaTUI
@testable import Pantry

@MainActor
@Suite struct PictureLoaderTests {
  let directory = TemporaryDirectory()
  let size = CellSize(columns: 16, rows: 6)
  let cell = PixelSize(width: 8, height: 16)

  func loader(_ thumbnails: ThumbnailCache?) -> PictureLoader {
    PictureLoader(
      output: SymbolOutput(symbols: .blocks), thumbnails: thumbnails, capacity: 20, onChange: {})
  }

  func images(_ count: Int) throws -> [RemoteImage] {
    try (0..<count).map { number in
      let size = PixelSize(width: 96, height: 72)
      let drawing = BambooGrove.drawing(seed: UInt64(number), size: size)
      return try RemoteImage(
        createdAt: Date(timeIntervalSince1970: Double(number)),
        url: URL(string: "panda://grove/\(number)")!, width: size.width, height: size.height,
        dataRepresentation: Attachment(drawing.pngData()), source: "test")
    }
  }

  /// How many of the images are ready to be drawn; nil if one has failed.
  func ready(_ images: [RemoteImage], in loader: PictureLoader) -> Int? {
    var count = 0
    for image in images {
      switch loader.picture(image, size: size, cell: cell) {
      case .ready: count += 1
      case .failed: return nil
      case .underWay: break
      }
    }
    return count
  }

  @Test func `twelve thumbnails are drawn at launch without one original`() async throws {
    let place = StorageDirectory(url: directory.url)
    let cache = StorageDirectory(url: directory.url.appending(path: "cache"))
    let store = Store<RemoteImage>.images(in: place)
    try await store.add(images(12))
    let first = loader(ThumbnailCache(directory: cache))
    first.want(store.items.map { .init(image: $0, size: size) }, cell: cell)
    try await eventually("12 thumbnails") { ready(store.items, in: first) == 12 }

    // The originals' bytes are gone from under the store; only the thumbnails are left.
    try Database(path: directory.url.appending(path: "favorites.sqlite").path)
      .execute("UPDATE attachment SET bytes = zeroblob(byteCount)")
    let relaunched = Store<RemoteImage>.images(in: place)
    try await relaunched.itemsHaveLoaded()
    await #expect(throws: (any Error).self) {
      try await relaunched.items[0].dataRepresentation.data()
    }
    let second = loader(ThumbnailCache(directory: cache))
    second.want(relaunched.items.map { .init(image: $0, size: size) }, cell: cell)
    try await eventually("12 thumbnails") { ready(relaunched.items, in: second) == 12 }
  }
}
