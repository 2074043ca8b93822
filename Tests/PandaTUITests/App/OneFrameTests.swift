import Dispatch
import Foundation
import PandaCore
import PandaTestSupport
import PictureCodecs
import Testing

@testable import PandaTUI
@testable import TerminalKit

/// Picture and words, which change together.
@MainActor
@Suite(.timeLimit(.minutes(15))) struct OneFrameTests {
  private let directory = TemporaryDirectory()

  /// An output that prepares as many pictures as a test lets it.
  private final class CountedOutput: PictureOutput {
    let door: DispatchSemaphore

    init(_ count: Int) { door = DispatchSemaphore(value: count) }

    func pixelsPerCell(_ cell: PixelSize) -> PixelSize { PixelSize(width: 1, height: 2) }

    func prepare(
      _ bitmap: Bitmap, encoded: Data?, filling size: CellSize, cell: PixelSize
    ) -> any PreparedPicture {
      door.wait()
      return BitmapOutput().prepare(bitmap, encoded: encoded, filling: size, cell: cell)
    }

    func open() { for _ in 0..<100 { door.signal() } }
  }

  /// Answers with the same file each time.
  private struct OneFile: ImageSource {
    let name = "zoo.example"
    let data: Data

    func fetchImage(
      progress: @escaping @Sendable (FetchProgress) -> Void
    ) async throws -> FetchedImage {
      FetchedImage(
        url: URL(string: "https://zoo.example/large")!, data: data, source: name, title: "Wah")
    }
  }

  @Test func `a picture that is too large is its thumbnail, as the words below it say`()
    async throws
  {
    let path = "Tests/PictureCodecsTests/Fixtures/thumbnail.avif"
    let data = try Data(contentsOf: URL(filePath: path))
    guard (try? PictureDecoder.header(of: data)) != nil else { return }  // without libheif
    let panda = try AppDriver(directory, source: OneFile(data: data))
    try await panda.expect(text: "☆ Wah")
    try await panda.expect(text: "its thumbnail: too large · zoo.example")
    try await panda.expectPicture()
    try panda.press(.favorites(.favorite))
    try await panda.expect(favorites: 1)
    #expect(panda.app.context.favorites.list.first?.width == 12_000)
    try await panda.quit()
  }

  @Test func `a title is never over the picture before, and keys apply to what is seen`()
    async throws
  {
    let output = CountedOutput(1)
    // A failure of the test must not keep others waiting.
    defer { output.open() }
    let panda = try AppDriver(directory, output: output)
    try await panda.expect(text: "☆ Panda 1 ")
    let first = try #require(panda.cardPicture)
    var mixed: [String] = []
    panda.display.onPresent = {
      let isFirst = panda.shown == "Panda 1"
      if isFirst != (panda.cardPicture === first) { mixed.append(panda.display.text) }
    }
    try panda.press(.card(.fetch))
    try await eventually("the next one waits") { panda.app.context.card.next != nil }
    try await panda.expectAnotherFrame()
    #expect(panda.shown == "Panda 1")
    try panda.press(.favorites(.favorite))
    try await panda.expect(favorites: 1)
    #expect(panda.app.context.favorites.list.map(\.title) == ["Panda 1"])
    output.open()
    try await panda.expect(text: "☆ Panda 2 ")
    #expect(panda.cardPicture != nil && panda.cardPicture !== first)
    #expect(mixed == [])
    panda.display.onPresent = {}
    try await panda.quit()
  }

  @Test func `words wait until the terminal has their picture`() async throws {
    let panda = try AppDriver(directory)
    try await panda.expect(text: "☆ Panda 1 ")
    let first = try #require(panda.cardPicture)
    panda.display.holds = { $0 === first }
    try panda.press(.card(.fetch))
    try await eventually("the next one waits") { panda.app.context.card.next != nil }
    try await panda.expectAnotherFrame()
    #expect(panda.shown == "Panda 1" && panda.cardPicture === first)
    panda.display.holds = { _ in true }
    // The terminal has taken what it was given; no key and no other frame is needed.
    panda.display.take()
    try await panda.expect(text: "☆ Panda 2 ")
    try await panda.quit()
  }

  @Test func `an enlarged picture begins as it is on the screen`() async throws {
    let output = CountedOutput(1)
    defer { output.open() }
    let panda = try AppDriver(directory, output: output)
    try await panda.expect(text: "☆ Panda 1 ")
    let preview = try #require(panda.cardPicture)
    try panda.press(.view(.zoom))
    try await panda.expect("the picture in the middle") {
      $0.canvas.placements.first?.picture === preview
    }
    #expect(!panda.display.text.contains("Opening the picture"))
    output.open()
    try await panda.expect("a larger one") {
      $0.canvas.placements.first.map { $0.picture !== preview } == true
    }
    try await panda.quit()
  }

  @Test func `many resizes are one, after a pause`() async throws {
    let panda = try AppDriver(directory)
    try await panda.expect(text: "☆ Panda 1 ")
    try await panda.expectPicture()
    let count = panda.display.frameCount
    for columns in 60..<100 {
      panda.display.size.columns = columns
      panda.app.handle(Set([TerminalGuard.Signal.resized]))
    }
    panda.clock.advance(by: PandaApp.resizePause / 2)
    #expect(panda.display.frameCount == count)
    panda.clock.advance(by: PandaApp.resizePause)
    try await panda.expect("the last size") { $0.canvas.size.columns == 99 }
    try await panda.expectPicture()
    try await panda.quit()
  }
}
