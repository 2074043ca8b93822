import Foundation
import PandaTestSupport
import Testing

@testable import PandaCore
@testable import Pantry

/// Filters with names, which belong to the library.
@MainActor
@Suite struct LibraryCollectionsTests {
  private let fixture = ExchangeFixture()
  private let snow = SavedFilter(name: "In the snow", filter: "#snow")

  private func names(_ library: ImageLibrary) async throws -> [String] {
    try await library.collectionsHaveBeenRead()
    return library.collections.map { "\($0.name): \($0.filter)" }
  }

  @Test func `collections are in the file, by name, and a name has one filter`() async throws {
    let library = fixture.library()
    for (name, filter) in [("snow", "1"), ("Asleep", "2"), ("trees", "3")] {
      #expect(try await library.keep(SavedFilter(name: name, filter: filter)))
    }
    #expect(try await library.keep(SavedFilter(name: "Snow", filter: "1")))
    #expect(!(try await library.keep(SavedFilter(name: "SNOW", filter: "4"))))
    await library.close()
    #expect(try await names(fixture.library()) == ["Asleep: 2", "snow: 1", "trees: 3"])
  }

  @Test func `collections of an earlier version are copied, but never over others nor again`()
    async throws
  {
    var former = [snow, SavedFilter(name: "Trees", filter: "#trees")]
    func library() -> ImageLibrary {
      let library = fixture.library()
      library.formerCollections = { former }
      return library
    }
    try await fixture.library().keep(SavedFilter(name: "trees", filter: "oak"))
    let first = library()
    #expect(try await names(first) == ["In the snow: #snow", "trees: oak"])
    for collection in first.collections { try await first.delete(collection) }
    // The older version made one more.
    former.append(SavedFilter(name: "Zoo", filter: "zoo"))
    #expect(try await names(library()) == ["Zoo: zoo"])
    #expect(try await names(library()) == ["Zoo: zoo"])
  }

  @Test func `an export has the collections, and an import adds them beside others`() async throws {
    let library = try await fixture.library([.sample(1), .sample(2)])
    let path = fixture.path("export")
    try await library.keep(snow)
    try await library.keep(SavedFilter(name: "Trees", filter: "#trees"))
    try await library.keep(SavedFilter(name: "Gone", filter: "gone"))
    try await library.delete(SavedFilter(name: "Gone", filter: "gone"))
    _ = try await library.export(to: ExportTarget(path: path))
    let other = fixture.library("other")
    try await other.keep(SavedFilter(name: "in the snow", filter: "winter"))
    let report = try await other.importFavorites(from: path)
    #expect(report == ImportReport(added: 2, known: 0, collections: 2))
    let expected = ["in the snow: winter", "In the snow 2: #snow", "Trees: #trees"]
    #expect(try await names(other) == expected)
    #expect(try await other.importFavorites(from: path) == ImportReport(added: 0, known: 2))
    #expect(try await names(other) == expected)
    // One that was deleted here comes with the next import.
    try await other.delete(SavedFilter(name: "Trees", filter: "#trees"))
    #expect(try await other.importFavorites(from: path).collections == 1)
    #expect(try await names(other) == expected)
  }

  @Test func `an export of some favorites has no collections`() async throws {
    let library = try await fixture.library([.sample(1), .sample(2)])
    try await library.keep(snow)
    _ = try await library.export([.sample(1)], to: .directory(fixture.path("some")))
    #expect(
      try fixture.bytes("some/favorites.ndjson").starts(
        with: Data(#"{"count":1,"format":"panda-favorites","version":1}"#.utf8)))
  }

  @Test func `a backup and a copy have the collections`() async throws {
    let library = try await fixture.library([.sample(1)])
    library.formerCollections = { [snow] }
    try FileManager.default.createDirectory(
      atPath: fixture.path("backup"), withIntermediateDirectories: true)
    _ = try await library.backup(to: fixture.path("backup/favorites.sqlite"))
    #expect(try await names(fixture.library("backup")) == ["In the snow: #snow"])
    let target = fixture.library("copy")
    for expected in [1, 0] {
      let report = try await LibraryCopy(source: library, target: target, progress: { _ in }).run()
      #expect(report.collections == expected)
      #expect(try await names(target) == ["In the snow: #snow"])
    }
  }
}
