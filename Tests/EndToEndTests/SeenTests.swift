import Foundation
import PandaTestSupport
import Testing

@testable import PandaTUI

/// What Panda remembers of what was shown, and how it bears the loss of the network.
@Suite struct SeenTests {
  let directory = TemporaryDirectory()

  /// What the line under the picture says of it: the words alone may fit two pandas of the grove,
  /// so the size of its file is with them.
  private func shown(_ screen: ScreenText) -> String {
    let line = screen.lines.first { $0.contains("☆") || $0.contains("★") } ?? ""
    let parts = line.drop { !"☆★".contains($0) }.dropFirst(2).split(separator: " · ")
    return parts.prefix(4).joined(separator: " · ")
  }

  @Test func `back goes through what was shown, also after a relaunch`() async throws {
    let panda = try PandaDriver(directory, source: "grove")
    let first = shown(try await panda.tmux.expect(text: "☆"))
    try panda.press(.back)
    try await panda.tmux.expect(text: "No panda was shown before this one")
    try panda.press(.fetch)
    let second = shown(
      try await panda.tmux.expect("another panda") { shown($0) != first && $0.contains("2 met") })
    try panda.press(.back)
    try await panda.tmux.expect("the first again") { shown($0) == first }
    try panda.press(.fetch)
    try await panda.tmux.expect(text: "3 met")
    try await panda.quit()

    // The source says nothing now: what is on the screen is what was kept.
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serveRaw("/random/json") { _, connection in connection.waitUntilClosed() }
    let again = try PandaDriver(directory, source: server.url("/random/json").absoluteString)
    try await again.expectPicture()
    try await again.tmux.expect(text: "3 met")
    try again.press(.back)
    try await again.tmux.expect("the second panda") { shown($0) == second }
    try again.press(.back)
    try await again.tmux.expect("the first panda") { shown($0) == first }
    try await again.quit()
  }

  @Test func `a first launch tells three keys, a later one welcomes, until a key`() async throws {
    let panda = try PandaDriver(directory, source: "grove")
    try await panda.expectPicture()
    try await panda.tmux.expect(
      text: "f fetches another panda · space keeps it · ? shows all keys")
    #expect(!(try panda.tmux.screen().contains("Welcome")))
    try await panda.quit()
    let again = try PandaDriver(directory, source: "grove")
    try await again.tmux.expect(text: "Welcome back. You were here last on")
    try again.press(.fetch)
    try await again.tmux.expect("the welcome is over") { !$0.contains("Welcome") }
    try await again.quit()
  }

  @Test func `a picture that comes again is known, and a hidden one does not come again`()
    async throws
  {
    let pictures = try ServedPictures.all()
    let server = try PandaServer(pictures: pictures)
    defer { server.stop() }
    let panda = try PandaDriver(directory, source: server.endpoint.absoluteString)
    try await panda.tmux.expect(text: "640x480")
    try panda.press(.fetch)
    try await panda.tmux.expect(text: "320x240")
    // The server gives out two pictures in turn, each time under a new address.
    try panda.press(.fetch)
    try await panda.tmux.expect("the first again") {
      $0.contains("640x480") && $0.contains("seen before")
    }
    try panda.press(.hide)
    try await panda.tmux.expect(text: "You will not see this panda again")
    for met in 4...8 {
      try await panda.tmux.expect("the other one") {
        $0.contains("320x240") && $0.contains("\(met) met")
      }
      try panda.press(.fetch)
    }
    // What was fetched ahead before is known by its bytes, too.
    try panda.press(.undo)
    try await panda.tmux.expect(text: "Undone: hiding a panda")
    try await panda.quit()
  }

  @Test func `without the source all about favorites works; it is noticed when it is back`()
    async throws
  {
    try PandaDriver.configure(directory, "{ retrySeconds: 1, autoAdvance: false }")
    let pictures = try ServedPictures.all()
    let server = try PandaServer(pictures: pictures)
    defer { server.stop() }
    server.fail(with: LoopbackResponse(status: 503, body: "busy"))
    let panda = try PandaDriver(directory, source: server.endpoint.absoluteString)
    try await panda.tmux.expect(text: "Drawn instead; f tries again")
    try await panda.tmux.expect(text: "does not answer")
    try await panda.tmux.expect(text: "! why")
    try panda.press(.problem)
    try await panda.tmux.expect(text: "503")
    try panda.press(.cancel)
    try await panda.tmux.expect("the cause is closed") { !$0.contains("cause") }
    try panda.press(.favorite)
    try await panda.expect(favorites: 1)
    try panda.press(.nextPane, .remove)
    try await panda.expect(favorites: 0)
    try panda.press(.undo)
    try await panda.expect(favorites: 1)
    server.fail(with: nil)
    // That it has answered is not said over what the last key did.
    try await panda.tmux.expect("no badge") { !$0.contains("does not answer") }
    #expect(try panda.tmux.screen().contains("Undone"))
    try panda.press(.fetch)
    try await panda.tmux.expect(text: "640x480")
    try await panda.quit()
  }

  @Test func `a host that cannot be found is being offline`() async throws {
    let panda = try PandaDriver(directory, source: "http://panda.invalid/random/json")
    try await panda.tmux.expect("the badge in the corner") {
      $0.lines[0].hasSuffix("offline ─┐")
    }
    try await panda.expectPicture()
    try panda.press(.problem)
    try await panda.tmux.expect(text: "panda.invalid")
    try panda.press(.problem)
    try await panda.quit()
  }

  @Test func `the slideshow goes on by itself, favorites on the way, and pauses on any key`()
    async throws
  {
    try PandaDriver.configure(directory, "{ slideshowSeconds: 1, autoAdvance: false }")
    let panda = try PandaDriver(directory, source: "grove")
    try await panda.expectPicture()
    // A digit pauses it, and begins no count.
    try panda.press(.slideshow)
    try await panda.tmux.expect("the picture alone") {
      $0.contains("any key pause") && !$0.contains("Favorites")
    }
    try panda.tmux.press("3")
    try await panda.tmux.expect(text: "Slideshow paused. z goes on")
    try await panda.tmux.expect(text: "tab carousel")

    try panda.press(.slideshow)
    var known: Set<String> = []
    try await panda.tmux.expect("three different pandas") { screen in
      known.insert(shown(screen))
      return known.filter { !$0.isEmpty }.count >= 3
    }
    // Favoriting does not pause it; removing does, and removes nothing.
    try panda.press(.favorite, .remove)
    try await panda.expect(favorites: 1)
    try await panda.tmux.expect(text: "tab carousel")
    try await panda.quit()
  }
}
