import PandaCore
import PandaTestSupport
import Pantry
import Testing

@testable import PandaSession
@testable import PandaTUI
@testable import TerminalKit

/// Filters with names.
@MainActor
@Suite struct CollectionsTests {
  private let directory = TemporaryDirectory()
  private let collectNote = "The name of the collection"

  @Test func `a filter is kept with a name, shown in a later run, and deleted`() async throws {
    var panda = try AppDriver(directory)
    try await panda.favorite(3)
    try await panda.open(
      .favorites(.collections), "/ filters; the filter can be saved here with a name")
    // There is nothing to keep yet.
    panda.type("a")
    panda.press(key: .escape)
    try await panda.expect(noText: "Collections")
    try panda.press(.view(.nextPane))
    try await panda.open(.favorites(.tags), FavoritesCommands.tagsNote)
    panda.enter("snow")
    try await panda.expect(text: Sentence.tagged)
    try panda.press(.favorites(.filter))
    panda.enter("#snow")
    try await panda.expect(text: "Favorites (1 of 3)")
    try await panda.open(.favorites(.collections), "a keeps /#snow as a collection")
    panda.type("a")
    try await panda.expect(text: "For all favorites that match /#snow, now and later")
    panda.enter(" ")
    try await panda.expect(text: "A collection needs a name")
    panda.press(key: .control("u"))
    panda.enter("In the snow")
    try await panda.expect(text: "In the snow is a collection now. F shows them")
    try await panda.quit()

    panda = try AppDriver(directory)
    try await panda.expect(favorites: 3)
    try await panda.open(.favorites(.collections), "In the snow  1  /#snow")
    panda.press(key: .enter)
    try await panda.expect(text: "Favorites (1 of 3) · /#snow")
    #expect(panda.app.context.pane == .carousel)
    try await panda.open(.favorites(.collections), "In the snow  1  /#snow")
    panda.type("x")
    try await panda.expect(noText: "In the snow")
    panda.press(key: .escape)
    try await panda.quit()
  }

  @Test func `marked favorites are collected under a name, in one step`() async throws {
    let panda = try AppDriver(directory)
    try await panda.favorite(3)
    try panda.press(.view(.nextPane))
    try panda.press(.favorites(.mark))
    try panda.press(.move(.right))
    try panda.press(.favorites(.mark))
    try await panda.open(.favorites(.collections), "a collects the 2 marked pandas")
    panda.type("a")
    try await panda.expect(text: collectNote)
    try await panda.app.context.session.library.keep(SavedFilter(name: "Autumn", filter: "leaves"))
    panda.enter("autumn")
    try await panda.expect(text: "autumn is a collection with another filter")
    panda.press(key: .control("u"))
    // Neither a minus nor a comma makes another tag of it.
    panda.enter("-Very, Sleepy")
    try await panda.expect(text: "Tags of 2 pandas saved")
    try await panda.open(.favorites(.collections), "-Very, Sleepy  2  /#=very-sleepy")
    panda.press(key: .enter)
    try await panda.expect(text: "★ 2 of 3")
    try panda.press(.favorites(.undo))
    try await panda.expect(text: "Favorites (0 of 3)")
    // The collection goes with its tags, and comes back with them.
    var names: [String] { panda.app.context.session.library.collections.map(\.name) }
    try await eventually("the collection is gone") { !names.contains("-Very, Sleepy") }
    try panda.press(.favorites(.redo))
    try await panda.expect(text: "★ 2 of 3")
    try await eventually("the collection is back") { names.contains("-Very, Sleepy") }
    try panda.press(.favorites(.undo))
    try await panda.expect(text: "Favorites (0 of 3)")
    // A filter does not replace another one either.
    try await panda.open(.favorites(.collections), "a save the filter")
    panda.type("a")
    try await panda.expect(text: "Name of a collection")
    panda.enter("AUTUMN")
    try await panda.expect(text: "AUTUMN is a collection with another filter")
    panda.press(key: .escape)
    try await panda.quit()
  }

  @Test func `a collection of an earlier version grows under its name`() async throws {
    let panda = try AppDriver(directory)
    try await panda.favorite(2)
    try await panda.app.context.session.library.keep(SavedFilter(name: "Snow", filter: "#snow"))
    try panda.press(.view(.nextPane))
    try panda.press(.favorites(.mark))
    try await panda.open(.favorites(.collections), "a collects the marked panda")
    panda.type("a")
    try await panda.expect(text: collectNote)
    panda.enter("snow")
    try await panda.expect(text: Sentence.tagged)
    #expect(panda.app.context.session.library.collections.map(\.filter) == ["#snow"])
    try await panda.quit()
  }

  @Test func `u restores a deleted collection, even after the list was closed`() async throws {
    let panda = try AppDriver(directory)
    try await panda.favorite(1)
    var names: [String] { panda.app.context.session.library.collections.map(\.name) }
    for name in ["Autumn", "Snow", "Trees"] {
      try await panda.app.context.session.library.keep(
        SavedFilter(name: name, filter: name.lowercased()))
    }
    try await panda.open(.favorites(.collections), "Autumn  0  /autumn")
    // There is nothing to bring back yet.
    panda.type("u")
    #expect(names == ["Autumn", "Snow", "Trees"] && !panda.display.text.contains("u undo"))
    panda.press(key: .down)
    panda.type("xx")
    try await eventually("two collections are gone") { names == ["Autumn"] }
    try await panda.expect(text: "Deleted. u brings it back")
    try await panda.expect(text: "u undo")
    panda.type("u")
    try await eventually("the last one is back") { names == ["Autumn", "Trees"] }
    panda.press(key: .escape)
    try await panda.expect(noText: "Collections")
    try await panda.open(.favorites(.collections), "u undo")
    panda.type("u")
    try await panda.expect(text: "Snow    0  /snow")
    try await panda.expect(noText: "u undo")
    #expect(names == ["Autumn", "Snow", "Trees"])
    // Another collection of that name is not replaced.
    panda.type("x")
    try await eventually("the collection is gone") { names == ["Snow", "Trees"] }
    try await panda.app.context.session.library.keep(SavedFilter(name: "autumn", filter: "leaves"))
    try await panda.expect(noText: "u undo")
    panda.type("u")
    #expect(panda.app.context.session.library.collections.first?.filter == "leaves")
    panda.press(key: .escape)
    try await panda.expect(noText: "Collections")
    try await panda.quit()
  }

  @Test func `the counts of collections follow changes in another terminal`() async throws {
    let panda = try AppDriver(directory)
    try await panda.favorite(2)
    try await panda.app.context.session.library.keep(SavedFilter(name: "All", filter: "panda"))
    try await panda.app.context.session.library.keep(SavedFilter(name: "One", filter: "#one"))
    // The trash itself says nothing of favorites.
    try panda.press(.favorites(.trash))
    try await panda.expect(text: "Trash (0)")
    try await panda.open(.favorites(.collections), "All  2  /panda")
    try await panda.expect(text: "One  0  /#one")
    let other = try AppDriver(directory, source: SmallSource(first: 101))
    try await other.expect(favorites: 2)
    // The last one that was seen makes room for a fresh one first.
    try await other.expect(text: "Panda 101")
    try await other.favorite(2, after: 2)
    try await panda.expect(text: "All  4  /panda")
    try other.press(.view(.nextPane))
    try await other.open(.favorites(.tags), FavoritesCommands.tagsNote)
    other.enter("one")
    try await panda.expect(text: "One  1  /#one")
    try other.press(.favorites(.remove))
    try await panda.expect(text: "One  0  /#one")
    try await panda.expect(text: "All  3  /panda")
    // A collection that is made meanwhile is counted too, and the selected one stays selected.
    panda.press(key: .down)
    try await other.app.context.session.library.keep(
      SavedFilter(name: "Beside", filter: "zoo.example"))
    try await panda.expect(text: "Beside  3  /zoo.example")
    panda.press(key: .enter)
    try await panda.expect(text: "Favorites (0 of 3) · /#one")
    try await panda.quit()
    try await other.quit()
  }

  @Test func `in: finds the pictures of a collection, and reports an unknown one`() async throws {
    let panda = try AppDriver(directory)
    try await panda.favorite(3)
    let library = panda.app.context.session.library
    try await library.setTags(["two"], of: [library.favorites.items[1]])
    try await library.keep(SavedFilter(name: "Second Zoo", filter: "#two"))
    try panda.press(.view(.nextPane))
    try panda.press(.favorites(.filter))
    panda.enter("in:\"second zoo\"")
    try await panda.expect(text: "Favorites (1 of 3)")
    try panda.press(.favorites(.filter))
    panda.press(key: .control("u"))
    panda.enter("in:third")
    try await panda.expect(text: "There is no collection third")
    // It shows as soon as there is one.
    try await library.keep(SavedFilter(name: "Third", filter: "in:second-zoo"))
    try await panda.expect(text: "Favorites (1 of 3)")
    // The list says what a deletion means for others.
    try await panda.open(.favorites(.collections), "Third       1  /in:second-zoo")
    panda.type("x")
    try await panda.expect(text: "Deleted. Third names it, and matches nothing now. u brings it")
    try await eventually("the collection is gone") { library.collections.count == 1 }
    panda.type("u")
    try await eventually("the collection is back") { library.collections.count == 2 }
    panda.press(key: .escape)
    try await panda.expect(noText: "Collections")
    // One that leads back to itself is named, and cannot be made.
    try await library.delete(SavedFilter(name: "Second Zoo", filter: ""))
    try await library.keep(SavedFilter(name: "Second Zoo", filter: "in:third"))
    // Its sentence takes two lines there.
    try await panda.expect(text: "The collection Third refers to itself")
    try await panda.quit()
  }
}
