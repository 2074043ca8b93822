import Foundation
import PandaTestSupport
import Pantry
import PantryPostgres
import Testing

private struct Note: Codable, Equatable, Identifiable, Sendable {
  var id: String
  var text = ""
}

private struct Photo: Codable, Equatable, Identifiable, Sendable {
  var id: String
  var picture: Pantry.Attachment
}

/// Databases that a released version filled open in this one, with nothing lost.
@MainActor
@Suite(.enabled(if: PostgresCluster.programs != nil, "\(PostgresCluster.advice)"))
struct ReleasedServerTests {
  @Test func `the tables of 0.2.0 keep every row and picture, and accept more`() async throws {
    let release = try #require(ReleasedPantry.all.first { $0.release == "0.2.0" })
    let cluster = try PostgresCluster.shared.get()
    let database = try cluster.createDatabase()
    try cluster.sql(try #require(try release.server), database: database)
    let address = cluster.address(database: database)
    let rows = try release.rows("server")

    let notes = try await Store<Note>(
      storage: PostgresStorageEngine(address, namespace: "notes"))
    #expect(notes.loadIssues.isEmpty)
    #expect(
      try notes.items
        == rows["notes"]?.map { try JSONDecoder().decode(Note.self, from: $0.json) })
    #expect(notes.items.map(\.id) == rows["notes"]?.map(\.key))
    #expect(notes.items.count == 4)

    let photos = try await Store<Photo>(
      storage: PostgresStorageEngine(address, namespace: "photos"))
    #expect(photos.items.map(\.id) == ["one", "three"])
    for (photo, number) in zip(photos.items, [1, 3]) {
      #expect(
        try await photo.picture.data()
          == Data((0..<3000).map { UInt8(truncatingIfNeeded: $0 * $0 + number) }))
    }

    try await notes.add(Note(id: "new"))
    let other = try await Store<Note>(
      storage: PostgresStorageEngine(
        address + " application_name=other", namespace: "notes"))
    #expect(other.items == notes.items)
  }
}
