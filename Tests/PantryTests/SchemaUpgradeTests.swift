import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

/// Files of version 0.1.0, which wrote schema 2, and of the development versions after it.
@MainActor
@Suite struct SchemaUpgradeTests {
  let directory = TemporaryDirectory()
  var location: SQLiteLocation { SQLiteLocation("pantry.sqlite", in: directory.storage) }
  /// What version 0.1.0 wrote.
  static let second = SQLiteSchema(migrations: [SQLiteSchema.changeLog])

  static let picture = Data.noise(30_000, seed: 1)

  /// Makes a file of schema 2: 40 photos in two namespaces that take turns, each with its picture.
  func makeOldFile() throws {
    let database = try location.open(schema: Self.second)
    // As 0.1.0 wrote, with the triggers.
    try database.configure(.triggers, true)
    try database.execute("INSERT INTO namespace (name) VALUES ('Photo'), ('Trash')")
    for number in 0..<40 {
      let bytes = Self.picture + Data([UInt8(number)])
      let picture = Attachment(bytes)
      let photo = Photo(id: "\(number)", picture: picture)
      let json = """
        {"id":"\(photo.id)","picture":\
        {"sha256":"\(picture.digest.hexadecimal)","byteCount":\(bytes.count)}}
        """
      try database.statement(
        """
        INSERT INTO item (namespace, key, data, createdAt, updatedAt) VALUES (?1, ?2, ?3, 1, 1)
        """
      ).run(.integer(Int64(number % 2 + 1)), .text(photo.id), .text(json))
      let item = database.lastInsertedRow
      try database.statement(
        "INSERT INTO attachment (digest, byteCount, bytes) VALUES (?1, ?2, ?3)"
      ).run(.blob(Data(picture.digest.bytes)), .integer(Int64(bytes.count)), .blob(bytes))
      try database.statement("INSERT INTO reference VALUES (?1, ?2)")
        .run(.integer(item), .integer(Int64(number + 1)))
    }
    try database.execute("DELETE FROM item WHERE key IN ('0', '39', '20')")
  }

  func requireAll(in directory: TemporaryDirectory) async throws {
    let photos = try await Store<Photo>(storage: directory.engine("Photo"))
    let trash = try await Store<Photo>(storage: directory.engine("Trash"))
    #expect(photos.items.map(\.id) == (1..<20).map { "\($0 * 2)" }.filter { $0 != "20" })
    #expect(trash.items.map(\.id) == (0..<19).map { "\($0 * 2 + 1)" })
    for photo in photos.items + trash.items {
      let last = UInt8(photo.id) ?? 0
      #expect(try await photo.picture.data() == Self.picture + Data([last]))
    }
  }

  @Test func `rows of all namespaces keep their order and their pictures`() async throws {
    try makeOldFile()
    try await requireAll(in: directory)
    let database = try directory.database()
    #expect(try database.integer("PRAGMA user_version") == SQLiteSchema.current.version)
    #expect(try database.integer("SELECT count(*) FROM item WHERE id >> 40 <> namespace") == 0)
    #expect(try database.integer("SELECT count(*) FROM item_attachment") == 37)
    #expect(try database.integer("SELECT count(*) FROM unreferenced") == 0)
  }

  @Test func `the backup has the rows and references, and no pictures`() async throws {
    try makeOldFile()
    _ = try await Store<Photo>(storage: directory.engine("Photo"))
    let path = SQLiteBackup.path(of: location.path, schema: 2)
    let backup = try Database(path: path)
    #expect(try backup.integer("PRAGMA user_version") == 2)
    #expect(try backup.integer("PRAGMA application_id") == SQLiteSchema.applicationID)
    #expect(try backup.integer("SELECT count(*) FROM item") == 37)
    #expect(try backup.integer("SELECT count(*) FROM reference") == 37)
    #expect(try backup.integer("SELECT sum(byteCount) FROM attachment") == 37 * 30_001)
    #expect(try backup.integer("SELECT sum(length(bytes)) FROM attachment") == 0)
    #expect(try backup.integer("SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'") == 6)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect((attributes[.size] as? Int ?? .max) < 200_000)
  }

  // MARK: A program of 0.1.0 that still runs

  /// What it does.
  enum FormerOperation: CaseIterable {
    case add, addWithPicture, overwrite, remove, removeAll

    var changes: [StorageChange] {
      func key(_ name: String) -> CacheKey { CacheKey(verbatim: name) }
      let data = Data("{}".utf8)
      return switch self {
      case .add: [.write(data, key: key("new"))]
      case .addWithPicture:
        [.write(data, key: key("new"), attachments: [Attachment(Data("new".utf8))])]
      case .overwrite: [.write(data, key: key("4"))]
      case .remove: [.remove(key: key("4"))]
      case .removeAll: [.removeAll]
      }
    }
  }

  /// Every row of every table.
  private func content() throws -> [String] {
    let database = try directory.database()
    return try [
      "SELECT name || type || lastItem FROM namespace",
      "SELECT id || key || quote(data) || updatedAt FROM item",
      "SELECT item || ' ' || attachment FROM item_attachment",
      "SELECT id || quote(digest) FROM attachment", "SELECT attachment FROM unreferenced",
      "SELECT seq || quote(key) FROM change",
    ].flatMap { sql in
      let select = try database.statement(sql)
      defer { select.reset() }
      var rows = [sql]
      while try select.step() { rows.append(select.text(0)) }
      return rows
    }
  }

  @Test(arguments: FormerOperation.allCases, [false, true])
  func `a running 0.1.0 can read, and each of its transactions fails as a whole`(
    _ operation: FormerOperation, isFollowing: Bool
  ) async throws {
    try makeOldFile()
    let former = try FormerSession(Database(path: location.path), namespace: "Photo")
    // Its statements are prepared, and it can write.
    for changes in [FormerOperation.addWithPicture, .add, .remove].map(\.changes) {
      try former.commit(changes, since: former.newestChange())
    }
    try former.commit([.remove(key: CacheKey(verbatim: "new"))], since: nil)
    let keys = try former.keys()
    let change = try former.newestChange()

    let photos = try await Store<Photo>(storage: directory.engine("Photo"))
    #expect(photos.items.map(\.id) == keys)
    for _ in 0..<2 {
      let before = try content()
      #expect(throws: SQLiteError.self) {
        try former.commit(operation.changes, since: isFollowing ? change : nil)
      }
      #expect(try content() == before)
      #expect(try former.keys() == photos.items.map(\.id))
      // What 0.1.0 has not seen, it cannot remove.
      try await photos.add(Photo(id: "later", picture: Attachment(Data("later".utf8))))
    }
    let check = try directory.database().statement("PRAGMA integrity_check")
    #expect(try check.step() && check.text(0) == "ok")
    #expect(try await Store<Photo>(storage: directory.engine("Photo")).items == photos.items)
  }

  @Test func `a process killed at a statement leaves the old file or the new one`()
    async throws
  {
    try makeOldFile()
    try await directory.leaveLog()
    var ends: Set<Int64> = []
    var hasEnded = false
    for statement in stride(from: 1, through: 200, by: Torture.rounds(5, orTorture: 1)) {
      let copy = TemporaryDirectory(inMemory: true)
      let place = copy.storage.url
      try FileManager.default.copyItem(at: directory.storage.url, to: place)
      let probe = try ProbeProcess(
        "PantryLiveProbe", ["upgrade", place.path(percentEncoded: false), "Photo", "\(statement)"])
      let hasSucceeded = await probe.hasSucceeded()
      let version = try copy.database().integer("PRAGMA user_version") ?? 0
      ends.insert(version)
      #expect(version == 2 || version == SQLiteSchema.current.version)
      #expect(try copy.database().integer("SELECT count(*) FROM item") == 37)
      try await requireAll(in: copy)
      if hasSucceeded {
        #expect(statement > 40, "it was killed at too few statements")
        hasEnded = true
        break
      }
    }
    #expect(hasEnded)
    #expect(ends == [2, SQLiteSchema.current.version])
  }

  @Test func `a row with an invalid number is refused, and nothing is changed`()
    async throws
  {
    try makeOldFile()
    try location.open(schema: Self.second).execute("UPDATE item SET id = -5 WHERE key = '4'")
    #expect(throws: StorageError.self) { try directory.engine("Photo") }
    let database = try directory.database()
    #expect(try database.integer("PRAGMA user_version") == 2)
    #expect(try database.integer("SELECT count(*) FROM item") == 37)
  }

  @Test func `without room for the backup the file stays unchanged`() async throws {
    try makeOldFile()
    // The directory is not writable.
    let path = SQLiteBackup.path(of: location.path, schema: 2)
    try FileManager.default.createDirectory(
      atPath: path + ".partial", withIntermediateDirectories: false)
    #expect(throws: StorageError.self) { try directory.engine("Photo") }
    #expect(try directory.database().integer("PRAGMA user_version") == 2)
    try FileManager.default.removeItem(atPath: path + ".partial")
    try await requireAll(in: directory)
  }
}
