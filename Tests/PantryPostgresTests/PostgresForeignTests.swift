import Foundation
import PandaTestSupport
import Pantry
import PantryTesting
import Testing

@testable import PantryPostgres

/// Changes by programs that do not know Pantry.
@MainActor
@Suite(.enabled(if: PostgresCluster.programs != nil, "\(PostgresCluster.advice)"))
struct PostgresForeignTests {
  private struct Note: Codable, Equatable, Identifiable, Sendable {
    var id: String
    var text = ""
  }

  private func shown(_ reader: LiveReader) -> [String] {
    reader.known.map { "\($0.key.rawValue)=\(String(decoding: $0.data, as: UTF8.self))" }
  }

  @Test func `fault 96: rows written by replication are followed`() async throws {
    let cluster = try PostgresCluster.shared.get()
    let database = try cluster.createDatabase()
    let engine = try PostgresStorageEngine(
      cluster.address(database: database), namespace: "notes")
    let picture = Attachment(Data("a picture".utf8))
    try await engine.commit([
      .write(Data("1".utf8), key: CacheKey(verbatim: "a"), attachments: [picture]),
      .write(Data("2".utf8), key: CacheKey(verbatim: "b")),
    ])
    let reader = try await LiveReader(engine)
    // As the worker of a subscription does it: triggers are off, but for those that are always on.
    try cluster.sql(
      """
      SET session_replication_role = replica;
      INSERT INTO pantry.item (namespace, key, data, digest) VALUES (1, 'c', '3', '');
      UPDATE pantry.item SET data = '4' WHERE key = 'b';
      DELETE FROM pantry.item WHERE key = 'a'
      """, database: database)
    try await eventually("the changes", seen: { self.shown(reader).joined(separator: " ") }) {
      try await reader.catchUp()
      return self.shown(reader) == ["b=4", "c=3"]
    }
    #expect(try cluster.sql("SELECT count(*) FROM pantry.reference", database: database) == "0")
    try cluster.sql(
      "SET session_replication_role = replica; TRUNCATE pantry.item", database: database)
    try await reader.catchUp()
    #expect(shown(reader) == [])
  }

  @Test func `fault 96: a transaction of two phases is followed, and no update writes over it`()
    async throws
  {
    let cluster = try PostgresCluster.shared.get()
    let database = try cluster.createDatabase()
    let store = try await Store<Note>(
      storage: PostgresStorageEngine(cluster.address(database: database), namespace: "notes"))
    try await store.add([Note(id: "a", text: "1"), Note(id: "b", text: "1")])
    try cluster.sql(
      """
      BEGIN;
      UPDATE pantry.item SET data = '{"id":"a","text":"2"}' WHERE key = 'a';
      DELETE FROM pantry.item WHERE key = 'b';
      PREPARE TRANSACTION 'two'
      """, database: database)
    // It waits for the row, and builds on what is there then.
    async let update = store.update("a") { $0.text += "+" }
    try await eventually("the update waits") {
      try cluster.sql(
        "SELECT count(*) FROM pg_stat_activity "
          + "WHERE wait_event_type = 'Lock' AND datname = current_database()", database: database)
        == "1"
    }
    try cluster.sql("COMMIT PREPARED 'two'", database: database)
    #expect(try await update?.text == "2+")
    try await eventually("the changes", seen: { "\(store.items)" }) {
      store.items == [Note(id: "a", text: "2+")]
    }
  }

  @Test func `a namespace belongs to one type, on all machines, and rows of 0.2.0 to any`()
    async throws
  {
    struct Other: Codable, Equatable, Identifiable, Sendable {
      var id: String
      var number: Int
    }
    let cluster = try PostgresCluster.shared.get()
    let database = try cluster.createDatabase()
    let address = cluster.address(database: database)
    let notes = try await Store<Note>(
      storage: PostgresStorageEngine(address, namespace: "notes"))
    try await notes.add(Note(id: "a"))
    let error = await #expect(throws: StorageError.self) {
      try await Store<Other>(
        storage: PostgresStorageEngine(address + " application_name=other", namespace: "notes"))
    }
    guard case .otherType("notes", _, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    try cluster.sql("UPDATE pantry.namespace SET definition = NULL", database: database)
    let other = try await Store<Other>(
      storage: PostgresStorageEngine(address + " application_name=third", namespace: "notes"))
    #expect(other.loadIssues.count == 1)
  }

  @Test func `a client that is closed commits no more, however late its transaction comes`()
    async throws
  {
    let cluster = try PostgresCluster.shared.get()
    let database = try cluster.createDatabase()
    let address = cluster.address(database: database)
    let server = try PostgresServer.shared(address)
    let late = try await server.inTurn { try await $0.ownClient() }
    try cluster.sql("UPDATE pantry.client SET is_open = false", database: database)
    let error = await #expect(throws: PostgresError.self) {
      try await server.inTurn { server in
        _ = try await server.run([.init("BEGIN"), late.next, .init("COMMIT")])
      }
    }
    #expect(error?.isClosedClient == true)
    try await server.inTurn { _ = try await $0.run("ROLLBACK") }
    // A commit that meets it takes another client.
    let engine = try PostgresStorageEngine(address, namespace: "notes")
    try await engine.write(Data(), key: CacheKey(verbatim: "a"))
    #expect(
      try cluster.sql("SELECT seq FROM pantry.client WHERE is_open", database: database) == "1")
  }

  @Test func `a commit that depends on nothing takes one round trip`() async throws {
    let cluster = try PostgresCluster.shared.get()
    let engine = try PostgresStorageEngine(try cluster.newDatabase(), namespace: "notes")
    try await engine.write(Data(), key: CacheKey(verbatim: "0"))
    var counts: [Int] = []
    // Tidying, once a process and some seconds after its begin, takes round trips of its own.
    for batch in 1...3 where counts.last != 10 {
      let before = await engine.server.roundTripCount
      for number in 1...10 {
        try await engine.write(Data(), key: CacheKey(verbatim: "\(batch) \(number)"))
      }
      counts.append(await engine.server.roundTripCount - before)
    }
    #expect(counts.last == 10, "\(counts)")
  }
}
