import Foundation
import PandaTestSupport
import Pantry
import PantryTesting
import Testing

@testable import PantryPostgres

/// What PostgreSQL adds to the contract: order, other programs, attachments, refusals.
@Suite(.enabled(if: PostgresCluster.programs != nil, "\(PostgresCluster.advice)"))
struct PostgresEngineTests {
  private let cluster: PostgresCluster
  private let address: String

  init() throws {
    cluster = try PostgresCluster.shared.get()
    address = try cluster.newDatabase()
  }

  private var database: String { String(address.split(separator: "=").last ?? "") }

  /// An engine with a connection of its own, as on another machine.
  private func otherEngine(_ namespace: String = "notes") throws -> PostgresStorageEngine {
    try PostgresStorageEngine(address + " application_name=other", namespace: namespace)
  }

  private func engine(_ namespace: String = "notes") throws -> PostgresStorageEngine {
    try PostgresStorageEngine(address, namespace: namespace)
  }

  private func key(_ name: String) -> CacheKey { CacheKey(verbatim: name) }

  @Test func `a transaction that commits after a later one is not missed`() async throws {
    let reader = try await LiveReader(try engine())
    let late = try PostgresServer.shared(address + " application_name=late")
    try await late.inTurn { server in
      let number = try await server.namespace("notes")
      _ = try await server.run([
        .init("BEGIN"),
        .init(
          "INSERT INTO pantry.item (namespace, digest, key, data) VALUES ($1, $2, $3, $3)",
          .integer(number), .bytes(CacheKey(verbatim: "late").digest), .bytes(Data("late".utf8))),
      ])
    }
    try await otherEngine().write(Data("early".utf8), key: key("early"))
    try await reader.catchUp()
    #expect(reader.known.map(\.key.rawValue) == ["early"])
    // Although the other transaction has not ended, nothing is read twice.
    #expect(try await reader.catchUp().isEmpty)
    try await late.inTurn { _ = try await $0.run("COMMIT") }
    try await reader.catchUp()
    // It has the earlier position.
    #expect(reader.known.map(\.key.rawValue) == ["late", "early"])
    #expect(try await reader.catchUp().isEmpty)
  }

  @Test func `what others do by SQL is followed`() async throws {
    try await otherEngine().write(Data("1".utf8), key: key("a"))
    let reader = try await LiveReader(try engine())
    func shown() async throws -> [String] {
      let before = reader.notificationCount
      try await eventually("a notification") { reader.notificationCount > before }
      try await reader.catchUp()
      return reader.known.map { "\($0.key.rawValue)=\(String(decoding: $0.data, as: UTF8.self))" }
    }
    try cluster.sql(
      """
      INSERT INTO pantry.item (namespace, key, data, digest)
      SELECT id, 'b', '2', '' FROM pantry.namespace
      """, database: database)
    #expect(try await shown() == ["a=1", "b=2"])
    try cluster.sql("UPDATE pantry.item SET data = '3' WHERE key = 'a'", database: database)
    #expect(try await shown() == ["a=3", "b=2"])
    try cluster.sql("DELETE FROM pantry.item WHERE key = 'b'", database: database)
    #expect(try await shown() == ["a=3"])
    try cluster.sql("TRUNCATE pantry.item", database: database)
    try await reader.catchUp()
    #expect(reader.known.isEmpty)
  }

  @Test func `a client that was away longer than removals are kept reads everything`()
    async throws
  {
    let other = try otherEngine()
    try await other.write([(key("a"), Data()), (key("b"), Data())])
    let reader = try await LiveReader(try engine())
    try await other.remove(key: key("a"))
    try cluster.sql(
      "UPDATE pantry.removal SET removed = now() - interval '31 days'", database: database)
    try await other.server.forgetOldRemovals()
    #expect(try cluster.sql("SELECT count(*) FROM pantry.removal", database: database) == "0")
    #expect(try await reader.catchUp().isEverything)
    #expect(reader.known.map(\.key.rawValue) == ["b"])
    // Once the transactions of other tests have ended that began before.
    try await eventually("nothing more") { try await reader.catchUp().isEmpty }
  }

  @Test func `rows of a restored dump are not read again and again`() async throws {
    try await engine().write(Data(), key: key("a"))
    // A dump has the numbers of the server that it was made on.
    try cluster.sql(
      """
      ALTER TABLE pantry.item DISABLE TRIGGER USER;
      UPDATE pantry.item SET xid = '999999999999';
      ALTER TABLE pantry.item ENABLE TRIGGER USER
      """, database: database)
    let reader = try await LiveReader(try otherEngine())
    #expect(reader.known.map(\.key.rawValue) == ["a"])
    #expect(try await reader.catchUp().isEmpty)
  }

  @Test func `a library of a newer version is refused, and nothing is changed`() async throws {
    try await engine().write(Data(), key: key("a"))
    try cluster.sql("UPDATE pantry.library SET version = 2", database: database)
    let error = await #expect(throws: StorageError.self) {
      try await otherEngine().write(Data(), key: key("b"))
    }
    #expect(error?.description.contains("newer version (schema 2") == true)
    #expect(try cluster.sql("SELECT count(*) FROM pantry.item", database: database) == "1")
  }

  @Test(arguments: [
    "postgresql://me:secret@localhost:1/pandas", "host=127.0.0.1 port=1 password=secret",
    "host=127.0.0.1 secret", "postgresql://me:secret@localhost:secret/pandas",
    "postgresql://me:my@secret@localhost:1/pandas",
  ])
  func `no error says a password`(_ address: String) async throws {
    do {
      let engine = try PostgresStorageEngine(address, namespace: "notes")
      try await engine.write(Data(), key: key("a"))
      Issue.record("It was written.")
    } catch {
      #expect(!"\(error)".contains("secret"))
      #expect(error is PostgresError)
    }
  }

  @Test func `the first host that answers is used`() async throws {
    let directory = cluster.directory.path("")
    let hosts = "host=\(directory)missing,\(directory) user=pantry dbname=\(database)"
    try await PostgresStorageEngine(hosts, namespace: "notes").write(Data(), key: key("a"))
    #expect(try await engine().allKeys() == [key("a")])
  }

  @Test func `equal bytes are stored once, and freed a day after the last row`() async throws {
    let (engine, other) = (try engine(), try otherEngine())
    let picture = Data("a picture".utf8)
    for name in ["a", "b"] {
      try await engine.commit([
        .write(Data(name.utf8), key: key(name), attachments: [Attachment(picture)])
      ])
    }
    let digest = ContentDigest(of: picture)
    #expect(try await other.attachmentData(for: digest) == picture)
    func count() throws -> String {
      try cluster.sql("SELECT count(*) FROM pantry.attachment", database: database)
    }
    #expect(try count() == "1")
    func ageByTwoDays() throws {
      try cluster.sql(
        "UPDATE pantry.attachment SET used = now() - interval '2 days'", database: database)
    }
    try await engine.remove(key: key("a"))
    try ageByTwoDays()
    try await engine.sweepAttachments()
    #expect(try count() == "1")
    try await engine.remove(key: key("b"))
    try await engine.sweepAttachments()
    #expect(try count() == "0")
  }

  @Test func `bytes that are used again are not freed`() async throws {
    let engine = try engine()
    let attachment = Attachment(Data("a picture".utf8))
    try await engine.commit([.write(Data(), key: key("a"), attachments: [attachment])])
    try await engine.commit([.write(Data(), key: key("a"))])
    try cluster.sql(
      "UPDATE pantry.attachment SET used = now() - interval '2 days'", database: database)
    try await engine.commit([.write(Data(), key: key("b"), attachments: [attachment])])
    try await engine.sweepAttachments()
    #expect(try await engine.attachmentData(for: attachment.digest) != nil)
  }
}
