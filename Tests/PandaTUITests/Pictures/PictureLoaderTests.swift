import Foundation
import Grove
import SystemSupport
import Observation
import PandaCore
import PandaTestSupport
import Testing

@testable import PandaTUI
@testable import Pantry
@testable import PictureCodecs
@testable import TerminalKit

@MainActor
@Suite struct PictureLoaderTests {
  let directory = TemporaryDirectory()
  let size = CellSize(columns: 16, rows: 6)
  let cell = PixelSize(width: 8, height: 16)

  func loader(_ thumbnails: ThumbnailCache?) -> PictureLoader {
    PictureLoader(
      output: SymbolOutput(symbols: .sextants), thumbnails: thumbnails, capacity: 20)
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

  /// The number of files in a cache, whose directory is there from the first one on.
  func files(in cache: StorageDirectory) -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: cache.url.path))?.count ?? 0
  }

  @Test func `twelve thumbnails are drawn at launch without one original`() async throws {
    let place = StorageDirectory(url: directory.url)
    let cache = StorageDirectory(url: directory.url.appending(path: "cache"))
    let store = Store<RemoteImage>.images(in: place)
    try await store.add(images(12))
    let first = loader(ThumbnailCache(directory: cache))
    first.want(store.items.map { .init(image: $0, size: size) }, cell: cell)
    try await eventually("12 thumbnails") { ready(store.items, in: first) == 12 }
    // They are written later than they are shown.
    try await eventually("12 files") {
      files(in: cache) == 12
    }

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

  /// A photograph's size, in which a decoding can be noticed.
  func photograph() throws -> RemoteImage {
    let drawing = BambooGrove.drawing(seed: 1, size: PixelSize(width: 320, height: 240))
    let size = PixelSize(width: 2_000, height: 1_500)
    return RemoteImage(
      createdAt: Date(), url: URL(string: "panda://photograph")!, width: size.width,
      height: size.height,
      dataRepresentation: Attachment(try #require(drawing.bitmap.scaled(to: size).jpegData())),
      source: "test")
  }

  /// An output whose pictures take until a test lets them go.
  private final class SlowOutput: PictureOutput {
    let door = DispatchSemaphore(value: 0)
    let entered = Lock(0)

    func pixelsPerCell(_ cell: PixelSize) -> PixelSize { cell }

    func prepare(
      _ bitmap: Bitmap, encoded: Data?, filling size: CellSize, cell: PixelSize
    ) -> any PreparedPicture {
      entered.withLock { $0 += 1 }
      door.wait()
      return BitmapOutput().prepare(bitmap, encoded: encoded, filling: size, cell: cell)
    }
  }

  @Test func `the card's last drawing is shown at launch without its original`() async throws {
    let drawing = BambooGrove.drawing(seed: 7, size: PixelSize(width: 640, height: 480))
    let bytes = try Pantry.Attachment(drawing.pngData())
    let json = #"{"sha256":"\#(bytes.digest.hexadecimal)","byteCount":9}"#
    let gone = try JSONDecoder().decode(Pantry.Attachment.self, from: Data(json.utf8))
    func image(_ bytes: Pantry.Attachment) -> RemoteImage {
      RemoteImage(
        createdAt: .now, url: URL(string: "panda://grove/7")!, width: 640, height: 480,
        dataRepresentation: bytes, source: "test")
    }
    let place = StorageDirectory(url: directory.url.appending(path: "previews"))
    func loader(of image: RemoteImage, _ output: any PictureOutput) -> PictureLoader {
      let previews = PreviewCache(directory: place)
      let loader = PictureLoader(output: output, previews: previews, capacity: 1)
      loader.want([.init(image: image, size: size)], cell: cell)
      return loader
    }
    let first = loader(of: image(bytes), SymbolOutput(symbols: .sextants))
    try await eventually("drawn and kept") {
      ready([image(bytes)], in: first) == 1 && files(in: place) == 1
    }
    let second = loader(of: image(gone), SymbolOutput(symbols: .sextants))
    try await eventually("drawn again") { ready([image(gone)], in: second) == 1 }
    // A terminal that decodes files itself gets the original.
    let third = loader(of: image(gone), InlineImageOutput())
    try await eventually("the original is gone") { ready([image(gone)], in: third) == nil }
  }

  @Test func `slow pictures do not block other work`() async throws {
    let output = SlowOutput()
    let image = try images(1)[0]
    // More than the cooperative pool has threads.
    let loaders = (0...ProcessInfo.processInfo.activeProcessorCount).map { _ in
      PictureLoader(output: output, capacity: 1)
    }
    // A failure of the test must not keep others waiting.
    defer { for _ in loaders { output.door.signal() } }
    for loader in loaders { loader.want([.init(image: image, size: size)], cell: cell) }
    try await eventually("all are being drawn") {
      output.entered.withLock { $0 } == loaders.count
    }
    let answer = await Task.detached { "here" }.value
    #expect(answer == "here")
    for _ in loaders { output.door.signal() }
    try await eventually("all are drawn") {
      loaders.allSatisfy { ready([image], in: $0) == 1 }
    }
  }

  /// The pictures that a loader had, one after another.
  @MainActor
  private final class Log {
    private(set) var seen: [SymbolPicture] = []

    func follow(_ picture: @escaping @MainActor () -> SymbolPicture?) {
      let now = withObservationTracking(picture) { [weak self] in
        Task { @MainActor in self?.follow(picture) }
      }
      if let now, seen.last !== now { seen.append(now) }
    }
  }

  @Test func `a large picture appears coarse, then sharp`() async throws {
    let image = try photograph()
    let size = CellSize(columns: 40, rows: 15)
    let log = Log()
    let loader = PictureLoader(output: SymbolOutput(symbols: .sextants), capacity: 4)
    log.follow { [unowned loader] in
      let picture = loader.picture(image, size: size, cell: PixelSize(width: 8, height: 16))
      if case .ready(let picture as SymbolPicture, _, _) = picture { return picture }
      return nil
    }
    loader.want([.init(image: image, size: size)], cell: cell)
    try await eventually("a coarse and a sharp picture") { log.seen.count == 2 }
    let seen = log.seen
    // Coarse cells differ less within themselves, and it is the same picture.
    let contrasts = seen.map { picture in
      picture.cells.filter { $0.symbol != " " }.reduce(0) {
        $0 + abs(Int($1.foreground >> 8 & 0xFF) - Int($1.background >> 8 & 0xFF))
      }
    }
    #expect(contrasts[0] < contrasts[1])
    let difference = zip(seen[0].cells, seen[1].cells).reduce(0) {
      $0 + abs(Int($1.0.background >> 16) - Int($1.1.background >> 16))
    }
    #expect(difference / seen[0].cells.count < 40)
  }

  @Test func `new thumbnails are written once none is being made, or many wait`() async throws {
    let output = SlowOutput()
    let images = try images(18)
    let cache = StorageDirectory(url: directory.url.appending(path: "cache"))
    let loader = PictureLoader(
      output: output, thumbnails: ThumbnailCache(directory: cache), capacity: 20)
    // A failure of the test must not keep others waiting.
    defer { for _ in images { output.door.signal() } }
    loader.want(images.map { .init(image: $0, size: size) }, cell: cell)
    for _ in 0..<17 { output.door.signal() }
    try await eventually("17 thumbnails, of which 16 wait") {
      ready(images, in: loader) == 17 && files(in: cache) == 1
    }
    #expect(!loader.isSettled)
    output.door.signal()
    try await eventually("18 files") { files(in: cache) == 18 }
  }

  @Test func `wanted pictures are kept even beyond the capacity`() async throws {
    let images = try images(24)
    let loader = loader(ThumbnailCache(directory: StorageDirectory(url: directory.url)))
    loader.want(images.map { .init(image: $0, size: size) }, cell: cell)
    try await eventually("24 thumbnails") { ready(images, in: loader) == 24 }
    #expect(loader.isSettled)
  }

  @Test func `those that are wanted first are kept longest`() async throws {
    let images = try images(21)
    let loader = loader(ThumbnailCache(directory: StorageDirectory(url: directory.url)))
    loader.want(images.prefix(20).map { .init(image: $0, size: size) }, cell: cell)
    try await eventually("20 thumbnails") { loader.isSettled }
    // They are cached, so that only their order counts.
    loader.want(images.prefix(20).map { .init(image: $0, size: size) }, cell: cell)
    loader.want(images.suffix(1).map { .init(image: $0, size: size) }, cell: cell)
    try await eventually("another one") { loader.isSettled }
    #expect(ready([images[0]], in: loader) == 1)
    #expect(ready([images[19]], in: loader) == 0)
  }

  @Test func `a picture that is no longer wanted leaves nothing`() async throws {
    let images = try images(2)
    let output = SlowOutput()
    defer { for _ in images { output.door.signal() } }
    let loader = PictureLoader(output: output, capacity: 20)
    loader.want([.init(image: images[0], size: size)], cell: cell)
    try await eventually("it is being drawn") { output.entered.withLock { $0 } == 1 }
    loader.rest()
    output.door.signal()
    loader.want([.init(image: images[1], size: size)], cell: cell)
    output.door.signal()
    try await eventually("the other picture") { ready([images[1]], in: loader) == 1 }
    #expect(ready([images[0]], in: loader) == 0)
  }

  /// Saves a picture, and returns it as a later launch reads it, with the file.
  private func saved() async throws -> (image: RemoteImage, file: Database) {
    let place = StorageDirectory(url: directory.url)
    try await Store<RemoteImage>.images(in: place).add(images(1))
    let relaunched = Store<RemoteImage>.images(in: place)
    try await relaunched.itemsHaveLoaded()
    let path = directory.url.appending(path: "favorites.sqlite").path
    return (relaunched.items[0], try Database(path: path))
  }

  @Test func `the phases of a rainbow are painted over a picture that was read once`() async throws
  {
    let (image, file) = try await saved()
    let loader = loader(nil)
    func paint(_ phase: Int) async throws {
      let rainbow = Rainbow(phase: phase)
      loader.want([.init(image: image, size: size, rainbow: rainbow)], cell: cell)
      try await eventually("phase \(phase)") {
        if case .ready = loader.picture(image, size: size, cell: cell, rainbow: rainbow) {
          return true
        }
        return false
      }
    }
    try await paint(0)
    try file.execute("ALTER TABLE attachment RENAME TO away")
    try await paint(1)
    // Without a rainbow the picture is let go.
    loader.rest()
    loader.want([.init(image: image, size: size, rainbow: Rainbow(phase: 2))], cell: cell)
    try await eventually("it has failed") { loader.isSettled }
    if case .failed = loader.picture(image, size: size, cell: cell, rainbow: Rainbow(phase: 2)) {
    } else {
      Issue.record("It was kept.")
    }
  }

  @Test func `a picture that failed is loaded again once its storage is back`() async throws {
    let (image, file) = try await saved()
    try file.execute("ALTER TABLE attachment RENAME TO away")
    let loader = loader(nil)
    loader.want([.init(image: image, size: size)], cell: cell)
    try await eventually("it has failed") { ready([image], in: loader) == nil }
    try file.execute("ALTER TABLE away RENAME TO attachment")
    loader.want([.init(image: image, size: size)], cell: cell)
    #expect(ready([image], in: loader) == nil, "a failure is told until then")
    loader.retryFailed()
    loader.want([.init(image: image, size: size)], cell: cell)
    try await eventually("it is ready") { ready([image], in: loader) == 1 }
  }
}
