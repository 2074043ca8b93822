import Foundation
import Glibc
import PandaTestSupport
import Testing

@testable import Pantry

/// Engines that are opened read-only beside others that write.
@MainActor
@Suite struct ReadOnlyTests {
  let directory = TemporaryDirectory()

  private func engine(_ kind: EngineKind, readOnly: Bool = false) throws -> any StorageEngine {
    switch kind {
    case .sqlite:
      try SQLiteStorageEngine(
        directory: directory.storage, namespace: "Note", readOnly: readOnly)
    default: try DiskStorageEngine(directory: directory.storage, readOnly: readOnly)
    }
  }

  private func path(_ kind: EngineKind) -> String {
    directory.path(kind == .sqlite ? "store/pantry.sqlite" : "store")
  }

  /// The content of each file of the directory, without SQLite's index, which records its readers.
  private func content() throws -> [String: Data] {
    let place = directory.storage.url
    let names = try FileManager.default.contentsOfDirectory(atPath: place.path)
    return try Dictionary(
      uniqueKeysWithValues: names.filter { !$0.hasSuffix("-shm") }.map {
        ($0, try Data(contentsOf: place.appending(path: $0)))
      })
  }

  @Test(arguments: EngineKind.live)
  func `existing items are shown, and writes of others are followed`(_ kind: EngineKind)
    async throws
  {
    let writer = try await Store<Note>(storage: engine(kind))
    try await writer.add(Note.numbered(0..<700))
    let reader = try await Store<Note>(storage: engine(kind, readOnly: true))
    #expect(reader.items == writer.items)
    try await writer.remove(writer.items[3])
    try await writer.add(Note(id: writer.items[0].id, text: "changed"))
    try await writer.add(Note(id: "new"))
    try await eventually("the reader follows") { reader.items == writer.items }
    try await writer.removeAll()
    try await eventually("the reader follows") { reader.items.isEmpty }
  }

  @Test(arguments: EngineKind.live)
  func `every call that writes throws, and nothing changes`(_ kind: EngineKind) async throws {
    let writer = try engine(kind)
    let key = CacheKey(verbatim: "a")
    try await writer.write(Data(#"{"id":"a","text":""}"#.utf8), key: key)
    let reader = try engine(kind, readOnly: true)
    let store = try await Store<Note>(storage: reader)
    let before = try content()
    let error = StorageError.readOnly(path: path(kind))
    await #expect(throws: error) { try await reader.write(Data(), key: key) }
    await #expect(throws: error) { try await reader.write([(key: key, data: Data())]) }
    await #expect(throws: error) { try await reader.remove(key: key) }
    await #expect(throws: error) { try await reader.remove(keys: [key]) }
    await #expect(throws: error) { try await reader.removeAllData() }
    await #expect(throws: error) { try await reader.commit([.removeAll]) }
    await #expect(throws: error) { try await store.add(Note(id: "b")) }
    await #expect(throws: error) { try await store.update("a") { $0.text = "new" } }
    await #expect(throws: error) { try await store.removeAll() }
    await #expect(throws: error) { try await store.optimistically(store.removeAll()) }
    #expect(store.items == [Note(id: "a")])
    if let reader = reader as? SQLiteStorageEngine {
      await #expect(throws: error) { try await reader.sweepAttachments() }
      await #expect(throws: error) { try await reader.compact() }
      let other = try await Store<Note>(storage: reader.engine(namespace: "Other"))
      await #expect(throws: error) {
        try await store.transaction(with: other) { t in
          t.remove(Note(id: "a"), from: store)
          t.add(Note(id: "a"), to: other)
        }
      }
    }
    #expect(try content() == before)
    // The others can write.
    try await writer.removeAllData()
    try await eventually("the reader follows") { store.items.isEmpty }
    let after = try content()
    try await reader.close()
    #expect(try content() == after)
  }

  @Test(arguments: EngineKind.live)
  func `a missing storage is not created`(_ kind: EngineKind) throws {
    #expect(throws: StorageError.nothingToRead(path: path(kind))) {
      try engine(kind, readOnly: true)
    }
    #expect(!FileManager.default.fileExists(atPath: directory.path("store")))
    try directory.storage.create()
    if kind == .sqlite {
      #expect(throws: StorageError.nothingToRead(path: path(kind))) {
        try engine(kind, readOnly: true)
      }
    }
    #expect(try content().isEmpty)
  }

  // MARK: SQLite

  @Test func `attachments are read, even those of rows removed meanwhile`() async throws {
    let bytes = Data.noise(50_000, seed: 7)
    let writing = try directory.engine("Photo")
    let writer = try await Store<Photo>(storage: writing)
    try await writer.add(Photo(id: "p", picture: Attachment(bytes)))
    let reader = try await Store<Photo>(storage: directory.readOnlyEngine("Photo"))
    let photo = try #require(reader.items.first)
    #expect(try await photo.picture.data() == bytes)
    try await writer.removeAll()
    // Nothing is swept while another has the file open, if only to read it.
    try await writing.close()
    #expect(try await photo.picture.data() == bytes)
  }

  @Test func `a reader holds the lease of an existing file, and creates none`() async throws {
    let writer = try directory.engine()
    try await writer.write(Data("{}".utf8), key: CacheKey("a"))
    let path = writer.file.location.notifyPath
    let observer = SQLiteNotifyFile(of: writer.file.location)
    #expect(unlink(path) == 0)
    let reader = try directory.readOnlyEngine()
    #expect(try await reader.keyCount() == 1)
    #expect(!FileManager.default.fileExists(atPath: path))
    observer.openIfNeeded()
    #expect(observer.isAlone)
    #expect(try await reader.keyCount() == 1)
    #expect(!observer.isAlone)
  }

  @Test func `a missing namespace is empty, and followed once created`()
    async throws
  {
    _ = try directory.engine("Other")
    let reader = try await Store<Note>(storage: directory.readOnlyEngine())
    #expect(reader.items.isEmpty)
    #expect(try directory.database().integer("SELECT count(*) FROM namespace") == 1)
    let writer = try await Store<Note>(storage: directory.engine())
    try await writer.add(Note.numbered(0..<3))
    try await eventually("the reader follows") { reader.items == Note.numbered(0..<3) }
  }

  @Test func `rows under a former name are shown, and stay there`() async throws {
    try await directory.engine("Former").write(
      Data(#"{"id":"a","text":""}"#.utf8), key: CacheKey(verbatim: "a"))
    let naming = SQLiteNamespace(for: Note.self, formerNames: ["Former"])
    let database = try SQLiteLocation("pantry.sqlite", in: directory.storage, isReadOnly: true)
      .open()
    let session = try SQLiteSession(database, namespace: naming) {}
    #expect(try session.allKeys() == [CacheKey(verbatim: "a")])
    #expect(try database.integer("SELECT count(*) FROM namespace WHERE name = 'Former'") == 1)
  }

  @Test func `a foreign writer is followed, although its lock cannot be detected`() async throws {
    let writer = try await Store<Note>(storage: directory.engine())
    try await writer.add(Note(id: "a"))
    let reader = try await Store<Note>(storage: directory.readOnlyEngine())
    try directory.database().execute("DELETE FROM item")
    try await eventually("the reader follows") { reader.items.isEmpty }
  }

  @Test func `an older file is refused with a remedy, and left unchanged`() throws {
    try ReleasedPantry(release: "0.2.0").copy(to: directory)
    let place = StorageDirectory(url: directory.url.appending(path: "default-namespace/notes"))
    let file = place.url.appending(path: "pantry.sqlite")
    let before = try Data(contentsOf: file)
    let error = #expect(throws: StorageError.self) {
      try SQLiteStorageEngine(directory: place, readOnly: true)
    }
    #expect(error?.description.contains("the older schema 5") == true)
    #expect(error?.description.contains("Open it once where it can be written") == true)
    #expect(try Data(contentsOf: file) == before)
  }

  @Test func `a reader that opens at the first operation is read-only too`() async throws {
    let reader = SQLiteStorageEngine.deferred(
      directory: directory.storage, namespace: "Note", readOnly: true)
    let path = directory.path("store/pantry.sqlite")
    await #expect(throws: StorageError.nothingToRead(path: path)) { try await reader.keyCount() }
    #expect(!FileManager.default.fileExists(atPath: path))
    try await directory.engine().write(Data("a".utf8), key: CacheKey("a"))
    #expect(try await reader.read(key: CacheKey("a")) == Data("a".utf8))
    await #expect(throws: StorageError.readOnly(path: path)) {
      try await reader.write(Data(), key: CacheKey("b"))
    }
  }

  @Test func `a newer file stays refused, and an empty one is not filled`() throws {
    _ = try directory.engine()
    try directory.database().execute("PRAGMA user_version = 99")
    let path = directory.path("store/pantry.sqlite")
    #expect(
      throws: StorageError.newerSchema(
        path: path, version: 99, supported: Int(SQLiteSchema.version))
    ) { try directory.readOnlyEngine() }
    let empty = StorageDirectory(url: directory.url)
    try Data().write(to: directory.url.appending(path: "empty.sqlite"))
    let error = #expect(throws: StorageError.self) {
      try SQLiteStorageEngine(directory: empty, databaseFilename: "empty.sqlite", readOnly: true)
    }
    #expect(error?.description.contains("it is empty") == true)
  }

  @Test func `a log of the replaced file is not removed, and not played back into the new one`()
    async throws
  {
    let writing = try directory.engine()
    // Without a store, which would watch the directory and remove the log immediately.
    for number in 0..<3 { try await writing.write(Data(), key: CacheKey("\(number)")) }
    let engine = try directory.readOnlyEngine()
    #expect(try await engine.keyCount() == 3)
    let path = directory.path("store/pantry.sqlite")
    let other = TemporaryDirectory()
    try await Store<Note>(storage: other.engine()).add(Note(id: "other"))
    try await other.leaveLog()
    let content = try Data(contentsOf: other.storage.url.appending(path: "pantry.sqlite"))
    try content.write(to: URL(filePath: path + "-new"))
    try #require(rename(path + "-new", path) == 0)
    let error = await #expect(throws: StorageError.self) { try await engine.keyCount() }
    #expect(error?.description.contains("belongs to another database") == true)
    #expect(FileManager.default.fileExists(atPath: path + "-wal"))
    // An engine that may write removes it.
    #expect(try await writing.keyCount() == 1)
    #expect(try await engine.keyCount() == 1)
  }

  @Test func `a file opened as immutable is reopened when it has changed`() throws {
    let location = SQLiteLocation("pantry # 1%3f?.sqlite", in: directory.storage)
    do { try location.open().emptyLog() }
    let database = try Database(path: location.path, access: .readingImmutable)
    #expect(database.isReadOnly)
    #expect(try database.integer("PRAGMA user_version") == SQLiteSchema.version)
    // A file that was just written may have changed within the tick of a coarse clock.
    #expect(database.isStale)
    try directory.age(location.path)
    try directory.age(location.logPath)
    let later = try Database(path: location.path, access: .readingImmutable)
    #expect(!later.isStale)
    try Database(path: location.path).execute(
      "INSERT INTO namespace (name) VALUES ('new'); PRAGMA wal_checkpoint(TRUNCATE)")
    #expect(later.isStale)
  }
}
