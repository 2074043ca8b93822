import Foundation
import PandaTestSupport
import Testing

@testable import PandaSession
@testable import PandaTUI
@testable import TerminalKit

/// Two Pandas on one library: what one does, the other shows.
@MainActor
@Suite struct TwoTerminalsTests {
  private let directory = TemporaryDirectory()

  @Test func `after an undo in another terminal there is nothing to undo here`() async throws {
    let panda = try AppDriver(directory)
    try await panda.favorite(1)
    try await panda.expect("something to undo") { _ in canUndo(panda) }
    let other = try AppDriver(directory)
    try await other.expect(favorites: 1)
    try other.press(.favorites(.undo))
    try await panda.expect(favorites: 0)
    try await panda.expect("nothing to undo") { _ in !canUndo(panda) }
    try await panda.quit()
    try await other.quit()
  }

  private func canUndo(_ panda: AppDriver) -> Bool {
    panda.app.commands.reason(against: .favorites(.undo)) == nil
  }

  @Test func `changes in one terminal appear in the other`() async throws {
    let one = try AppDriver(directory)
    let other = try AppDriver(directory, source: SmallSource(first: 101))
    try await other.expect(favorites: 0)
    try await one.favorite(2)
    try await other.expect(favorites: 2)
    // They slide to their places.
    other.clock.advance(by: .seconds(1))
    try await other.expectThumbnails(2)

    // The newest is on the card of the one; the other selects it and writes a caption under it.
    try other.press(.view(.nextPane))
    try await other.expect(text: "enter open")
    try other.press(.favorites(.show))
    try await other.open(.favorites(.caption), "Caption")
    other.enter("Pabu in the snow")
    try await other.expect(text: "Pabu in the snow")
    try one.press(.view(.nextPane))
    try one.press(.favorites(.show))
    try await one.expect(text: "Pabu in the snow")

    // The filter of the one follows what the other writes.
    try one.press(.favorites(.filter))
    one.enter("pabu")
    try await one.expect(text: "Favorites (1 of 2)")
    try await other.open(.favorites(.caption), "Caption")
    other.press(key: .control("u"))
    other.enter("Mei")
    try await one.expect(text: "Favorites (0 of 2)")
    try other.press(.favorites(.undo))
    try await one.expect(text: "Favorites (1 of 2)")
    try await one.cancel(expecting: 2)

    // What was typed for a favorite that the other removes meanwhile is not lost.
    try await one.open(.favorites(.caption), "Caption")
    one.type(" and more")
    try other.press(.favorites(.remove))
    try await other.expect(favorites: 1)
    try await one.expect("the other's change") { _ in one.app.context.favorites.list.count == 1 }
    one.press(key: .enter)
    try await one.expect(text: "This panda is no longer a favorite")
    try await one.expect(text: "and more")
    one.press(key: .escape)
    try other.press(.favorites(.undo))
    try await one.expect(favorites: 2)
    // A question that is no longer the right one is asked again.
    try await one.open(.favorites(.clear), Sentence.clearQuestion(2))
    try other.press(.favorites(.remove))
    try await other.expect(favorites: 1)
    try await one.expect("the other's change") { _ in one.app.context.favorites.list.count == 1 }
    one.type("y")
    try await one.expect(text: Sentence.clearQuestion(1))
    one.type("n")
    try other.press(.favorites(.undo))
    try await one.expect(favorites: 2)

    // Removed in one, undone in the other; cleared in the other, undone in the one.
    try one.press(.favorites(.remove))
    try await other.expect(favorites: 1)
    try other.press(.favorites(.undo))
    try await one.expect(favorites: 2)
    try await other.open(.favorites(.clear), Sentence.clearQuestion(2))
    other.type("y")
    try await one.expect(favorites: 0)
    try one.press(.favorites(.undo))
    try await other.expect(favorites: 2)

    try await one.quit()
    try await other.quit()
  }

  @Test func `open details show changes from another terminal`() async throws {
    let one = try AppDriver(directory)
    try await one.favorite(1)
    try one.press(.view(.nextPane))
    try await one.open(.picture(.details), "SHA-256")
    let other = try AppDriver(directory)
    try await other.expect(favorites: 1)
    try other.press(.view(.nextPane))
    try await other.open(.favorites(.tags), "Tags")
    other.enter("snow sleepy")
    try await one.expect(text: "#snow #sleepy")
    one.type("q")
    try await one.expect(noText: "SHA-256")
    try await one.quit()
    try await other.quit()
  }
}
