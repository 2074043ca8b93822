import Foundation
import PandaCore
import PandaTestSupport
import Testing

@testable import PandaSession
@testable import PandaTUI
@testable import TerminalKit

/// Undo, redo and the trash, as a person uses them.
@MainActor
@Suite struct UndoTests {
  private let directory = TemporaryDirectory()
  private let noMatch = "No favorite matches the filter"

  @Test func `actions are undone and redone, even after a relaunch`() async throws {
    let panda = try AppDriver(directory)
    try await panda.favorite(3)
    try panda.press(.view(.nextPane), .favorites(.remove))
    try await panda.expect(favorites: 2)
    try await panda.expect(text: Sentence.removed)
    try await panda.open(.favorites(.clear), Sentence.clearQuestion(2))
    panda.type("y")
    try await panda.expect(favorites: 0)
    try panda.press(.favorites(.undo))
    try await panda.expect(favorites: 2)
    try await panda.expect(text: "Undone: removing 2 pandas. U brings it back")
    try await panda.quit()

    let again = try AppDriver(directory)
    try await again.expect(favorites: 2)
    try again.press(.favorites(.undo))
    try await again.expect(favorites: 3)
    try again.press(.favorites(.redo))
    try await again.expect(favorites: 2)
    try again.press(.favorites(.redo))
    try await again.expect(favorites: 0)
    try await again.quit()

    let last = try AppDriver(directory)
    try await last.expect(favorites: 0)
    // A count undoes many steps at once: clear, remove and one of three favorites.
    last.type("3")
    try await last.expect(text: "3 times")
    try last.press(.favorites(.undo))
    try await last.expect(favorites: 2)
    // It is said when it is on the disk, over what a key did meanwhile.
    try await last.expect(text: "Undone: removing 2 pandas; removing ")
    last.type("9")
    try last.press(.favorites(.undo))
    try await last.expect(favorites: 0)
    try await last.expect(text: "Undone: keeping “Panda 2”; keeping “Panda 1”")
    try last.press(.favorites(.undo))
    try await last.expect(text: Sentence.refused(.nothingToUndo))
    try await last.quit()
  }

  @Test func `undo reverts the last change or none, and shows what it restored`() async throws {
    let panda = try AppDriver(directory)
    try await panda.favorite(4)
    try panda.press(.view(.nextPane), .move(.first))
    let newest = try #require(panda.app.context.favorites.selected)
    try panda.press(.favorites(.remove))
    try await panda.expect(favorites: 3)
    try panda.press(.move(.last))
    try panda.press(.favorites(.undo))
    try await panda.expect(text: "Undone: removing “\(newest.name)”. U brings it back")
    #expect(panda.app.context.favorites.selected?.id == newest.id)
    try panda.press(.favorites(.remove))
    try await panda.expect(favorites: 3)
    let controller = panda.app.context.favorites.controller
    try await controller.library.purge(controller.library.trashed)
    // Undoing the step before it instead would remove a favorite unexpectedly.
    try panda.press(.favorites(.undo))
    try await panda.expect(
      text: "Not undone: the panda is not in the trash any more. u undoes the change before it")
    try await panda.expect(favorites: 3)
    try panda.press(.favorites(.undo))
    try await panda.expect(text: "Not undone: the panda is not among your favorites any more")
    try panda.press(.favorites(.undo))
    try await panda.expect(favorites: 2)
    try await panda.quit()
  }

  @Test func `a count removes the selected favorite and those after it, in one step`()
    async throws
  {
    let panda = try AppDriver(directory)
    try await panda.favorite(5)
    try panda.press(.view(.nextPane), .move(.right))
    panda.type("3")
    try panda.press(.favorites(.remove))
    try await panda.expect(favorites: 2)
    try await panda.expect(text: Sentence.done(.removed(count: 3)))
    #expect(panda.app.context.favorites.list.map(\.title) == ["Panda 5", "Panda 1"])
    try panda.press(.favorites(.undo))
    try await panda.expect(favorites: 5)
    // On the card there is one.
    try panda.press(.favorites(.show), .view(.nextPane))
    panda.type("3")
    try panda.press(.favorites(.remove))
    try await panda.expect(favorites: 4)
    try await panda.expect(text: Sentence.done(.removed(count: 1)))
    // No more than there are.
    try panda.press(.view(.nextPane), .move(.last))
    panda.type("9")
    try panda.press(.favorites(.remove))
    try await panda.expect(favorites: 3)
    try await panda.quit()
  }

  @Test func `a trashed picture shows its expiry, and is deleted for good after a yes`()
    async throws
  {
    let panda = try AppDriver(directory)
    try await panda.favorite(4)
    try panda.press(.view(.nextPane))
    panda.type("4")
    try panda.press(.favorites(.remove))
    try await panda.expect(favorites: 0)
    try await panda.open(.favorites(.trash), "Trash (4)")
    try panda.press(.move(.first))
    let first = try #require(panda.app.context.favorites.selected)
    let removedAt = try #require(panda.app.context.favorites.controller.library.trashed(first.id))
      .removedAt
    try await panda.open(.picture(.details), "in the trash")
    let end = PictureDay(removedAt + 30 * 86_400).words
    // The year may be in the next line.
    try await panda.expect(text: "for good after \(end.dropLast(5))")
    try panda.press(.picture(.details))
    // No is chosen beforehand.
    try await panda.open(.favorites(.remove), "Delete \(first.name) for good?")
    panda.press(key: .enter)
    try await panda.expect(noText: "for good?")
    try await panda.expect(text: "Trash (4)")
    try await panda.open(.favorites(.remove), "Delete \(first.name) for good?")
    panda.type("y")
    try await panda.expect(text: Sentence.done(.purged(count: 1)))
    try await panda.expect(text: "Trash (3)")
    // A double click is for what was clicked, and not for what is marked.
    try await panda.expectThumbnails(3)
    try panda.press(.favorites(.mark))
    let (id, rect) = (
      panda.app.context.favorites.list[2].id, panda.app.context.carousel.shown.places[2].rect
    )
    panda.doubleClick(column: rect.column + 1, row: rect.row + 1)
    try await panda.expect(text: "Trash (2)")
    #expect(panda.app.context.favorites.controller.images.map(\.id) == [id])
    try panda.press(.program(.cancel), .favorites(.undo))
    try await panda.expect(text: "Trash (3)")
    try panda.press(.move(.first))
    #expect(panda.app.context.favorites.list.contains { $0.id == first.id } == false)
    panda.type("2")
    try await panda.open(.favorites(.remove), "Delete 2 pandas for good?")
    panda.type("y")
    try await panda.expect(text: Sentence.done(.purged(count: 2)))
    // Undo brings back what is still there.
    try await panda.cancel(expecting: 0)
    try panda.press(.favorites(.undo))
    try await panda.expect(favorites: 1)
    try await panda.quit()
  }

  @Test func `under a filter, clear asks about the matches, and moves only those`() async throws {
    let panda = try AppDriver(directory)
    try await panda.favorite(3)
    try panda.press(.view(.nextPane))
    for (tag, move) in [
      ("snow", Command.move(.right)), ("snow", .move(.right)), ("sun", .move(.left)),
    ] {
      try await panda.open(.favorites(.tags), FavoritesCommands.tagsNote)
      panda.enter(tag)
      try await panda.expect(text: Sentence.tagged)
      try panda.press(move)
    }
    try panda.press(.favorites(.filter))
    panda.enter("#snow")
    try await panda.open(.favorites(.clear), "Move the 2 favorites that match to the trash?")
    try await panda.expect(text: "The others remain favorites.")
    panda.type("y")
    try await panda.expect(text: Sentence.done(.removed(count: 2)))
    try await panda.expect(text: "Favorites (0 of 1)")
    try panda.press(.favorites(.clear))
    try await panda.expect(text: noMatch)
    try panda.press(.favorites(.undo))
    try await panda.expect(text: "Favorites (2 of 3)")
    try await panda.cancel(expecting: 3)
    try await panda.open(.favorites(.clear), Sentence.clearQuestion(3))
    panda.type("n")
    try panda.press(.favorites(.filter))
    panda.enter("#sun")
    try await panda.open(.favorites(.clear), "Move the one favorite that matches to the trash?")
    panda.type("n")
    try await panda.quit()
  }

  @Test func `where nothing is shown, each key says why`() async throws {
    let panda = try AppDriver(directory)
    try await panda.favorite(2)
    func expect(_ sentence: String, of commands: [Command]) async throws {
      for command in commands {
        try panda.press(command)
        try await panda.expect(text: sentence)
        try panda.press(.program(.problem))
        try await panda.expect(text: Sentence.refused(.nothingWentWrong))
      }
    }
    try panda.press(.view(.nextPane), .favorites(.remove))
    try await panda.expect(favorites: 1)
    try panda.press(.favorites(.filter))
    panda.enter("nosuch")
    try await panda.expect(text: "0 of 1")
    try await expect(
      noMatch,
      of: [
        .favorites(.remove), .favorites(.mark), .picture(.details), .favorites(.caption),
        .picture(.open), .move(.right), .favorites(.show), .favorites(.clear),
      ])
    try panda.press(.view(.grid))
    try await expect(
      noMatch,
      of: [
        .view(.zoom), .favorites(.markAll), .favorites(.favorite), .card(.hide),
        .picture(.copyAddress),
      ])
    try panda.press(.favorites(.trash))
    try await panda.expect(text: "Trash (1)")
    try panda.press(.favorites(.filter))
    panda.enter("nosuch")
    try await panda.expect(text: "0 of 1")
    try await expect(
      "Nothing in the trash matches",
      of: [.favorites(.remove), .favorites(.markRange), .favorites(.favorite), .picture(.save)])
    try await panda.quit()
  }

  @Test func `the trash can be opened, and its pictures restored`() async throws {
    let panda = try AppDriver(directory)
    try await panda.favorite(2)
    try panda.press(.view(.nextPane), .favorites(.remove))
    try await panda.expect(favorites: 1)
    try await panda.expect(text: Sentence.removed)
    try await panda.open(.favorites(.trash), "Trash (1)")
    try await panda.expectThumbnails(1)
    try await panda.expect(text: "space restore")
    // The help speaks of the trash, too.
    try await panda.open(.program(.help), HelpDialog.prompt)
    panda.type("restore")
    try await panda.expect(text: "space  Restore it as a favorite")
    panda.press(key: .escape)
    try panda.press(.favorites(.favorite))
    try await panda.expect(text: "Trash (0)")
    try await panda.expect(text: ActionWords.emptyTrash)
    try await panda.cancel(expecting: 2)
    try panda.press(.favorites(.undo))
    try await panda.expect(favorites: 1)
    try await panda.quit()
  }
}
