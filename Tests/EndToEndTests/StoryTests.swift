import Foundation
import PandaTestSupport
import Testing

@testable import PandaTUI

/// What a person does with Panda, in a real terminal against a real server.
@Suite struct StoryTests {
  let directory = TemporaryDirectory()

  @Test func `the whole story: see, favorite, remove, relaunch without network, clear`()
    async throws
  {
    let server = try PandaServer(pictures: ServedPictures.all())
    defer { server.stop() }
    let panda = try PandaDriver(directory, source: server.endpoint.absoluteString)
    try await panda.expectPicture()
    try await panda.tmux.expect(text: "Red pandas you favorite will appear here")
    try panda.press(.favorite)
    try await panda.expect(favorites: 1)
    // The star is seen, then the next one comes by itself; favoriting that makes two.
    try await panda.tmux.expect(text: "☆")
    try panda.press(.fetch)
    try await panda.tmux.expect(text: "☆")
    try panda.press(.favorite)
    try await panda.expect(favorites: 2)
    try await panda.expectThumbnails()
    try panda.press(.nextPane, .right, .remove)
    try await panda.expect(favorites: 1)
    try await panda.quit()
    server.stop()

    let again = try PandaDriver(directory, source: server.endpoint.absoluteString)
    try await again.expect(favorites: 1)
    try await again.expectThumbnails()
    // With the server gone, what was seen last is there; who asks for another gets a drawing.
    try await again.tmux.expect(text: "Your favorites are here; f tries again")
    try await again.tmux.expect(text: "does not answer")
    try await again.expectPicture()
    try again.press(.fetch)
    try await again.tmux.expect(text: "Drawn instead; f tries again")
    try await again.expectPicture()
    try await again.open(.clear, "Remove your 1 favorite?")
    try again.tmux.press(.enter)
    try await again.tmux.expect("the question is gone") { !$0.contains("Remove your 1 favorite?") }
    try await again.expect(favorites: 1)
    try await again.open(.clear, "Remove your 1 favorite?")
    try again.tmux.press("y")
    try await again.expect(favorites: 0)
    try await again.tmux.expect(text: "Red pandas you favorite will appear here")
    try await again.quit()
  }

  @Test func `a favorite survives kill -9 right after it was said to be one`() async throws {
    let panda = try PandaDriver(directory, source: "grove")
    try await panda.expectPicture()
    try panda.press(.favorite)
    // The star is shown at once; what is said is on the disk.
    try await panda.tmux.expect(text: "Added to your favorites")
    try panda.tmux.kill()
    #expect(try await panda.tmux.waitForExit() == .signalled(9))
    let again = try PandaDriver(directory, source: "grove")
    try await again.expect(favorites: 1)
    try await again.expectThumbnails()
    try await again.quit()
  }

  @Test func `favorites are shown newest first, also after a relaunch`() async throws {
    let server = try PandaServer(pictures: ServedPictures.all())
    defer { server.stop() }
    let panda = try PandaDriver(
      directory, source: server.endpoint.absoluteString, columns: 60, rows: 10)
    // At this height the carousel is one line of text: "★ 1/N" and what the picture is.
    for count in 1...3 {
      try await panda.tmux.expect(text: "☆")
      try panda.press(.favorite)
      try await panda.expect(favorites: count)
      try await panda.tmux.expect("the newest is selected") { $0.contains("★ 1/\(count)") }
    }
    try await panda.quit()
    let again = try PandaDriver(directory, source: "grove", columns: 60, rows: 10)
    try await again.tmux.expect(text: "★ 1/3")
    // The server gives the JPEG (640x480) and the PNG (320x240) in turn: the third is the JPEG.
    try await again.tmux.expect(text: "★ 1/3 127.0.0.1")
    try again.press(.right)
    try await again.tmux.expect(text: "320x240")
    try again.press(.last)
    try await again.tmux.expect(text: "★ 3/3")
    try await again.quit()
  }

  @Test func `the picture on the card is the favorite that enter asks for`() async throws {
    let panda = try PandaDriver(directory, source: "grove")
    try await panda.expectPicture()
    try panda.press(.favorite)
    try await panda.expect(favorites: 1)
    try await panda.tmux.expect(text: "☆")
    try panda.press(.show)
    try await panda.tmux.expect(text: "★")
    try await panda.tmux.expect(text: "view favorite")
    try await panda.quit()
  }

  @Test func `a source that never answers: the grove stands in, and esc stops asking`()
    async throws
  {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serveRaw("/random/json") { _, connection in connection.waitUntilClosed() }
    let panda = try PandaDriver(
      directory, source: server.url("/random/json").absoluteString)
    try await panda.tmux.expect(text: "☆ A red panda")
    try await panda.expectPicture()
    try panda.press(.fetch, .cancel)
    try await panda.tmux.expect(text: "Stopped fetching")
    try await server.wait { $0.connections > 0 && $0.open == 0 }
    try await panda.quit()
  }
}
