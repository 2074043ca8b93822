import Foundation
import PandaTestSupport
import Pantry
import PantryTesting
import Testing

@testable import PantryPostgres

/// Roles and servers that may only be read.
@MainActor
@Suite(.enabled(if: PostgresCluster.programs != nil, "\(PostgresCluster.advice)"))
struct PostgresRightsTests {
  private struct Note: Codable, Equatable, Identifiable, Sendable {
    var id: String
    var text = ""
  }

  private func store(_ address: String) async throws -> Store<Note> {
    try await Store(storage: PostgresStorageEngine(address, namespace: "notes"))
  }

  /// Checks that nothing can be changed, and that the message says so.
  private func expectReadOnly(_ store: Store<Note>, because reason: String) async {
    let error = await #expect(throws: PostgresError.self) {
      try await store.add(Note(id: "refused"))
    }
    let words = "\(error?.description ?? "")"
    #expect(error?.kind == .readOnly)
    #expect(words.contains("cannot be changed here") && words.contains(reason), "\(words)")
    for name in ["SQLSTATE", "pantry.", "namespace", "25006", "42501"] {
      #expect(!words.contains(name), "\(words)")
    }
  }

  @Test(arguments: ["a role that may only read", "sessions that are read-only by default"])
  func `fault 96: a read-only library is shown and followed`(_ kind: String) async throws {
    let cluster = try PostgresCluster.shared.get()
    let database = try cluster.createDatabase()
    let writer = try await store(cluster.address(database: database))
    try await writer.add(Note(id: "a", text: "1"))
    let role = "reader_\(database)"
    try cluster.sql("CREATE ROLE \(role) LOGIN", database: database)
    try cluster.sql(
      "GRANT USAGE ON SCHEMA pantry TO \(role); GRANT SELECT ON ALL TABLES IN SCHEMA pantry TO \(role)",
      database: database)
    let isRole = kind == "a role that may only read"
    if !isRole {
      try cluster.sql(
        """
        GRANT ALL ON ALL TABLES IN SCHEMA pantry TO \(role);
        ALTER ROLE \(role) SET default_transaction_read_only = on
        """, database: database)
    }
    let reader = try await store(cluster.address(database: database, user: role))
    #expect(reader.items == writer.items)
    #expect(reader.connection == .connected)
    try await writer.add(Note(id: "b"))
    try await eventually("the note of the other") { reader.items == writer.items }
    await expectReadOnly(reader, because: isRole ? "role can only read" : "set to read only")
    #expect(reader.items == writer.items)
    // Another namespace is empty, and is not made.
    let other = try PostgresStorageEngine(
      cluster.address(database: database, user: role), namespace: "other")
    #expect(try await other.allKeys().isEmpty)
    let empty = try await Store<Note>(storage: other)
    #expect(empty.items.isEmpty)
    #expect(try await empty.transaction { _ in empty.items.isEmpty })
    #expect(try cluster.sql("SELECT count(*) FROM pantry.namespace", database: database) == "1")

    // A right that is granted counts at once.
    try cluster.sql(
      isRole
        ? "GRANT ALL ON ALL TABLES IN SCHEMA pantry TO \(role)"
        : "ALTER ROLE \(role) RESET default_transaction_read_only", database: database)
    try await reader.add(Note(id: "c"))
    try await eventually("the note of the reader") { writer["c"] != nil }
  }

  @Test func `fault 96: a standby is shown and followed, and written once it is promoted`()
    async throws
  {
    let pair = try PostgresPair()
    let writer = try await store(pair.uri(machine: "writer"))
    try await writer.add(Note(id: "a", text: "1"))
    let reader = try await store(pair.standbyURI(machine: "reader"))
    try await eventually("the note") { reader.items == writer.items }
    // A transaction that begins before another one, and ends after it.
    let late = try PostgresServer.shared(pair.uri(machine: "late"))
    try await late.inTurn { server in
      let number = try await server.namespace("notes")
      _ = try await server.run([
        .init("BEGIN"),
        .init(
          "INSERT INTO pantry.item (namespace, digest, key, data) VALUES ($1, $2, $3, $4)",
          .integer(number), .bytes(CacheKey(verbatim: "late").digest), .bytes(Data("late".utf8)),
          .bytes(Data(#"{"id":"late","text":""}"#.utf8))),
      ])
    }
    try await writer.add(Note(id: "early"))
    try await eventually("the earlier end") { reader["early"] != nil }
    try await late.inTurn { _ = try await $0.run("COMMIT") }
    try await eventually("the later end") { reader["late"] != nil }
    try await writer.update("a") { $0.text = "2" }
    try await writer.add(Note(id: "b"))
    try await eventually("the changes") { reader.items == writer.items }
    await expectReadOnly(reader, because: "standby")
    try pair.killFirst()
    try pair.promoteSecond()
    try await eventually("it can be written") {
      (try? await reader.add(Note(id: "c"))) != nil
    }
    #expect(Set(reader.items.map(\.id)) == ["a", "late", "early", "b", "c"])
  }

  @Test func `fault 96: without a library, a role that cannot create one is told why`() async throws
  {
    let cluster = try PostgresCluster.shared.get()
    let database = try cluster.createDatabase()
    let role = "nobody_\(database)"
    try cluster.sql("CREATE ROLE \(role) LOGIN", database: database)
    let error = await #expect(throws: PostgresError.self) {
      try await self.store(cluster.address(database: database, user: role))
    }
    let words = "\(error?.description ?? "")"
    #expect(words.contains("does not have the right"), "\(words)")
    #expect(!words.contains("SQLSTATE") && !words.contains("schema"), "\(words)")
  }

  @Test func `fault 96: no role gains rights by its own functions and operators`() async throws {
    let cluster = try PostgresCluster.shared.get()
    let database = try cluster.createDatabase()
    let mallory = "mallory_\(database)"
    func sql(_ text: String) throws -> String { try cluster.sql(text, database: database) }
    func isSuperuser() throws -> String {
      try sql("SELECT rolsuper FROM pg_roles WHERE rolname = '\(mallory)'")
    }
    let address = cluster.address(database: database)
    let engine = try PostgresStorageEngine(address, namespace: "notes")
    let key = CacheKey(verbatim: "a")
    try await engine.write(Data("1".utf8), key: key)
    _ = try sql("CREATE ROLE \(mallory) LOGIN; GRANT CREATE ON SCHEMA public TO \(mallory)")
    // What the triggers call, and operators for the types that they compare, in front of the
    // system's for those who look there first.
    let trap = """
      BEGIN EXECUTE 'ALTER ROLE \(mallory) SUPERUSER'; RETURN NULL; END
      """
    var traps = [
      "sha256(bytea) RETURNS bytea", "now() RETURNS timestamptz",
      "clock_timestamp() RETURNS timestamptz", "pg_current_xact_id() RETURNS xid8",
      "pg_advisory_xact_lock_shared(int, int) RETURNS void", "pg_notify(text, text) RETURNS void",
      "current_setting(text, boolean) RETURNS text", "bytea_trap(bytea, bytea) RETURNS boolean",
      "bigint_trap(bigint, bigint) RETURNS boolean", "int_trap(int, int) RETURNS boolean",
    ].map { head in
      "CREATE FUNCTION public.\(head) LANGUAGE plpgsql AS $$ "
        + (head.hasSuffix("void") ? trap.replacing("RETURN NULL; ", with: "") : trap) + " $$"
    }
    for (type, name) in [("bytea", "bytea_trap"), ("bigint", "bigint_trap"), ("int", "int_trap")] {
      for sign in ["=", "<>"] {
        traps.append(
          "CREATE OPERATOR public.\(sign) (LEFTARG = \(type), RIGHTARG = \(type), FUNCTION = public.\(name))"
        )
      }
    }
    _ = try sql((["SET ROLE \(mallory)"] + traps).joined(separator: ";"))
    // An administrator's own changes, with the path that the trap needs.
    let path = "SET search_path = public, pg_catalog, pantry"
    for statement in [
      "UPDATE pantry.item SET data = '2'", "UPDATE pantry.item SET key = 'b'",
      "INSERT INTO pantry.item (namespace, key, data, digest) VALUES (1, 'c', '3', '')",
      "DELETE FROM pantry.item WHERE data OPERATOR(pg_catalog.=) '3'", "TRUNCATE pantry.item",
    ] {
      _ = try sql("\(path); \(statement)")
      #expect(try isSuperuser() == "f", "\(statement)")
    }
    // Nor by the sessions of the library, whatever their path.
    _ = try sql("ALTER DATABASE \(database) SET search_path = public, pg_catalog")
    let fresh = try PostgresStorageEngine(address + " application_name=fresh", namespace: "notes")
    try await fresh.write(Data("4".utf8), key: key)
    try await fresh.remove(key: key)
    try await fresh.server.tidy()
    #expect(try isSuperuser() == "f")
  }
}
