import PandaTestSupport
import Pantry
import Testing

@testable import PandaCore

/// Captions and tags of many favorites.
@MainActor
@Suite struct EditingTests {
  private let folder = LibraryFolder()

  @Test func `tags of many are changed in one step, and undone in one`() async throws {
    let library = folder.library()
    let images = (1...3).map { image($0) }
    try await library.save(images, step: "s")
    try await library.setTags(["snow", "old"], of: [images[0]])
    let count = try await library.changeTags(TagEdit("Sleepy, -OLD #snow"), of: images)
    #expect(count == 3)
    #expect(library.favorites[images[0].id]?.tags == ["snow", "Sleepy"])
    #expect(library.favorites[images[2].id]?.tags == ["Sleepy", "snow"])
    #expect(try await library.changeTags(TagEdit("-nothing"), of: images) == 0)
    #expect(try await library.undo()?.count == 3)
    #expect(library.favorites[images[0].id]?.tags == ["snow", "old"])
    #expect(library.favorites[images[1].id]?.tags == [])
    #expect(try await library.redo()?.count == 3)
    #expect(library.favorites[images[1].id]?.tags == ["Sleepy", "snow"])
    await library.close()
  }

  @Test func `a caption for many survives a relaunch, and is taken back there`() async throws {
    let first = folder.library()
    let images = (1...3).map { image($0) }
    try await first.save(images, step: "s")
    try await first.setCaption("one", of: [images[0]])
    #expect(try await first.setCaption("all", of: images) == 3)
    await first.close()
    let second = folder.library()
    try await second.favorites.itemsHaveLoaded()
    #expect(second.favorites.items.allSatisfy { $0.caption == "all" })
    #expect(try await second.undo()?.count == 3)
    #expect(second.favorites[images[0].id]?.caption == "one")
    #expect(second.favorites[images[1].id]?.caption == nil)
    await second.close()
  }
}
