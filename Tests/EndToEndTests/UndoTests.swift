import Foundation
import PandaTestSupport
import Testing

@testable import PandaTUI

/// Undo, redo and the trash, as a person uses them.
@Suite struct UndoTests {
  let directory = TemporaryDirectory()

  @Test func `what was done is undone and done again, also after quitting and after a kill`()
    async throws
  {
    let panda = try PandaDriver(directory, source: "grove")
    try await panda.favorite(3)
    try panda.press(.nextPane, .remove)
    try await panda.expect(favorites: 2)
    try await panda.tmux.expect(text: "In the trash for 30 days")
    try panda.press(.clear)
    try await panda.tmux.expect(text: "Remove all 2 favorites?")
    try panda.tmux.press("y")
    try await panda.expect(favorites: 0)
    try panda.press(.undo)
    try await panda.expect(favorites: 2)
    try await panda.tmux.expect(text: "Undone: clearing 2 pandas. U does it again")
    try panda.tmux.kill()
    #expect(try await panda.tmux.waitForExit() == .signalled(9))

    let again = try PandaDriver(directory, source: "grove")
    try await again.expect(favorites: 2)
    try again.press(.undo)
    try await again.expect(favorites: 3)
    try again.press(.redo)
    try await again.expect(favorites: 2)
    try again.press(.redo)
    try await again.expect(favorites: 0)
    try await again.quit()

    let last = try PandaDriver(directory, source: "grove")
    try await last.expect(favorites: 0)
    // A count undoes many steps at once: clear, remove and one of three favorites.
    try last.tmux.press("3")
    try await last.tmux.expect(text: "3 times")
    try last.press(.undo)
    try await last.expect(favorites: 2)
    try last.tmux.press("9")
    try last.press(.undo)
    try await last.expect(favorites: 0)
    try last.press(.undo)
    try await last.tmux.expect(text: "There is nothing to undo")
    try await last.quit()
  }

  @Test func `the trash is looked into, and what is in it is restored`() async throws {
    let panda = try PandaDriver(directory, source: "grove")
    try await panda.favorite(2)
    try panda.press(.nextPane, .remove)
    try await panda.expect(favorites: 1)
    try panda.press(.trash)
    try await panda.tmux.expect(text: "Trash (1)")
    try await panda.expectThumbnails()
    try panda.press(.remove)
    try await panda.tmux.expect(text: "goes by itself after 30 days")
    try await panda.tmux.expect(text: "space restore")
    try panda.press(.favorite)
    try await panda.tmux.expect(text: "Trash (0)")
    try await panda.tmux.expect(text: "The trash is empty")
    try await panda.cancel(expecting: 2)
    try panda.press(.undo)
    try await panda.expect(favorites: 1)
    try await panda.quit()
  }

  @Test func `captions and tags are written, shown, found and undone`() async throws {
    let panda = try PandaDriver(directory, source: "grove")
    try await panda.favorite(2)
    try await panda.tmux.expect(text: "☆")
    try panda.press(.caption)
    try await panda.tmux.expect(text: "Only favorites have captions and tags; space makes it one")
    try panda.press(.nextPane, .caption)
    try await panda.tmux.expect(text: "What you write under it")
    try panda.enter("Höhle 日本")
    try await panda.tmux.expect(text: "Caption saved. u undoes")
    try await panda.tmux.expect(text: " Höhle 日本 ")
    try panda.press(.tags)
    try panda.enter("#sleepy snow")
    try await panda.tmux.expect(text: "Tags saved. u undoes")

    try panda.press(.filter)
    try panda.tmux.type("hohle #sle")
    try await panda.tmux.expect(text: "Favorites (1 of 2) · /hohle #sle")
    try await panda.tmux.expect(text: "1 found")
    try panda.tmux.press(.enter)
    try panda.press(.show, .details)
    try await panda.tmux.expect(text: "#sleepy #snow")
    try await panda.tmux.expect(text: "SHA-256")
    try panda.press(.details)
    try await panda.tmux.expect("the details are closed") { !$0.contains("SHA-256") }
    try await panda.cancel(expecting: 2)
    try panda.press(.undo)
    try await panda.tmux.expect(text: "Undone: tags")
    try panda.press(.undo)
    try await panda.tmux.expect(text: "Undone: a caption")
    try await panda.tmux.expect("no caption") { !$0.contains("Höhle") }
    try await panda.quit()
  }

  @Test func `the order is changed, shown, and kept`() async throws {
    let panda = try PandaDriver(directory, source: "grove")
    try await panda.favorite(1)
    try panda.press(.sort)
    try await panda.tmux.expect(text: "Favorites (1) · oldest first")
    try await panda.quit()
    let again = try PandaDriver(directory, source: "grove")
    try await again.tmux.expect(text: "Favorites (1) · oldest first")
    try await again.quit()
  }

  @Test(arguments: [
    "レッサーパンダの写真です", "👩‍👩‍👧 family 🇩🇪", "e\u{301}\u{302}\u{303} Zoe\u{308}", "שלום פנדה אדומה", "ผ้าแดง",
  ])
  func `no caption bends a column`(_ caption: String) async throws {
    let panda = try PandaDriver(directory, source: "grove", columns: 60, rows: 24)
    try await panda.favorite(1)
    try panda.press(.nextPane, .caption)
    try await panda.tmux.expect(text: "What you write under it")
    try panda.tmux.type("\u{1B}[200~\(caption)\u{1B}[201~")
    try panda.tmux.press(.enter)
    try await panda.tmux.expect(text: "Caption saved")
    try panda.press(.show)
    let screen = try await panda.tmux.expect(text: "★")
    for row in screen.cells[..<22] {
      #expect("│┐┘┤".contains(row[59].text), "\(screen)")
      #expect("│┌└├".contains(row[0].text), "\(screen)")
    }
    try await panda.quit()
  }
}
