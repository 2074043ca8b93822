import Foundation
import PandaTestSupport
import Testing

@testable import PandaCore
@testable import Pantry

/// Favorites that several machines share through a real PostgreSQL server.
@MainActor
@Suite(.enabled(if: PostgresCluster.programs != nil, "\(PostgresCluster.advice)"))
struct SharedLibraryTests {
  /// A machine with a user.
  private struct Machine {
    let directory = TemporaryDirectory()
    let address: LibraryAddress
    let author: String

    @MainActor func library() throws -> ImageLibrary {
      try ImageLibrary(
        at: address, author: author,
        in: StorageDirectory(url: directory.url.appending(path: "data")),
        copies: SharedLibraryCopies(
          of: address.fileName,
          directory: StorageDirectory(url: directory.url.appending(path: "rows")),
          pictures: PictureFileCache(
            directory: StorageDirectory(url: directory.url.appending(path: "pictures")))))
    }
  }

  private let cluster: PostgresCluster
  private let database: String

  init() throws {
    cluster = try PostgresCluster.shared.get()
    database = try cluster.createDatabase()
  }

  private func machine(of author: String) throws -> Machine {
    let uri = cluster.uri(database: database, machine: author.filter(\.isLetter))
    return Machine(address: try #require(LibraryAddress(uri)), author: author)
  }

  @Test func `favorites are shared with their author's name, and seen pictures are not`()
    async throws
  {
    let ada = try machine(of: "ada@a").library()
    let bo = try machine(of: "bo@b").library()
    try await bo.favorites.itemsHaveLoaded()
    try await ada.save(image(1))
    try await ada.noteSeen(image(1))
    try await eventually("the favorite of the other") { bo.favorites.items.count == 1 }
    #expect(bo.favorites.items[0].savedBy == "ada@a")
    #expect(try await bo.favorites.items[0].dataRepresentation.data() == picture(1))
    try await bo.seen.itemsHaveLoaded()
    #expect(bo.seen.items.isEmpty)
    try await bo.remove(bo.favorites.items)
    try await ada.trash.itemsHaveLoaded()
    try await eventually("the trash of the other") { ada.trash.items.count == 1 }
    #expect(ada.trash.items[0].removedBy == "bo@b")
  }

  @Test func `collections are shared, and copied`() async throws {
    let ada = try machine(of: "ada@a").library()
    let bo = try machine(of: "bo@b").library()
    let own = ImageLibrary(
      in: StorageDirectory(url: TemporaryDirectory().url.appending(path: "data")))
    try await own.keep(SavedFilter(name: "Snow", filter: "#snow"))
    try await bo.collectionsHaveBeenRead()
    #expect(
      try await LibraryCopy(source: own, target: ada, progress: { _ in }).run().collections == 1)
    try await eventually("the collection of the other") { bo.collections.map(\.name) == ["Snow"] }
    #expect(!(try await bo.keep(SavedFilter(name: "snow", filter: "winter"))))
    try await bo.delete(bo.collections[0])
    try await eventually("the collection is gone") { ada.collections.isEmpty }
  }

  @Test func `undo reverts only the user's own steps, unless others have built on them`()
    async throws
  {
    let ada = try machine(of: "ada@a").library()
    let bo = try machine(of: "bo@b").library()
    try await ada.save(image(1))
    try await ada.save(image(2))
    try await bo.favorites.itemsHaveLoaded()
    #expect(try await bo.undo() == nil)

    // A caption by another on the second: it stays, and the first is taken back.
    try await bo.setCaption("mine", of: [image(2)])
    let kept = try #require(try await ada.undo())
    #expect(kept.count == 0 && kept.kept == 1 && kept.keeper == "bo@b")
    #expect(ada.favorites[image(2).id]?.caption == "mine")
    #expect(try await ada.undo()?.count == 1)
    #expect(ada.favorites.items.map(\.id) == [image(2).id])
    #expect(try await ada.undo() == nil)
    #expect(try await ada.redo()?.count == 1)

    // A caption over another's is not taken back once that one has changed it again.
    try await ada.setCaption("ada's", of: [image(2)])
    try await bo.setCaption("bo's", of: [image(2)])
    #expect(try await ada.undo()?.kept == 1)
    #expect(ada.favorites[image(2).id]?.caption == "bo's")
    #expect(try await bo.undo()?.count == 1)
    try await eventually("the caption before") {
      ada.favorites[image(2).id]?.caption == "ada's"
    }

    // What another has removed is not put back by who had saved it.
    try await bo.remove([image(1)])
    let gone = try #require(try await ada.undo())
    #expect(gone.count == 0 && gone.keeper == "bo@b")

    // Nor by who had removed it before.
    try await ada.remove([image(2)])
    try await bo.trash.itemsHaveLoaded()
    try await eventually("the trash of the other") { bo.trash.contains(identifier: image(2).id) }
    _ = try await bo.restore(bo.trash.items.filter { $0.id == image(2).id })
    try await bo.remove([image(2)])
    let stays = try #require(try await ada.undo())
    #expect(stays.count == 0 && stays.keeper == "bo@b")
    #expect(ada.favorites[image(2).id] == nil)
  }

  @Test func `the first of two concurrent saves wins`() async throws {
    let ada = try machine(of: "ada@a").library()
    let bo = try machine(of: "bo@b").library()
    for library in [ada, bo] { try await library.load() }
    for number in 1...20 {
      async let one = ada.save(image(number))
      async let other = bo.save(image(number))
      let first = try await (one, other)
      #expect(first.0 != first.1, "one of them was first")
      let author = first.0 ? "ada@a" : "bo@b"
      try await eventually("the favorite of who was first") {
        [ada, bo].allSatisfy { $0.favorites[image(number).id]?.savedBy == author }
      }
    }
    // No step of the other one takes it back.
    let count = ada.favorites.items.count { $0.savedBy == "ada@a" }
    while try await ada.undo() != nil {}
    try await eventually("those of the other") { bo.favorites.items.count == 20 - count }
  }

  @Test func `hidden pictures and steps belong to an author, on every machine`() async throws {
    let first = try machine(of: "ada@a").library()
    try await first.hide(image(3))
    let second = try Machine(
      address: try #require(
        LibraryAddress(cluster.uri(database: database, machine: "second"))),
      author: "ada@a"
    ).library()
    #expect(try await second.isHidden(image(3)))
    #expect(try await machine(of: "bo@b").library().isHidden(image(3)) == false)
    #expect(try await second.undo()?.count == 1)
    try await eventually("visible again") { !first.isKnownToBeHidden(image(3)) }
  }

  @Test func `without the server, the newest favorites and their pictures are shown from copies`()
    async throws
  {
    let network = try FaultyNetwork(to: cluster.directory.path(".s.PGSQL.5432"))
    defer { network.stop() }
    let uri = "postgresql://pantry@127.0.0.1:\(network.port)/\(database)"
    let machine = Machine(address: try #require(LibraryAddress(uri)), author: "ada@a")
    var library: ImageLibrary? = try machine.library()
    for number in 1...40 { try await library?.save(image(number)) }
    let newest = try #require(library?.favorites.items.last)
    // As another program would have it, which asks for the picture.
    let reader = try machine.library()
    try await reader.favorites.itemsHaveLoaded()
    #expect(
      try await reader.favorites[newest.id]?.dataRepresentation.data() != nil)
    await library?.close()
    library = nil
    try cluster.sql(
      "DELETE FROM pantry.reference; DELETE FROM pantry.attachment", database: database)
    network.turn(.down)

    let again = try Machine(
      address: machine.address, author: "ada@a"
    ).library()
    await again.close()
    let later = try machine.library()
    try await later.favorites.excerptHasLoaded()
    let excerpt = try #require(later.favorites.excerpt)
    #expect(excerpt.count == 40 && excerpt.items.map(\.id).last == newest.id)
    await #expect(throws: (any Error).self) { try await later.favorites.itemsHaveLoaded() }
    // What is known stays.
    #expect(later.favorites.excerpt?.items.count == excerpt.items.count)
    network.turn(.fair)
    try await later.favorites.itemsHaveLoaded()
    #expect(later.favorites.items.count == 40)
  }

  @Test func `a library is copied to a server and back exactly, in parts if it must`()
    async throws
  {
    let folder = LibraryFolder()
    let local = folder.library()
    for number in 1...30 { try await local.save(image(number)) }
    try await local.setCaption("Sleepy", of: [image(3)])
    try await local.setTags(["snow"], of: [image(4)])
    try await local.remove([image(5), image(6)])
    try await local.hide(image(99))
    let shared = try machine(of: "ada@a").library()
    try await shared.favorites.itemsHaveLoaded()
    // As if an earlier copy had been interrupted.
    try await shared.favorites.add(local.favorites.items[0])
    var report = try await LibraryCopy(source: local, target: shared) { _ in }.run()
    #expect(report == CopyReport(copied: 27, known: 1, trashed: 2))
    report = try await LibraryCopy(source: local, target: shared) { _ in }.run()
    #expect(report == CopyReport(copied: 0, known: 28))

    let back = LibraryFolder().library()
    _ = try await LibraryCopy(source: shared, target: back) { _ in }.run()
    #expect(back.favorites.items == local.favorites.items)
    #expect(back.trash.items == local.trash.items)
    #expect(back.hidden.items == local.hidden.items)
    #expect(back.history.store.items == local.history.store.items)
    for image in back.favorites.items {
      let original = try #require(local.favorites[image.id])
      #expect(
        try await image.dataRepresentation.data() == original.dataRepresentation.data())
    }
    #expect(try await back.undo()?.count == 1)
    await #expect(throws: ExchangeError.self) {
      _ = try await LibraryCopy(source: shared, target: shared) { _ in }.run()
    }
  }
}
