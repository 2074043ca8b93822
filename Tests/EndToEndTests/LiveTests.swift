import Foundation
import PandaCore
import PandaTestSupport
import Testing

@testable import PandaTUI

/// Two Pandas in two terminals on one library: what one does, the other shows.
@Suite(.timeLimit(.minutes(5))) struct LiveTests {
  let directory = TemporaryDirectory()

  private func start() throws -> PandaDriver { try PandaDriver(directory, source: "grove") }

  @Test func `what is done in one terminal is seen in the other`() async throws {
    let one = try start()
    let other = try start()
    try await other.expect(favorites: 0)
    try await one.favorite(2)
    try await other.expect(favorites: 2)
    try await other.expectThumbnails()

    // The newest is on the card of the one; the other selects it and writes a caption under it.
    try other.press(.nextPane)
    try await other.tmux.expect(text: "enter show")
    try other.press(.show)
    try await other.open(.caption, "Caption")
    try other.enter("Pabu in the snow")
    try await other.tmux.expect(text: "Pabu in the snow")
    try one.press(.nextPane)
    try one.press(.show)
    try await one.tmux.expect(text: "Pabu in the snow")

    // The filter of the one follows what the other writes.
    try one.press(.filter)
    try one.enter("pabu")
    try await one.tmux.expect(text: "Favorites (1 of 2)")
    try await other.open(.caption, "Caption")
    try other.tmux.press("C-u")
    try other.enter("Mei")
    try await one.tmux.expect(text: "Favorites (0 of 2)")
    try other.press(.undo)
    try await one.tmux.expect(text: "Favorites (1 of 2)")
    try await one.cancel(expecting: 2)

    // Removed in one, undone in the other; cleared in the other, undone in the one.
    try one.press(.remove)
    try await other.expect(favorites: 1)
    try other.press(.undo)
    try await one.expect(favorites: 2)
    try await other.open(.clear, "Remove all 2 favorites?")
    try other.tmux.press("y")
    try await one.expect(favorites: 0)
    try one.press(.undo)
    try await other.expect(favorites: 2)

    try await one.quit()
    try await other.quit()
  }

  @Test func `details that are open tell what the other terminal writes`() async throws {
    let one = try start()
    try await one.favorite(1)
    try one.press(.nextPane)
    try await one.open(.details, "SHA-256")
    let other = try start()
    try await other.expect(favorites: 1)
    try other.press(.nextPane)
    try await other.open(.tags, "Tags")
    try other.enter("snow sleepy")
    try await one.tmux.expect(text: "#snow #sleepy")
    try one.tmux.press("q")
    try await one.tmux.expect("the details are closed") { !$0.contains("SHA-256") }
    try await one.quit()
    try await other.quit()
  }

  @Test func `a terminal that is killed leaves the other at work`() async throws {
    let one = try start()
    let other = try start()
    try await one.favorite(1)
    try await other.expect(favorites: 1)
    try one.tmux.kill()
    try await other.favorite(1, after: 1)
    try await other.quit()
    let again = try start()
    try await again.expect(favorites: 2)
    try await again.quit()
  }

  @Test func `a library that is put in the place of another is shown`() async throws {
    let panda = try start()
    try await panda.favorite(2)
    let elsewhere = TemporaryDirectory()
    let source = try PandaDriver(elsewhere, source: "grove")
    try await source.favorite(1)
    try await source.quit()
    let name = "data/favorites.sqlite"
    #expect(rename(elsewhere.path(name), directory.path(name)) == 0)
    try await panda.expect(favorites: 1)
    try await panda.expectThumbnails()
    try await panda.favorite(1, after: 1)
    try await panda.quit()
    let again = try start()
    try await again.expect(favorites: 2)
    try await again.quit()
  }
}
