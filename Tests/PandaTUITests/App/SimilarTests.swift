import Foundation
import PandaCore
import PandaTestSupport
import Pantry
import PictureCodecs
import Synchronization
import Testing

@testable import PandaSession
@testable import PandaTUI
@testable import TerminalKit

/// Favorites that look the same.
@MainActor
@Suite struct SimilarTests {
  private let directory = TemporaryDirectory()

  @Test func `a new favorite that looks like another one says so, and the filter finds both`()
    async throws
  {
    let panda = try AppDriver(directory, source: TwinSource())
    try await panda.favorite(2)
    try await panda.expect(noText: "it looks like one")
    try await panda.expect(text: "☆ Panda 3 ")
    try panda.press(.favorites(.favorite))
    try await panda.expect(text: "\(Sentence.added); it looks like one from ")
    panda.clock.advance(by: CardPresenter.starDelay)
    try await panda.open(.favorites(.filter), "esc show all")
    panda.enter("is:similar")
    try await panda.expect(text: "Favorites (2 of 3) · /is:similar")
    #expect(panda.app.context.favorites.list.compactMap(\.title) == ["Panda 3", "Panda 1"])
    try await panda.quit()
  }

  @Test func `favorites of an earlier version are compared when that is asked for`() async throws {
    let folder = StorageDirectory(url: directory.url.appending(path: "data"))
    let library = ImageLibrary(in: folder)
    let controller = ImagesController(library: library, source: TwinSource())
    for _ in 1...3 { try await controller.saveImage(image: controller.fetchImage()) }
    await controller.library.close()

    let panda = try AppDriver(directory)
    try await panda.expect(favorites: 3)
    try await panda.open(.favorites(.filter), "esc show all")
    panda.enter("is:similar")
    try await panda.expect(text: "All pandas were compared")
    try await panda.expect(text: "Favorites (2 of 3) · /is:similar")
    try await panda.quit()

    let driver = CommandDriver(directory)
    #expect(try await driver.run("list", "is:similar").lines.count == 2)
    #expect(try await driver.run("list", "--sort", "oldest", "is:similar").lines.count == 2)
    #expect(try await driver.run("list", "-n1", "is:similar").lines.count == 1)
  }
}

/// A source whose odd pictures look alike.
private final class TwinSource: ImageSource {
  let name = "zoo.example"
  private let count = Atomic(0)

  func fetchImage(
    progress: @escaping @Sendable (FetchProgress) -> Void
  ) async throws -> FetchedImage {
    let number = count.add(1, ordering: .relaxed).newValue
    let size =
      number % 2 == 0 ? PixelSize(width: 90, height: 80) : PixelSize(width: 99 * number, height: 88)
    let pixels = (0..<size.width * size.height).flatMap { index -> [UInt8] in
      let (x, y) = (index % size.width * 9 / size.width, index / size.width * 8 / size.height)
      let isLight = number % 2 == 0 ? (x + y) % 2 == 0 : x * y % 3 == 1
      return isLight ? [200, 200, 90, 255] : [120, 100, 60, 255]
    }
    return FetchedImage(
      url: URL(string: "https://zoo.example/\(number)")!,
      data: try PNGEncoder.encode(Bitmap(size: size, pixels: pixels)), source: name,
      title: "Panda \(number)")
  }
}
