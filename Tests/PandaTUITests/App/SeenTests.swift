import Foundation
import PandaCore
import PandaTestSupport
import Synchronization
import Testing

@testable import PandaSession
@testable import PandaTUI
@testable import TerminalKit

/// What Panda remembers of what was shown.
@MainActor
@Suite struct SeenTests {
  private let directory = TemporaryDirectory()

  @Test func `back goes through the pictures shown, even after a relaunch`() async throws {
    let panda = try AppDriver(directory)
    try await panda.expect(text: "☆ Panda 1 ")
    try panda.press(.card(.back))
    try await panda.expect(text: Sentence.refused(.nothingSeenBefore))
    try panda.press(.card(.fetch))
    try await panda.expect(text: "☆ Panda 2 ")
    try await panda.expect(text: "2 seen")
    try await panda.expect("a way back") { _ in panda.app.context.card.canGoBack }
    try panda.press(.card(.back))
    try await panda.expect(text: "☆ Panda 1 ")
    try panda.press(.card(.fetch))
    try await panda.expect(text: "☆ Panda 3 ")
    try await panda.expect(text: "3 seen")
    try await panda.quit()

    // The source says nothing now: what is on the screen is what was kept.
    let again = try AppDriver(directory, source: SilentSource())
    try await again.expectPicture()
    try await again.expect(text: "☆ Panda 3 ")
    try await again.expect(text: "3 seen")
    try await again.expect("a way back") { _ in again.app.context.card.canGoBack }
    try again.press(.card(.back))
    try await again.expect(text: "☆ Panda 2 ")
    try again.press(.card(.back))
    try await again.expect(text: "☆ Panda 1 ")
    try await again.quit()
  }

  @Test func `favorites are read once the first pictures are shown, whatever is prefetched`()
    async throws
  {
    try await ManyFavorites.save(60, in: directory)
    // Time stands still, so that nothing else begins it.
    let panda = try AppDriver(directory, source: SilentSource())
    try await eventually("all are read") { panda.app.context.favorites.controller.imagesHaveLoaded }
    try await panda.quit()
  }

  @Test func `no panda is fetched ahead before the first screen has all its pictures`()
    async throws
  {
    let panda = try AppDriver(directory)
    try await panda.favorite(3)
    try await panda.expect(text: "☆ Panda 4 ")
    try await panda.quit()
    // The thumbnails have to be made again, once they have been written.
    let cache = directory.url.appending(path: "cache/thumbnails")
    try await eventually("three files") {
      // It is made with the first file.
      (try? FileManager.default.contentsOfDirectory(atPath: cache.path).count) == 3
    }
    try FileManager.default.removeItem(at: cache)

    let source = FlakySource()
    source.isDown.store(false, ordering: .relaxed)
    let again = try AppDriver(directory, source: source)
    var (isComplete, isEarly) = (false, false)
    again.display.onPresent = { [unowned display = again.display] in
      if source.count > 0, !isComplete { isEarly = true }
      if display.canvas.placements.count == 4 { isComplete = true }
    }
    try await eventually("the next panda is asked for") { source.count > 0 }
    #expect(isComplete && !isEarly)
    try await again.quit()
  }

  @Test func `a launch says nothing but keys`() async throws {
    let panda = try AppDriver(directory)
    try await panda.expect(text: "f another  space keep  ? help  q quit")
    try await panda.expect(text: "Favorites (0) · space keeps this panda")
    #expect(panda.app.context.model.message == nil)
    try await panda.quit()
    let again = try AppDriver(directory)
    try await again.expect(text: "Favorites (0) · space keeps this panda")
    #expect(again.app.context.model.message == nil)
    try await again.quit()
  }

  @Test func `a repeated picture is recognized, and a hidden one does not return`()
    async throws
  {
    // Two pictures come in turn, each time at a new address.
    let panda = try AppDriver(directory, source: SmallSource(differentCount: 2))
    try await panda.expect(text: "☆ Panda 1 ")
    try panda.press(.card(.fetch))
    try await panda.expect(text: "☆ Panda 2 ")
    try panda.press(.card(.fetch))
    try await panda.expect("the first again") {
      $0.text.contains("☆ Panda 1 ") && $0.text.contains("seen before")
    }
    try panda.press(.card(.hide))
    try await panda.expect(text: Sentence.done(.hidden(CardStateTests.image("1")), NoNames()))
    for number in 4...8 {
      try await panda.expect("the other one") {
        $0.text.contains("☆ Panda 2 ") && $0.text.contains("\(number) seen")
      }
      try panda.press(.card(.fetch))
    }
    // What was fetched ahead before is known by its bytes, too.
    try panda.press(.favorites(.undo))
    try await panda.expect(text: "Undone: hiding a panda")
    try await panda.quit()
  }
}
