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

  @Test func `changes made with plain SQL are followed`() async throws {
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
    try cluster.sql("UPDATE pantry.item SET key = 'c' WHERE key = 'a'", database: database)
    #expect(try await shown() == ["c=3"])
    // Nor does a transaction that began before make it read everything again and again.
    let idle = try cluster.session(
      "BEGIN; INSERT INTO pantry.namespace (name) VALUES ('idle')", database: database)
    try cluster.sql("TRUNCATE pantry.item", database: database)
    #expect(try await shown() == [])
    #expect(try await reader.catchUp().isEmpty)
    idle.end()
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
    // By the clock; nothing has been written on another day.
    try await other.server.forgetOldRemovals()
    #expect(try cluster.sql("SELECT count(*) FROM pantry.removal", database: database) == "1")
    for days in [1, 40] {
      try cluster.sql(
        "INSERT INTO pantry.client VALUES (gen_random_uuid(), 1, true, now() - interval '\(days) days')",
        database: database)
    }
    try await other.server.forgetOldRemovals()
    #expect(try cluster.sql("SELECT count(*) FROM pantry.client", database: database) == "2")
    #expect(try cluster.sql("SELECT count(*) FROM pantry.removal", database: database) == "0")
    #expect(try await reader.catchUp().isEverything)
    #expect(reader.known.map(\.key.rawValue) == ["b"])
    #expect(try await reader.catchUp().isEmpty)
  }

  @Test(arguments: ["item SET xid", "removal SET xid", "namespace SET forgotten"])
  func `rows of a restored dump are not read again and again`(_ column: String) async throws {
    try await engine().write([(key("a"), Data()), (key("b"), Data())])
    try await engine().remove(key: key("b"))
    // A dump has the numbers of the server that it was made on.
    try cluster.sql(
      """
      ALTER TABLE pantry.item DISABLE TRIGGER USER;
      UPDATE pantry.\(column) = '999999999999';
      ALTER TABLE pantry.item ENABLE TRIGGER USER
      """, database: database)
    let reader = try await LiveReader(try otherEngine())
    #expect(reader.known.map(\.key.rawValue) == ["a"])
    #expect(try await reader.catchUp().isEmpty)
  }

  @Test func `a library of a newer version is refused, and nothing is changed`() async throws {
    try await engine().write(Data(), key: key("a"))
    try cluster.sql("UPDATE pantry.library SET version = 4", database: database)
    let error = await #expect(throws: StorageError.self) {
      try await otherEngine().write(Data(), key: key("b"))
    }
    #expect(error?.description.contains("newer version (schema 4") == true)
    #expect(try cluster.sql("SELECT count(*) FROM pantry.item", database: database) == "1")
  }

  @Test(arguments: [
    "postgresql://me:secret@localhost:1/pandas", "host=127.0.0.1 port=1 password=secret",
    "host=127.0.0.1 secret", "postgresql://me:secret@localhost:secret/pandas",
    "postgresql://me:my@secret@localhost:1/pandas", "postgresql://me:4/secret@localhost:1/pandas",
  ])
  func `no error contains a password`(_ address: String) async throws {
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
      try cluster.sql(
        "SELECT count(*) FROM pantry.attachment WHERE length(data) > 1", database: database)
    }
    #expect(try count() == "1")
    func ageByTwoDays() throws {
      try cluster.sql(
        "UPDATE pantry.attachment SET used = now() - interval '2 days'", database: database)
      for day in 0...1 { try addLaterBytes(daysAgo: day) }
    }
    try await engine.remove(key: key("a"))
    try ageByTwoDays()
    try await engine.sweepAttachments()
    #expect(try count() == "1")
    // Another machine may show it for as long.
    try await engine.remove(key: key("b"))
    try await engine.sweepAttachments()
    #expect(try count() == "1")
    try ageByTwoDays()
    try await engine.sweepAttachments()
    #expect(try count() == "0")
  }

  /// Adds bytes that were stored or released on another day.
  private func addLaterBytes(daysAgo days: Int) throws {
    try cluster.sql(
      """
      INSERT INTO pantry.attachment VALUES ('\\x0\(abs(days))', 'x', now() - interval '\(days) days')
      ON CONFLICT (digest) DO UPDATE SET used = excluded.used
      """, database: database)
  }

  @Test func `fault 93: a clock that is ahead frees no bytes, and bytes of its time are freed`()
    async throws
  {
    let engine = try engine()
    func isThere() throws -> Bool {
      let count = "SELECT count(*) FROM pantry.attachment WHERE length(data) > 1"
      return try cluster.sql(count, database: database) == "1"
    }
    /// Stores bytes that no row and no value refers to in the end.
    func release() async throws {
      let attachments = [Attachment(Data("a picture".utf8))]
      try await engine.commit([.write(Data(), key: key("a"), attachments: attachments)])
      try await engine.commit([.write(Data(), key: key("a"))])
    }
    func date(_ days: Int) throws {
      try cluster.sql(
        """
        UPDATE pantry.attachment SET used = now() + interval '\(days) days' WHERE length(data) > 1
        """, database: database)
    }
    try await release()
    // By the clock, they were released long ago; what was written since says one day at most.
    try date(-9_999)
    try await engine.sweepAttachments()
    #expect(try isThere())
    try addLaterBytes(daysAgo: 0)
    try await engine.sweepAttachments()
    #expect(try isThere())
    // Two days agree.
    try date(-9_999)
    for day in 0...1 { try addLaterBytes(daysAgo: day) }
    try await engine.sweepAttachments()
    #expect(try !isThere())

    // Dated by a clock that was years ahead, they have a day from now on.
    try await release()
    try date(9_999)
    try await engine.sweepAttachments()
    #expect(try isThere())
    let isDatedNow = "SELECT bool_and(used <= now()) FROM pantry.attachment"
    #expect(try cluster.sql(isDatedNow, database: database) == "t")
  }

  @Test func `bytes are kept for a day after their row gets new ones`() async throws {
    let engine = try engine()
    for picture in ["one", "another"] {
      try await engine.commit([
        .write(Data(), key: key("a"), attachments: [Attachment(Data(picture.utf8))])
      ])
      try cluster.sql(
        """
        UPDATE pantry.attachment SET used = now() - interval '2 days'
        WHERE digest IN (SELECT digest FROM pantry.reference)
        """, database: database)
      try await engine.sweepAttachments()
    }
    #expect(try await engine.attachmentData(for: ContentDigest(of: Data("one".utf8))) != nil)
  }

  @Test func `no row refers to bytes that are missing`() async throws {
    let engine = try engine()
    try await engine.write(Data(), key: key("a"))
    let change = NetChange([
      .write(Data(), key: key("b"), attachments: [Attachment(Data("a picture".utf8))])
    ])
    // As on a standby that was promoted without them.
    let error = await #expect(throws: PostgresError.self) {
      try await PostgresCommit([
        .init(namespace: "notes", change: change, basis: .nothing, cursor: nil, follower: nil)
      ]).run(on: engine.server)
    }
    #expect(error?.lacksAttachment == true)
    #expect(try await engine.allKeys() == [key("a")])
  }

  @Test func `two writers of the same row with the same bytes both succeed`() async throws {
    let engine = try engine()
    let picture = Data("a picture".utf8)
    try await engine.commit([
      .write(Data("0".utf8), key: key("first"), attachments: [Attachment(picture)])
    ])
    let other = try PostgresServer.shared(address + " application_name=slow")
    try await other.inTurn { server in
      let number = try await server.namespace("notes")
      let (row, bytes) = (CacheKey(verbatim: "row").digest, Data("row".utf8))
      _ = try await server.run([
        .init("BEGIN"),
        .init(
          "INSERT INTO pantry.item (namespace, digest, key, data) VALUES ($1, $2, $3, $3)",
          .integer(number), .bytes(row), .bytes(bytes)),
        .init(
          """
          INSERT INTO pantry.reference (item, digest) SELECT id, $2 FROM pantry.item WHERE digest = $1
          """, .bytes(row), .bytes(Data(ContentDigest(of: Data("a picture".utf8)).bytes))),
      ])
    }
    async let writing: Void = engine.commit([
      .write(Data("1".utf8), key: key("row"), attachments: [Attachment(picture)])
    ])
    try await eventually("it waits for the other") {
      try cluster.sql(
        "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = "
          + "current_database()", database: database) == "1"
    }
    try await other.inTurn { _ = try await $0.run("COMMIT") }
    try await writing
    #expect(try await engine.read(key: key("row")) == Data("1".utf8))
    #expect(try cluster.sql("SELECT count(*) FROM pantry.reference", database: database) == "2")
  }

  @Test func `a commit succeeds even if it cannot notify followers`() async throws {
    let engine = try engine()
    try await engine.write(Data(), key: key("a"))
    let role = "silent_\(database)"
    try cluster.sql("CREATE ROLE \(role) LOGIN SUPERUSER", database: database)
    try cluster.sql(
      """
      ALTER ROLE \(role) NOSUPERUSER; GRANT ALL ON SCHEMA pantry TO \(role);
      GRANT ALL ON ALL TABLES IN SCHEMA pantry TO \(role);
      REVOKE EXECUTE ON FUNCTION pg_notify(text, text) FROM PUBLIC
      """, database: database)
    let silent = try PostgresStorageEngine(
      cluster.address(database: database, user: role), namespace: "notes")
    let reader = try await LiveReader(engine)
    try await silent.write(Data(), key: key("b"))
    try await silent.write(Data(), key: key("c"))
    // The others find it by looking.
    try await eventually("the notes") {
      try await reader.catchUp()
      return reader.known.map(\.key.rawValue) == ["a", "b", "c"]
    }
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
