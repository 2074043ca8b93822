import Foundation
import PandaCore
import PandaTestSupport
import PictureCodecs
import Testing

@testable import PandaSession
@testable import PandaTUI
@testable import TerminalKit

/// The slideshow and party mode.
@MainActor
@Suite struct MoodTests {
  private let directory = TemporaryDirectory()

  @Test func `the slideshow advances by itself, and pauses on any key`()
    async throws
  {
    let panda = try AppDriver(
      directory, configuration: Configuration(autoAdvance: false, slideshowSeconds: 7))
    try await panda.expectPicture()
    // A digit pauses it, and begins no count.
    try panda.press(.card(.slideshow))
    try await panda.expect("the picture alone") {
      $0.text.contains("any key pause") && !$0.text.contains("Favorites")
    }
    panda.type("3")
    try await panda.expect(text: "Slideshow paused. z resumes it")
    try await panda.expect(text: "f another")

    try panda.press(.card(.slideshow))
    try await panda.expect(text: "any key pause")
    var last = try await panda.expectOther(than: "")
    for _ in 1...3 {
      panda.clock.advance(by: .seconds(6))
      #expect(panda.shown == last)
      panda.clock.advance(by: .seconds(1))
      last = try await panda.expectOther(than: last)
    }
    // Favoriting does not pause it; removing does, and removes nothing.
    try panda.press(.favorites(.favorite))
    try await panda.expect(text: Sentence.added)
    // The message has the line of the facts, and the hints stay.
    try await panda.expect(text: "any key pause")
    #expect(panda.app.context.model.slideshow.isRunning)
    try panda.press(.favorites(.remove))
    try await panda.expect(favorites: 1)
    try await panda.expect(text: "tab favorites")
    panda.clock.advance(by: .seconds(60))
    #expect(panda.shown == last)
    try await panda.quit()
  }

  @Test func `from the carousel, the slideshow shows the favorites that the filter leaves`()
    async throws
  {
    let panda = try AppDriver(
      directory, configuration: Configuration(autoAdvance: false, slideshowSeconds: 7))
    for number in 1...4 {
      try await panda.expect(text: "☆ Panda \(number) ")
      try panda.press(.favorites(.favorite))
      try await panda.expect(favorites: number)
      try panda.press(.card(.fetch))
    }
    try await panda.expect(text: "☆ Panda 5 ")
    try panda.press(.view(.nextPane), .favorites(.filter))
    panda.enter("zoo.example")
    try panda.press(.move(.first), .move(.right), .view(.grid), .card(.slideshow))
    try await panda.expect(text: "any key pause")
    for title in ["Panda 3", "Panda 2", "Panda 1", "Panda 4", "Panda 3"] {
      try await panda.expect(text: "★ \(title) ")
      panda.clock.advance(by: .seconds(7))
    }
    try await panda.expect(text: "★ Panda 2 ")
    // It continues where it was.
    panda.type(".")
    try await panda.expect(text: "Slideshow paused. z resumes it")
    try await panda.expect(text: "Favorites (4 of 4)")
    try panda.press(.card(.slideshow))
    try await panda.expect(text: "any key pause")
    panda.clock.advance(by: .seconds(7))
    try await panda.expect(text: "★ Panda 1 ")
    try await panda.quit()
  }

  @Test func `a slideshow of favorites is shuffled by the key for the order, and the next one too`()
    async throws
  {
    let configuration = Configuration(slideshowSeconds: 7)
    for launch in 1...2 {
      let panda = try AppDriver(directory, configuration: configuration)
      panda.app.context.generator = SplitMix64(seed: UInt64(launch))
      if launch == 1 {
        try await panda.favorite(5)
      } else {
        // All favorites have been read.
        let controller = panda.app.context.favorites.controller
        try await eventually("all are read") { controller.imagesHaveLoaded }
      }
      try await panda.expect(favorites: 5)
      try panda.press(.view(.nextPane), .move(.first), .card(.slideshow))
      if launch == 1 {
        try await panda.expect("the hint, once no message has its place") { display in
          panda.app.context.model.clearMessage()
          return display.text.contains("s shuffle")
        }
        try panda.press(.favorites(.sort))
        try await panda.expect(text: "Shuffled. s shows them in order again")
      }
      #expect(
        panda.app.context.model.slideshow.isShuffled && panda.app.context.model.slideshow.isRunning)
      var shown = [try #require(panda.app.context.favorites.selected?.id)]
      for _ in 1...12 {
        panda.clock.advance(by: .seconds(7))
        shown.append(try #require(panda.app.context.favorites.selected?.id))
      }
      // Each comes again when its turn has come, in no fixed order: see FavoriteQueueTests.
      #expect(Set(shown).count == 5)
      for place in 0...10 { #expect(Set(shown[place..<place + 3]).count == 3, "\(shown)") }
      try panda.press(.favorites(.sort))
      try await panda.expect(text: "In order. s shuffles")
      try panda.press(.favorites(.sort), .card(.slideshow))
      try await panda.expect(text: "Slideshow paused. z resumes it")
      try await panda.quit()
    }
  }

  @Test func `party mode colors the panda, moves, and is kept across launches`() async throws {
    for launch in 1...2 {
      let panda = try AppDriver(directory, columns: 60, rows: 24)
      if launch == 1 {
        try await panda.expectPicture()
        #expect(!isRainbow(hues(panda)))
        try panda.press(.card(.party))
        try await panda.expect(text: "Party mode")
      }
      try await panda.expect("a rainbow") { _ in isRainbow(hues(panda)) }
      let first = hues(panda)
      // Another moment of it, every few hundred milliseconds.
      try await panda.expect("the next frame waits") { _ in panda.clock.waitingCount > 0 }
      panda.clock.advance(by: .milliseconds(400))
      try await panda.expect("another moment of it") { _ in
        hues(panda) != first && isRainbow(hues(panda))
      }
      try await panda.quit()
    }
  }

  /// The colors of the picture on the card, 0xRRGGBB.
  private func hues(_ panda: AppDriver) -> [UInt32] {
    guard let pixels = (panda.cardPicture as? BitmapPicture)?.bitmap.pixels else { return [] }
    return stride(from: 0, to: pixels.count, by: 4).map {
      UInt32(pixels[$0]) << 16 | UInt32(pixels[$0 + 1]) << 8 | UInt32(pixels[$0 + 2])
    }
  }

  /// Whether there are blue and violet, as no picture of ours has them, and orange.
  private func isRainbow(_ hues: [UInt32]) -> Bool {
    hues.contains { $0 & 0xFF > 120 && $0 >> 16 < 100 }
      && hues.contains { $0 >> 16 > 120 && $0 & 0xFF < 100 }
  }
}
