import Foundation
import SystemSupport
import Observation
import PandaTestSupport
import Pantry
import Testing

@testable import Grove
@testable import PandaCore
@testable import PictureCodecs

@MainActor
@Suite struct ImagesControllerTests {
  let directory = TemporaryDirectory()

  func store() -> Store<RemoteImage> {
    .images(in: StorageDirectory(url: directory.url.appending(path: "data")))
  }

  func controller(_ store: Store<RemoteImage>, source: any ImageSource = BambooGroveSource())
    -> ImagesController
  {
    ImagesController(
      library: ImageLibrary(favorites: store, now: { Date(timeIntervalSince1970: 1) }),
      source: source)
  }

  @Test func `a fetched picture has the size of its header, whatever the source says`() async throws
  {
    let server = try PandaServer(pictures: [grove(7)], size: (width: 1, height: 999_999))
    defer { server.stop() }
    let client = HTTPClient(userAgent: "panda-tests")
    let source = guessed(server.endpoint, client: client)
    let image = try await controller(store(), source: source).fetchImage()
    #expect(image.width == 64 && image.height == 48)
    #expect(image.source.hasPrefix("127.0.0.1"))
    #expect(try await image.dataRepresentation.data() == grove(7))
    await client.close()
  }

  @Test(arguments: [("turned.webp", 24, 48), ("plain.gif", 32, 32)])
  func `WebP and GIF are fetched, as large as they are shown, whatever type is declared`(
    name: String, width: Int, height: Int
  ) async throws {
    // The server knows no such type.
    let server = try PandaServer(pictures: [try fixture(name)])
    defer { server.stop() }
    let client = HTTPClient(userAgent: "panda-tests")
    let source = guessed(server.endpoint, client: client)
    let image = try await controller(store(), source: source).fetchImage()
    #expect(image.width == width && image.height == height)
    let accepted = try #require(server.server.requests.last?["accept"])
    // The others need a library that may be missing.
    for format in [PictureFormat.jpeg, .png, .webp, .gif] {
      #expect(accepted.contains("image/\(format.rawValue)"))
    }
    await client.close()
  }

  @Test func `a reply that is not a picture is an error, and nothing is saved`() async throws {
    let server = try PandaServer(pictures: [Data("<html>parked</html>".utf8)])
    defer { server.stop() }
    let client = HTTPClient(userAgent: "panda-tests")
    let source = guessed(server.endpoint, client: client)
    let controller = controller(store(), source: source)
    await #expect(throws: PictureError.self) { try await controller.fetchImage() }
    #expect(controller.images.isEmpty)
    await client.close()
  }

  @Test func `a picture saved by one controller appears in another through the Store`() async throws
  {
    let store = store()
    let card = controller(store)
    let carousel = controller(store)
    try await store.itemsHaveLoaded()
    let changed = Lock(0)
    withObservationTracking {
      _ = carousel.images
    } onChange: {
      changed.withLock { $0 += 1 }
    }
    let image = try await card.fetchImage()
    #expect(!carousel.isSaved(image))
    #expect(try await card.saveImage(image: image))
    #expect(try await !card.saveImage(image: image))
    #expect(changed.withLock(\.self) == 1)
    #expect(carousel.images.map(\.id) == [image.id])
    #expect(carousel.isSaved(image))
    #expect(try await carousel.removeImage(image: image))
    #expect(try await !carousel.removeImage(image: image))
    #expect(card.images.isEmpty)
    // On the card it can still be seen, and saved again.
    #expect(try await !image.dataRepresentation.data().isEmpty)
    try await card.saveImage(image: image)
    #expect(carousel.images.count == 1)
    try await carousel.clearAllImages()
    #expect(card.images.isEmpty)
  }

  private func grove(_ seed: UInt64) throws -> Data {
    try BambooGrove.drawing(seed: seed, size: PixelSize(width: 64, height: 48)).pngData()
  }
}

@Suite struct BambooGroveSourceTests {
  @Test func `each picture is the drawing of its seed, and says that it is drawn`() async throws {
    let next = Lock<UInt64>(40)
    let source = BambooGroveSource {
      next.withLock { seed in
        seed += 1
        return seed
      }
    }
    let first = try await source.fetchImage { _ in }
    #expect(first.url.absoluteString == "panda://grove/41")
    #expect(first.data == (try BambooGrove.drawing(seed: 41).pngData()))
    #expect(first.source == "Bamboo Grove")
    #expect(first.credit == BambooGroveSource.credit)
    #expect(try await source.fetchImage { _ in }.url.absoluteString == "panda://grove/42")
  }

  @Test func `a sketch is of the next drawing, and has another address`() async throws {
    let source = BambooGroveSource()
    let sketch = try #require(try await source.sketchNext())
    let drawing = try await source.fetchImage { _ in }
    #expect(
      drawing.url.absoluteString
        == sketch.url.absoluteString.replacing("panda://sketch/", with: "panda://grove/"))
    #expect(drawing.title == sketch.title)
    #expect(try PictureDecoder.header(of: sketch.data).size == PixelSize(width: 240, height: 180))
  }

  @Test func `no two drawings in a row have the same title`() async throws {
    let titles = (UInt64(0)..<400).map(BambooGrove.title(seed:))
    let first = try #require(titles.indices.dropLast().first { titles[$0] == titles[$0 + 1] })
    let seeds = Lock(UInt64(first))
    let source = BambooGroveSource {
      seeds.withLock { seed in
        defer { seed += 1 }
        return seed
      }
    }
    let drawn = [try await source.fetchImage { _ in }, try await source.fetchImage { _ in }]
    #expect(drawn[0].title == titles[first])
    #expect(drawn[1].title != titles[first])
    // A source with a single seed ends its search.
    let single = BambooGroveSource { 7 }
    for _ in 1...2 {
      #expect(try await single.fetchImage { _ in }.url.absoluteString == "panda://grove/7")
    }
  }
}

/// A picture file of the codecs' tests.
private func fixture(_ name: String) throws -> Data {
  let tests = URL(filePath: #filePath).appending(path: "../../..").standardized
  return try Data(contentsOf: tests.appending(path: "PictureCodecsTests/Fixtures/\(name)"))
}
