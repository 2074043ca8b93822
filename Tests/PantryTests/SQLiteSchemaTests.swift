import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

/// Older files and damaged ones: opened, upgraded or refused, and never lost.
@MainActor
@Suite struct SQLiteSchemaTests {
  let directory = TemporaryDirectory()
  let current = SQLiteSchema.version

  var location: SQLiteLocation { SQLiteLocation("pantry.sqlite", in: directory.storage) }

  func fill(_ count: Int = 3) async throws {
    let store = try await Store<Note>(storage: directory.engine())
    try await store.add(Note.numbered(0..<count))
  }

  /// As a newer version would leave the file.
  func makeNewer() throws {
    try directory.database().execute("CREATE TABLE extra (x); PRAGMA user_version = \(current + 2)")
  }

  @Test func `engines that open a new file at the same moment all succeed`() async throws {
    for round in 1...20 {
      let place = StorageDirectory(url: directory.url.appending(path: "\(round)"))
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 1...6 {
          group.addTask {
            let engine = SQLiteStorageEngine.deferred(directory: place, namespace: "\(number)")
            try await engine.write(Data("\(number)".utf8), key: CacheKey("a"))
          }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test func `a process that has the file open stops writing when a newer one upgrades it`()
    async throws
  {
    try await fill(2)
    let store = try await Store<Note>(storage: directory.engine())
    try makeNewer()
    let error = StorageError.newerSchema(
      path: location.path, version: Int(current) + 2, supported: Int(current))
    await #expect(throws: error) { try await store.add(Note(id: "new")) }
    await #expect(throws: error) { try await store.removeAll() }
    #expect(store.items == Note.numbered(0..<2))
    #expect(try directory.database().integer("SELECT count(*) FROM item") == 2)
  }

  @Test func `a newer file is refused with both versions in the error, and untouched`() async throws
  {
    try await fill()
    try makeNewer()
    try await directory.leaveLog()
    let before = try Data(contentsOf: URL(filePath: location.path))
    #expect(
      throws: StorageError.newerSchema(
        path: location.path, version: Int(current) + 2, supported: Int(current))
    ) {
      try directory.engine()
    }
    #expect(try Data(contentsOf: URL(filePath: location.path)) == before)
  }

  @Test(arguments: [0.99, 0.6, 0.3])
  func `a truncated file is an error, is kept, and is never shown as empty`(_ share: Double)
    async throws
  {
    try await fill(3_000)
    try await directory.leaveLog()
    let url = URL(filePath: location.path)
    let whole = try Data(contentsOf: url)
    let cut = whole.prefix(Int(Double(whole.count) * share))
    try cut.write(to: url)
    await #expect(throws: (any Error).self) {
      _ = try await Store<Note>(storage: directory.engine())
    }
    #expect(try Data(contentsOf: url).count >= cut.count)
  }

  @Test func `a file with exactly the tables is opened, whatever its header says`() async throws {
    try await fill()
    for sql in [
      "PRAGMA application_id = 77", "PRAGMA application_id = 0; PRAGMA user_version = 0",
      "PRAGMA user_version = 4", "PRAGMA user_version = -2147483642",
    ] {
      try directory.database().execute(sql)
      try await directory.leaveLog()
      #expect(try await directory.readOnlyEngine().keyCount() == 3, "\(sql)")
      #expect(try await directory.engine().keyCount() == 3, "\(sql)")
      #expect(try directory.database().integer("PRAGMA user_version") == current)
    }
    // What `sqlite3 x .dump | sqlite3 y` leaves out.
    try directory.database().execute("CREATE TABLE extra (x); PRAGMA application_id = 77")
    #expect(throws: StorageError.notAPantryFile(path: location.path)) { try directory.engine() }
  }

  @Test func `triggers that a shell has dropped come back at the next opening`() async throws {
    try await fill()
    let count = "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'"
    let all = try directory.database().integer(count)
    try await directory.leaveLog()
    try directory.database().execute("DROP TRIGGER item_deleted; DROP TRIGGER item_updated")
    #expect(try await directory.readOnlyEngine().keyCount() == 3)
    let store = try await Store<Note>(storage: directory.engine())
    #expect(try directory.database().integer(count) == all)
    try directory.database().execute("DELETE FROM item WHERE key = '\(store.items[1].id)'")
    try await eventually("the store follows") { store.items.map(\.text) == ["n0", "n2"] }
  }

  // MARK: Refusals

  /// Why a file is refused.
  enum Refusal: CaseIterable {
    case foreign, foreignWithLog, newer, firstVersion, damaged, emptyFile
  }

  /// What lies beside it as its write-ahead log.
  enum Log: CaseIterable {
    case none, empty, own, foreign
  }

  /// A copy of a log in use, with frames that no checkpoint has copied.
  private func log(of path: String, pageSize: Int) throws -> Data {
    let database = try Database(path: path)
    try database.configure(.noCheckpointOnClose, true)
    try database.execute(
      """
      PRAGMA page_size = \(pageSize);
      PRAGMA journal_mode = WAL;
      PRAGMA wal_autocheckpoint = 0;
      CREATE TABLE IF NOT EXISTS other (x);
      INSERT INTO other VALUES (zeroblob(50000));
      """)
    return try Data(contentsOf: URL(filePath: path + "-wal"))
  }

  private func make(_ refusal: Refusal, _ log: Log) async throws {
    let path = location.path
    try FileManager.default.createDirectory(
      at: directory.storage.url, withIntermediateDirectories: true)
    switch refusal {
    case .foreign: try Database(path: path).execute("CREATE TABLE other (x)")
    case .foreignWithLog: _ = try self.log(of: path, pageSize: 4_096)
    case .newer:
      try await fill(500)
      try makeNewer()
      try await directory.leaveLog()
    case .firstVersion:
      try ReleasedData(release: "0.1.0", home: "closed").copy(to: directory)
      let file = directory.url.appending(path: "data/panda/favorites.sqlite")
      try FileManager.default.copyItem(at: file, to: URL(filePath: path))
    case .damaged:
      try await fill(500)
      try await directory.leaveLog()
      var bytes = try Data(contentsOf: URL(filePath: path))
      bytes.replaceSubrange(0..<4_000, with: Data(repeating: 0x3C, count: 4_000))
      try bytes.write(to: URL(filePath: path))
    case .emptyFile: try Data().write(to: URL(filePath: path))
    }
    let beside = URL(filePath: path + "-wal")
    switch log {
    case .none: break
    case .empty: try Data().write(to: beside)
    case .own where refusal == .foreignWithLog: break
    case .own:
      let frames = try self.log(of: directory.path("same.sqlite"), pageSize: 8_192)
      try frames.write(to: beside)
    case .foreign:
      try self.log(of: directory.path("else.sqlite"), pageSize: 4_096).write(to: beside)
    }
  }

  @Test(arguments: Refusal.allCases, Log.allCases)
  func `a refused file and its log are unchanged`(
    _ refusal: Refusal, _ log: Log
  ) async throws {
    // An empty file is a new one, unless a log belongs to it.
    if refusal == .emptyFile, log == .none || log == .empty { return }
    // All that the file is, is in its log.
    if refusal == .foreignWithLog, log == .empty { return }
    try await make(refusal, log)
    let files = [URL(filePath: location.path), URL(filePath: location.path + "-wal")]
    func contents() -> [Data] { files.map { (try? Data(contentsOf: $0)) ?? Data() } }
    let before = contents()
    do {
      let engine = SQLiteStorageEngine.deferred(directory: directory.storage, namespace: "Note")
      await #expect(throws: (any Error).self) { try await engine.readAllDataAndKeys() }
      await #expect(throws: (any Error).self) { try await engine.write(Data(), key: CacheKey("a")) }
      await #expect(throws: (any Error).self) {
        _ = try await engine.attachmentData(for: ContentDigest(of: Data()))
      }
      try await engine.close()
    }
    #expect(contents() == before)
  }

  @Test func `the log of another file is not played back into a good one`() async throws {
    try await fill(500)
    try await directory.leaveLog()
    let before = try Data(contentsOf: URL(filePath: location.path))
    let beside = URL(filePath: location.path + "-wal")
    try self.log(of: directory.path("else.sqlite"), pageSize: 4_096).write(to: beside)
    let error = #expect(throws: StorageError.self) { try directory.engine() }
    #expect(error?.description.contains("belongs to another database") == true)
    #expect(try Data(contentsOf: URL(filePath: location.path)) == before)
    try FileManager.default.removeItem(at: beside)
    #expect(try await Store<Note>(storage: directory.engine()).items.count == 500)
  }
}
