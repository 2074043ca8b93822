import Foundation
import PandaTestSupport
import Testing

@testable import PandaCore
@testable import Pantry

/// What is removed, and how long it can come back.
@MainActor
@Suite struct TrashTests {
  private let folder = LibraryFolder()

  @Test func `a removed favorite stays in the trash for 30 days, then is deleted`() async throws {
    let clock = SettableClock()
    let library = folder.library(now: { clock.now })
    try await library.save(image(1))
    try await library.save(image(2))
    try await library.remove([image(1)])
    try await library.remove([image(2)])
    #expect(library.trashed.map(\.image.id) == [image(1).id, image(2).id])
    try await library.restore([library.trashed[0]])
    #expect(try await folder.favorites(library) == ["1"])
    #expect(library.trashed.map(\.image.id) == [image(2).id])
    clock.now += 29.9 * 86_400
    #expect(try await library.emptyTrash() == 0)
    clock.now += 0.2 * 86_400
    // The clock alone decides nothing: it may have jumped.
    #expect(try await library.emptyTrash() == 0)
    try await library.noteSeen(image(3))
    clock.now += 86_400
    #expect(try await library.emptyTrash() == 1)
    #expect(library.trashed.isEmpty)
    #expect(try await folder.favorites(library) == ["1"])
    // Its removal can no longer be undone, which one undo says; the step before it can.
    #expect(try await library.undo()?.change.kind == .restored(ids: [image(1).id]))
  }

  @Test func `a clock that is turned back does not shorten the time in the trash`() async throws {
    let clock = SettableClock()
    let library = folder.library(now: { clock.now })
    let right = clock.now
    try await library.save(image(1))
    try await library.save(image(2))
    clock.now = Date(timeIntervalSince1970: 100)
    #expect(try await library.remove([image(1)]) == 1)
    #expect(library.trashed.allSatisfy { $0.removedAt >= right })
    // By a clock that cannot be right nothing is deleted.
    #expect(try await library.emptyTrash() == 0)
    // With no favorite left to know better, the trash does.
    #expect(try await library.remove([image(2)]) == 1)
    #expect(library.trashed.allSatisfy { $0.removedAt >= right })
    clock.now = right + 29 * 86_400
    #expect(try await library.emptyTrash() == 0)
    clock.now = right + 31 * 86_400
    try await library.noteSeen(image(3))
    clock.now += 86_400
    #expect(try await library.emptyTrash() == 2)
  }

  @Test func `entries with an implausible date are redated, and deleted 30 days later`()
    async throws
  {
    let clock = SettableClock()
    let library = folder.library(now: { clock.now })
    let right = clock.now
    clock.now = Date(timeIntervalSince1970: 100)
    try await library.save(image(1))
    try await library.remove([image(1)])
    clock.now = right
    #expect(try await library.emptyTrash() == 0)
    #expect(library.trashed.map(\.removedAt) == [right])
    clock.now = right + 31 * 86_400
    try await library.noteSeen(image(3))
    clock.now += 86_400
    #expect(try await library.emptyTrash() == 1)
  }

  @Test
  func `fault 93: a clock that was once years ahead deletes and misdates nothing`() async throws {
    let clock = SettableClock()
    let library = folder.library(now: { clock.now })
    let right = clock.now
    try await library.save(image(1))
    try await library.noteSeen(image(1))
    try await library.remove([image(1)])
    clock.now = right + 70 * 365 * 86_400
    // As a session of an hour does, twice.
    for number in 2...3 {
      #expect(try await library.emptyTrash() == 0)
      try await library.save(image(number))
      try await library.noteSeen(image(number))
      clock.now += 3_600
    }
    try await library.remove([image(2)])
    clock.now = right + 60
    #expect(try await library.emptyTrash() == 0)
    try await library.save(image(4))
    try await library.remove([image(4)])
    try await library.save(image(5))
    #expect(library.favorites[image(5).id]?.savedAt == clock.now)
    #expect(library.trash[image(4).id]?.removedAt == clock.now)
    // In the order of saving, whatever their dates.
    let shown = FavoritesOrder.newest.sorted(library.favorites.items, now: clock.now)
    #expect(shown.map(\.url.lastPathComponent) == ["5", "3"])
    clock.now = right + 31 * 86_400
    try await library.noteSeen(image(6))
    clock.now += 86_400
    // Entries removed by that clock stay: their time is unknown.
    #expect(try await library.emptyTrash() == 2)
    #expect(library.trashed.map(\.image.id) == [image(2).id])
  }

  @Test func `saving again restores caption and tags from the trash`() async throws {
    let library = folder.library()
    var onCard = image(1)
    onCard.caption = "Old"
    onCard.tags = ["old"]
    try await library.save(onCard)
    try await library.setCaption(nil, of: [onCard])
    try await library.setTags(["new"], of: [onCard])
    try await library.remove([onCard])
    try await library.save(onCard)
    #expect(library.favorites.items.map(\.caption) == [nil])
    #expect(library.favorites.items.map(\.tags) == [["new"]])
  }

  @Test func `a picture that was a favorite before gets its caption and tags back`() async throws {
    let library = folder.library()
    try await library.save(image(1))
    try await library.setCaption("Mine", of: [image(1)])
    try await library.setTags(["a", "b"], of: [image(1)])
    try await library.remove([image(1)])
    try await library.save(image(1))
    #expect(library.favorites.items.map(\.caption) == ["Mine"])
    #expect(library.favorites.items.map(\.tags) == [["a", "b"]])
    #expect(library.trashed.isEmpty)
  }

  @Test func `a restored favorite is placed by the time it was saved`() async throws {
    let library = folder.library(now: { Date(timeIntervalSince1970: 1_000) })
    for number in 1...3 { try await library.save(image(number)) }
    try await library.remove([image(2)])
    #expect(try await library.undo() != nil)
    // The clock stands still, and each is newer than the one before.
    let order = library.favorites.items.sorted { $0.savedAt! < $1.savedAt! }
    #expect(order.map(\.url.lastPathComponent) == ["1", "2", "3"])
  }
}
