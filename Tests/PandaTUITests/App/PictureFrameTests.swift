import Foundation
import PandaCore
import PandaTestSupport
import Pantry
import Testing

@testable import PandaSession
@testable import PandaShell
@testable import PandaTUI
@testable import TerminalKit

/// The screen as `panda slideshow` begins it.
@MainActor
@Suite(.timeLimit(.minutes(15))) struct PictureFrameTests {
  private let directory = TemporaryDirectory()

  /// The address of the picture on the card, once the next one can be drawn.
  private func shown(_ panda: AppDriver) async throws -> String {
    let card: CardPresenter = panda.app.context.card
    try await eventually("a picture") { card.image != nil && card.next == nil }
    return try #require(card.image?.id)
  }

  @Test func `a frame shows favorites and their credit alone, and asks no source`() async throws {
    try await CommandDriver(directory).save(5)
    let source = FlakySource()
    let panda = try AppDriver(directory, source: source, frame: SlideshowRequest(seconds: 30))
    var all = [try await shown(panda)]
    try await panda.expect(text: "zoo.example")
    for _ in 1...12 {
      panda.clock.advance(by: .seconds(30))
      all.append(try await shown(panda))
    }
    #expect(Set(all).count == 5)
    for place in 0...10 { #expect(Set(all[place..<place + 3]).count == 3, "\(all)") }
    for words in ["any key", "pause", "Favorites", "seen", "Welcome"] {
      #expect(!panda.display.text.contains(words), "\(panda.display.text)")
    }
    #expect(source.count == 0)
    // Space marks what is shown, and the frame goes on.
    let context = panda.app.context
    try panda.press(.favorites(.favorite))
    try await panda.expect(text: "1 marked")
    #expect(context.model.slideshow.isRunning)
    #expect(context.favorites.marked.map(\.id) == [all[12]])
    panda.clock.advance(by: .seconds(30))
    #expect(try await shown(panda) != all[12])
    // Any other key ends it, and the program goes on.
    panda.type(".")
    try await panda.expect(text: "Slideshow paused. z resumes it")
    try await panda.expect(text: "Favorites (5)")
    try await panda.quit()
    // What it showed is remembered.
    #expect(try await CommandDriver(directory).run("list", "seen:never").status == .notFound)
  }

  @Test func `what a frame shows does not leave its filter`() async throws {
    try await CommandDriver(directory).save(4)
    let panda = try AppDriver(
      directory, source: SilentSource(), frame: SlideshowRequest(words: ["seen:never"], seconds: 20)
    )
    var all = [try await shown(panda)]
    let context = panda.app.context
    for _ in 1...5 {
      try await context.favorites.controller.library.sightings.write()
      panda.clock.advance(by: .seconds(20))
      all.append(try await shown(panda))
      #expect(context.favorites.list.count == 4)
    }
    #expect(Set(all).count == 4)
    try panda.press(.favorites(.favorite))
    try await panda.expect(text: "1 marked")
    // A frame's order stays; the key ends it, as others do.
    try panda.press(.favorites(.sort))
    try await panda.expect(text: "Slideshow paused. z resumes it")
    try await panda.quit()
  }

  @Test func `once, it shows what matches, each a single time, and ends`() async throws {
    let driver = CommandDriver(directory)
    try await driver.save(6)
    for id in try await driver.run("list", "--ids").lines.prefix(4) {
      _ = try await driver.run("tag", id, "snow")
    }
    let panda = try AppDriver(
      directory, source: SilentSource(),
      frame: SlideshowRequest(words: ["#snow"], seconds: 5, isOnce: true))
    var all = [try await shown(panda)]
    for _ in 1...3 {
      panda.clock.advance(by: .seconds(5))
      all.append(try await shown(panda))
    }
    #expect(Set(all).count == 4)
    panda.clock.advance(by: .seconds(5))
    await panda.end()
  }

  @Test func `pictures of a directory are kept without leaving the frame`() async throws {
    for number in 1...3 {
      try SmallSource.png(number).write(to: directory.url.appending(path: "\(number).png"))
    }
    let folder = try FolderSource(directory.url.path)
    var frame = SlideshowRequest(words: [directory.url.path], seconds: 5, isOnce: true)
    frame.count = 3
    let panda = try AppDriver(
      directory, source: folder, configuration: Configuration(autoAdvance: false), frame: frame)
    var all = [try await shown(panda)]
    try panda.press(.favorites(.favorite))
    let controller = panda.app.context.favorites.controller
    try await eventually("it is kept") { controller.images.count == 1 }
    #expect(panda.app.context.model.slideshow.isRunning)
    for _ in 1...2 {
      panda.clock.advance(by: .seconds(5))
      try await eventually("another one") {
        panda.app.context.card.image.map { !all.contains($0.id) } == true
      }
      all.append(try await shown(panda))
    }
    panda.clock.advance(by: .seconds(5))
    await panda.end()
  }

  @Test(arguments: [
    ("30", 30), ("1s", 1), ("5m", 300), ("2h", 7_200), ("24h", 86_400), ("1d", 86_400), ("0", nil),
    ("0s", nil), ("2d", nil), ("86401", nil), ("-5", nil), ("1.5s", nil), ("", nil), ("s", nil),
    ("9999999999999999999d", nil), ("5w", nil),
  ])
  func `a picture is shown for a second to a day`(_ text: String, _ seconds: Int?) throws {
    guard let seconds else {
      #expect(throws: UsageError.self) { try SlideshowRequest.seconds(text) }
      return
    }
    #expect(try SlideshowRequest.seconds(text) == seconds)
  }

  @Test func `what matches nothing is said before there is a screen`() async throws {
    let driver = CommandDriver(directory)
    try await driver.save(1)
    let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
    defer { close(nowhere) }
    for (words, status) in [
      (["no", "such"], ExitStatus.notFound), (["seen:later"], .usage), (["zoo"], .done),
      ([], .done),
    ] {
      let session = driver.session(output: Output(data: nowhere, words: nowhere))
      let ended = await session.run {
        _ = try await $0.frame(SlideshowRequest(words: words))
      }
      #expect(ended == status, "\(words)")
    }
    // Nor is anything drawn in place of files that cannot be shown.
    let folder = TemporaryDirectory()
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    try Data("words".utf8).write(to: folder.url.appending(path: "a.png"))
    driver.source = try FolderSource(folder.url.path)
    let session = driver.session(output: Output(data: nowhere, words: nowhere))
    let request = SlideshowRequest(words: [folder.url.path])
    let ended = await session.run { _ = try await $0.frame(request) }
    #expect(ended == .notFound)
    #expect(SlideshowRequest(words: ["./zoo"]).directory == "./zoo")
    #expect(SlideshowRequest(words: ["#snow", "-b"]).filter == "#snow -b")
  }
}
