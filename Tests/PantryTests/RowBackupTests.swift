import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

/// Backups of the rows beside a file, and what they are for.
@MainActor
@Suite struct RowBackupTests {
  let directory = TemporaryDirectory(inMemory: true)

  func day(_ number: Int) -> Date { RecoveryTests.date + Double(number) * 86_400 }

  func backups() throws -> [String] {
    try directory.names.filter { $0.contains(".backup-") }
  }

  @Test func `a backup is made once a day if something has changed`()
    async throws
  {
    let engine = try directory.engine("Photo")
    #expect(try await engine.backUpRows(at: day(0)) == nil, "there is nothing to copy")
    let store = try await Store<Photo>(storage: engine)
    try await store.add(
      (0..<10).map { Photo(id: "\($0)", picture: Attachment(.noise(50_000, seed: UInt64($0)))) })
    #expect(
      try await engine.backUpRows(at: day(0))?.lastPathComponent
        == "pantry.sqlite.backup-2026-11-22")
    try await store.add(Photo(id: "new", picture: Attachment(.noise(50_000, seed: 20))))
    #expect(try await engine.backUpRows(at: day(0)) == nil, "one a day")
    #expect(try await engine.backUpRows(at: day(1)) != nil)
    #expect(try await engine.backUpRows(at: day(2)) == nil, "nothing has changed")
    try await store.update("1") { $0.picture = Attachment(Data("new".utf8)) }
    #expect(try await engine.backUpRows(at: day(2)) != nil)
    try await store.remove(store.items[0])
    #expect(try await engine.backUpRows(at: day(3)) != nil)
    #expect(
      try backups() == (23...25).map { "pantry.sqlite.backup-2026-11-\($0)" })
    let path = directory.file.path + ".backup-2026-11-23"
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect((attributes[.size] as? Int ?? .max) < 200_000, "no picture is copied")
  }

  @Test func `the backup of the day is replaced while the file grows fast`() async throws {
    let engine = try directory.engine("Photo")
    let store = try await Store<Photo>(storage: engine)
    func add(_ id: String) async throws {
      try await store.add(Photo(id: id, picture: Attachment(Data(id.utf8))))
    }
    try await add("0")
    #expect(try await engine.backUpRows(at: day(0)) != nil)
    try await add("1")
    try await add("2")
    #expect(try await engine.backUpRows(at: day(0)) != nil)
    try await add("3")
    #expect(try await engine.backUpRows(at: day(0)) == nil)
    #expect(try backups().count == 1)
  }

  @Test func `a backup does not wait for a writer, nor a writer for it`() async throws {
    let engine = try directory.engine("Photo")
    let store = try await Store<Photo>(storage: engine)
    try await store.add(Photo(id: "1", picture: Attachment(Data("1".utf8))))
    let writer = try directory.database()
    try writer.execute("BEGIN IMMEDIATE")
    // A backup that took the lock for writing could not be made now.
    #expect(try await engine.backUpRows(at: day(0)) != nil)
    try writer.execute("ROLLBACK")
  }

  @Test(arguments: [2, 99])
  func `fault 83: the first bytes of a database are damage, not an empty file`(
    count: Int
  ) async throws {
    let directory = TemporaryDirectory()
    try FileManager.default.createDirectory(
      at: directory.storage.url, withIntermediateDirectories: true)
    try Data("SQLite format 3\0".utf8 + Data(count: 99)).prefix(count).write(to: directory.file)
    let engine = directory.deferredEngine("Note")
    await #expect(throws: StorageError.self) { try await Store<Note>(storage: engine) }
    let report = try #require(try await engine.recover())
    #expect(FileManager.default.fileExists(atPath: report.originalPath))
    #expect(try await Store<Note>(storage: directory.deferredEngine("Note")).items.isEmpty)
  }

  @Test(arguments: ["", "S"])
  func `fault 72: an emptied file is not opened silently, and its backup is used`(
    rest: String
  ) async throws {
    let pictures = ["a": Data.noise(30_000, seed: 1), "b": Data.noise(300, seed: 2)]
    do {
      let store = try await Store<Photo>(storage: directory.engine("Photo"))
      for (id, bytes) in pictures.sorted(by: { $0.key < $1.key }) {
        try await store.add(Photo(id: id, picture: Attachment(bytes)))
      }
      try await directory.engine("Photo").backUpRows(at: day(0))
    }
    try await directory.leaveLog()
    // An older backup, and one that cannot be read.
    try Data("no backup".utf8).write(
      to: URL(filePath: directory.file.path + ".backup-2026-11-25"))
    try Data(rest.utf8).write(to: directory.file)

    let engine = directory.deferredEngine()
    let error = await #expect(throws: StorageError.self) { try await engine.keyCount() }
    #expect(error.map { SQLiteStorageEngine.reportsDamage($0) } == true)
    let report = try #require(try await engine.recover(at: day(4)))
    #expect(report.cause == .empty)
    #expect(report.backupPath == directory.file.path + ".backup-2026-11-22")
    #expect(report.counts["Photo"]?.fromBackup == 2)
    #expect(report.missingAttachments == 2)
    #expect(try await directory.soundKeys() == ["a", "b"])

    // The bytes come back with the pictures.
    let store = try await Store<Photo>(storage: directory.engine("Photo"))
    for photo in store.items {
      await #expect(throws: StorageError.attachmentDamaged(photo.picture.digest)) {
        try await photo.picture.data()
      }
    }
    try await store.add(Photo(id: "c", picture: Attachment(pictures["a"] ?? Data())))
    #expect(try await store.items[0].picture.data() == pictures["a"])
  }

  @Test func `an empty file without backups is a new one`() async throws {
    try FileManager.default.createDirectory(
      at: directory.storage.url, withIntermediateDirectories: true)
    try Data().write(to: directory.file)
    let engine = directory.deferredEngine()
    #expect(try await engine.keyCount() == 0)
    #expect(try await engine.recover() == nil)
  }

  @Test func `a backup restores rows lost to damage, but not removed ones`() async throws {
    let file = try await FileToDamage(200, pictures: 400)
    try await file.directory.engine("Photo").backUpRows(at: day(0))
    var (gone, left): ([String], [String]) = ([], [])
    do {
      let store = try await Store<Photo>(storage: file.directory.engine("Photo"))
      gone = store.items.prefix(5).map(\.id)
      try await store.remove(Array(store.items.prefix(5)))
      left = store.items.map(\.id)
    }
    try await file.close()
    let copy = try file.copied()
    try copy.damage { data in
      let page = RecoveryTests.Damage.page(of: "\"photo-20\"", in: data)
      data.replaceSubrange(page..<page + 8_192, with: Data(repeating: 0, count: 8_192))
    }
    let report = try #require(try await copy.deferredEngine().recover())
    let count = try #require(report.counts["Photo"])
    #expect(count.lost == 0)
    let keys = try await copy.soundKeys()
    #expect(keys == left, "all are there, in their order")
    #expect(Set(keys).isDisjoint(with: gone))
    // Their bytes are still in the damaged file.
    #expect(report.missingAttachments == 0)
  }

  @Test func `a file without its beginning gets its names from a backup`() async throws {
    let file = try await FileToDamage(30, pictures: 400)
    try await file.directory.engine("Photo").backUpRows(at: day(0))
    try await file.close()
    let copy = try file.copied()
    try copy.damage { data in
      // The schema, the namespaces and their index.
      data.replaceSubrange(0..<4 * 8_192, with: Data(repeating: 0, count: 4 * 8_192))
    }
    let report = try #require(try await copy.deferredEngine().recover())
    #expect(Set(report.counts.keys) == ["Photo", "Trash"])
    #expect(Set(try await copy.soundKeys()) == Set(file.photos.keys))
    #expect(Set(try await copy.soundKeys("Trash")) == file.removed)
  }

  @Test func `without its first page, and without a backup, a file keeps its names`() async throws {
    let file = try await FileToDamage(30, pictures: 400)
    // Stores record their types.
    for name in ["Photo", "Trash"] {
      _ = try await Store<Photo>(storage: file.directory.engine(name))
    }
    try await file.close()
    let copy = try file.copied()
    try copy.damage { $0.replaceSubrange(0..<8_192, with: Data(repeating: 0, count: 8_192)) }
    let report = try #require(try await copy.deferredEngine().recover())
    #expect(Set(report.counts.keys) == ["Photo", "Trash"])
    #expect(Set(try await copy.soundKeys()) == Set(file.photos.keys))
    #expect(Set(try await copy.soundKeys("Trash")) == file.removed)
  }

  @Test func `a namespace whose number is damaged keeps its rows`() async throws {
    let file = try await FileToDamage(30, pictures: 400)
    try await file.close()
    let copy = try file.copied()
    try copy.damage { data in
      // The number of the row is before its header, of a byte for each column and its length.
      let name = data.firstRange(of: Data("Trash".utf8))?.lowerBound ?? 0
      let columns = Int(data[name - 6])
      #expect(columns == 6)
      data[name - 7] = 0
    }
    let report = try #require(try await copy.deferredEngine().recover())
    #expect(Set(report.counts.keys) == ["Photo", "Trash"])
    #expect(Set(try await copy.soundKeys("Trash")) == file.removed)
  }
}
