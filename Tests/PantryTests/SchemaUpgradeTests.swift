import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

/// Files of version 0.2.0, which wrote schema 5.
@MainActor
@Suite struct SchemaUpgradeTests {
  let directory = TemporaryDirectory()
  private static let place = "default-namespace/notes"
  private static let former = SQLiteSchema.formerVersion

  private func place(in directory: TemporaryDirectory) -> StorageDirectory {
    StorageDirectory(url: directory.url.appending(path: Self.place))
  }

  private func location(in directory: TemporaryDirectory) -> SQLiteLocation {
    SQLiteLocation("pantry.sqlite", in: place(in: directory))
  }

  /// Three notes in `default`, as 0.2.0 wrote them.
  private func copyFormer(to directory: TemporaryDirectory) throws {
    try ReleasedPantry(release: "0.2.0").copy(to: directory)
  }

  private func open() throws -> SQLiteStorageEngine {
    try SQLiteStorageEngine(directory: place(in: directory))
  }

  private func version(in directory: TemporaryDirectory) throws -> Int64? {
    try Database(path: location(in: directory).path).integer("PRAGMA user_version")
  }

  @Test func `a backup of the rows is made first, and without room for it nothing is changed`()
    async throws
  {
    try copyFormer(to: directory)
    let path = SQLiteBackup.path(of: location(in: directory).path, schema: Self.former)
    // It cannot be created.
    try FileManager.default.createDirectory(
      atPath: path + ".partial", withIntermediateDirectories: false)
    #expect(throws: StorageError.self) { try open() }
    #expect(try version(in: directory) == Self.former)
    try FileManager.default.removeItem(atPath: path + ".partial")
    #expect(try await open().keyCount() == 3)
    #expect(try version(in: directory) == SQLiteSchema.version)
    let backup = try Database(path: path)
    #expect(try backup.integer("PRAGMA user_version") == Self.former)
    #expect(try backup.integer("SELECT count(*) FROM item") == 3)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    // A new file equals it.
    let fresh = try SQLiteLocation("new.sqlite", in: directory.storage).open()
    func tables(_ database: Database) throws -> [String] {
      let select = try database.statement(
        """
        SELECT s.type || ' ' || s.name || ' ' || coalesce(group_concat(c.name), '')
        FROM sqlite_schema AS s LEFT JOIN pragma_table_info(s.name) AS c
        WHERE s.name <> 'sqlite_sequence' GROUP BY s.name ORDER BY s.name
        """)
      defer { select.reset() }
      var rows: [String] = []
      while try select.step() { rows.append(select.text(0)) }
      return rows
    }
    #expect(try tables(fresh) == tables(Database(path: location(in: directory).path)))
  }

  @Test func `a write of an open 0.2.0 after the upgrade fails, or is an ordinary row`()
    async throws
  {
    try copyFormer(to: directory)
    // Its connection is from before the upgrade, and its statements are prepared.
    let former = try Database(path: location(in: directory).path)
    let version = "PRAGMA user_version"
    #expect(try former.integer(version) == Self.former)
    let insert = """
      INSERT OR FAIL INTO item (namespace, key, data, createdAt, updatedAt, id)
      VALUES (?1, ?2, ?3, ?4, ?4, ?5)
      """
    let update = "UPDATE OR FAIL item SET data = ?2, updatedAt = ?3 WHERE id = ?1"
    let namespace = try former.integer("SELECT id FROM namespace WHERE name = 'default'") ?? 0
    for sql in [insert, update] { _ = try former.statement(sql) }

    let store = try await Store<Note>(storage: open())
    let before = store.items
    #expect(before.count == 3)
    // Each of its commits begins with this check, and throws `newerSchema` above its own version.
    #expect(try former.integer(version) == SQLiteSchema.version)
    // Its other statements do not look: what they write is read.
    let newest = try former.integer("SELECT max(id) FROM item") ?? 0
    try former.write {
      try former.statement(insert).run(
        .integer(namespace), .text("late"), .text(#"{"id":"late","text":"0.2.0"}"#), .real(1),
        .integer(newest + 1))
      try former.statement(update).run(
        .integer(newest), .text(#"{"id":"\#(before[2].id)","text":"changed"}"#), .real(2))
      try former.statement("INSERT INTO change (namespace, key) VALUES (?1, ?2)")
        .run(.integer(namespace), .text(before[2].id))
      try former.statement("UPDATE namespace SET type = 'Other.Type' WHERE id = ?1")
        .run(.integer(namespace))
    }
    try await eventually("its rows are followed") {
      store.items.map(\.text) == [before[0].text, before[1].text, "changed", "0.2.0"]
    }
    try await store.add(Note(id: "new"))
    let again = try await nextLaunch { try await Store<Note>(storage: open()) }
    #expect(again.items.map(\.id) == before.map(\.id) + ["late", "new"])
    #expect(again.loadIssues.isEmpty)
  }

  @Test func `a process killed at a statement leaves the old file or the new one`()
    async throws
  {
    var ends: Set<Int64> = []
    var hasEnded = false
    for statement in stride(from: 1, through: 200, by: Torture.rounds(5, orTorture: 1)) {
      let copy = TemporaryDirectory(inMemory: true)
      try copyFormer(to: copy)
      let probe = try ProbeProcess(
        "PantryLiveProbe",
        ["upgrade", copy.path(Self.place), SQLiteStorageEngine.defaultNamespace, "\(statement)"])
      let hasSucceeded = await probe.hasSucceeded()
      ends.insert(try version(in: copy) ?? 0)
      let store = try await Store<Note>(
        storage: SQLiteStorageEngine(directory: place(in: copy)))
      #expect(store.items.count == 3 && store.loadIssues.isEmpty)
      if hasSucceeded {
        hasEnded = true
        break
      }
    }
    #expect(hasEnded)
    #expect(ends == [Self.former, SQLiteSchema.version])
  }

  // MARK: Version 0.1.0

  @Test func `files of 0.1.0 are refused, and byte for byte untouched`() async throws {
    let release = ReleasedPantry(release: "0.1.0")
    try release.copy(to: directory)
    let places =
      try ["notes", "notes-last-tags", "last-notes"].map { "default-namespace/\($0)" }
      + release.places(in: "program") + release.places(in: "library")
    for place in places {
      let storage = StorageDirectory(url: directory.url.appending(path: place))
      let path = SQLiteLocation("pantry.sqlite", in: storage).path
      let before = try Data(contentsOf: URL(filePath: path))
      let error = StorageError.olderSchema(path: path)
      #expect(error.description.contains("open it once with version 0.2.0"))
      #expect(!SQLiteStorageEngine.reportsDamage(error))
      #expect(throws: error) { try SQLiteStorageEngine(directory: storage) }
      let engine = SQLiteStorageEngine.deferred(directory: storage)
      await #expect(throws: error) { try await Store<Note>(storage: engine) }
      await #expect(throws: error) { try await engine.recover() }
      await #expect(throws: error) { try await engine.write(Data(), key: CacheKey("a")) }
      #expect(throws: error) { try SQLiteStorageEngine(directory: storage, readOnly: true) }
      #expect(try Data(contentsOf: URL(filePath: path)) == before)
      let names = try FileManager.default.contentsOfDirectory(atPath: storage.path)
      #expect(!names.contains { $0.contains("corrupt") || $0.contains("backup") }, "\(names)")
    }
  }
}
