import Foundation
import PandaCore
import PandaTestSupport
import Testing

@testable import PandaTUI
@testable import TerminalKit

/// Undo, redo and the trash, as a person uses them.
@MainActor
@Suite struct UndoTests {
  private let directory = TemporaryDirectory()

  @Test func `what was done is undone and redone, also after a relaunch`() async throws {
    let panda = try AppDriver(directory)
    try await panda.favorite(3)
    try panda.press(.nextPane, .remove)
    try await panda.expect(favorites: 2)
    try await panda.expect(text: "In the trash for 30 days")
    try await panda.open(.clear, "Remove all 2 favorites?")
    panda.type("y")
    try await panda.expect(favorites: 0)
    try panda.press(.undo)
    try await panda.expect(favorites: 2)
    try await panda.expect(text: "Undone: clearing 2 pandas. U brings it back")
    try await panda.quit()

    let again = try AppDriver(directory)
    try await again.expect(favorites: 2)
    try again.press(.undo)
    try await again.expect(favorites: 3)
    try again.press(.redo)
    try await again.expect(favorites: 2)
    try again.press(.redo)
    try await again.expect(favorites: 0)
    try await again.quit()

    let last = try AppDriver(directory)
    try await last.expect(favorites: 0)
    // A count undoes many steps at once: clear, remove and one of three favorites.
    last.type("3")
    try await last.expect(text: "3 times")
    try last.press(.undo)
    try await last.expect(favorites: 2)
    // It is said when it is on the disk, over what a key did meanwhile.
    try await last.expect(text: "Undone: favoriting 1 panda")
    last.type("9")
    try last.press(.undo)
    try await last.expect(favorites: 0)
    try await last.expect(text: "Undone: favoriting 1 panda")
    try last.press(.undo)
    try await last.expect(text: "Nothing to undo")
    try await last.quit()
  }

  @Test func `a count removes the selected favorite and those after it, in one step`()
    async throws
  {
    let panda = try AppDriver(directory)
    try await panda.favorite(5)
    try panda.press(.nextPane, .right)
    panda.type("3")
    try panda.press(.remove)
    try await panda.expect(favorites: 2)
    try await panda.expect(text: "3 pandas are in the trash for 30 days. u takes them back")
    #expect(panda.app.carousel.list.map(\.title) == ["Panda 5", "Panda 1"])
    try panda.press(.undo)
    try await panda.expect(favorites: 5)
    // On the card there is one.
    try panda.press(.show, .nextPane)
    panda.type("3")
    try panda.press(.remove)
    try await panda.expect(favorites: 4)
    try await panda.expect(text: "In the trash for 30 days. u takes it back")
    // No more than there are.
    try panda.press(.nextPane, .last)
    panda.type("9")
    try panda.press(.remove)
    try await panda.expect(favorites: 3)
    try await panda.quit()
  }

  @Test func `the trash is looked into, and what is in it is restored`() async throws {
    let panda = try AppDriver(directory)
    try await panda.favorite(2)
    try panda.press(.nextPane, .remove)
    try await panda.expect(favorites: 1)
    try await panda.expect(text: "In the trash for 30 days")
    try await panda.open(.trash, "Trash (1)")
    try await panda.expectThumbnails(1)
    try panda.press(.remove)
    try await panda.expect(text: "Removed for good after 30 days")
    try await panda.expect(text: "space restore")
    try panda.press(.favorite)
    try await panda.expect(text: "Trash (0)")
    try await panda.expect(text: "The trash is empty")
    try await panda.cancel(expecting: 2)
    try panda.press(.undo)
    try await panda.expect(favorites: 1)
    try await panda.quit()
  }
}
