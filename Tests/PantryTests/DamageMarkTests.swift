import Foundation
import PandaTestSupport
import SystemSupport
import Testing

@testable import Pantry

/// Damage that is found outside loading, and headers with wrong values.
@MainActor
@Suite struct DamageMarkTests {
  private func mark(_ directory: TemporaryDirectory) -> Bool {
    FileManager.default.fileExists(atPath: directory.file.path + ".damaged")
  }

  /// A file in which a picture of many pages is damaged.
  private func fileWithDamagedPicture() async throws -> FileToDamage {
    let file = try await FileToDamage(20, pictures: 30_000)
    try await file.close()
    let bytes = try #require(file.photos["photo-8"])
    try file.directory.damage { data in
      let place = data.firstRange(of: bytes.dropFirst(12_000).prefix(100))?.lowerBound ?? 0
      let page = place / 8_192 * 8_192
      data.replaceSubrange(page..<page + 4, with: [0x7F, 0xFF, 0xFF, 0xFF])
    }
    return file
  }

  enum Meeting: CaseIterable {
    case picture, rowBackup, backup, compaction, check
  }

  @Test(arguments: Meeting.allCases)
  func `fault 85: damage found outside loading is recovered at the next start`(
    _ meeting: Meeting
  ) async throws {
    let file = try await fileWithDamagedPicture()
    let directory = file.directory
    do {
      let engine = directory.deferredEngine()
      let store = try await Store<Photo>(storage: engine)
      #expect(store.items.count == file.photos.count)
      switch meeting {
      case .picture:
        let photo = try #require(store.items.first { $0.id == "photo-8" })
        await #expect(throws: (any Error).self) { try await photo.picture.data() }
      case .rowBackup:
        await #expect(throws: StorageError.self) { try await engine.backUpRows() }
      case .backup:
        let copy = directory.url.appending(path: "copy.sqlite")
        await #expect(throws: StorageError.self) { try await engine.backup(to: copy) }
      case .compaction:
        await #expect(throws: StorageError.self) { try await engine.compact() }
      case .check:
        #expect(try await engine.check().damage != nil)
      }
      #expect(mark(directory))
    }
    // The next start reports it, until it is recovered; also while it is open elsewhere.
    let next = SQLiteFile.next(directory)
    for _ in 0..<2 {
      #expect {
        try next.open()
      } throws: { SQLiteStorageEngine.reportsDamage($0) }
    }
    let report = try await directory.deferredEngine().recover(at: RecoveryTests.date)
    #expect(report?.cause == .damaged)
    #expect(!mark(directory))
    #expect(Set(try await directory.soundKeys()) == Set(file.photos.keys))
  }

  @Test func `fault 85: a picture missing only from the index is back after the next start`()
    async throws
  {
    let file = try await FileToDamage(10, pictures: 300)
    try await file.close()
    let directory = file.directory
    let digest = ContentDigest(of: try #require(file.photos["photo-8"]))
    let database = try directory.database()
    let root = try #require(
      try database.integer(
        "SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_attachment_1'"))
    try directory.damage { data in
      let page = (Int(root) - 1) * 8_192..<Int(root) * 8_192
      let place = data[page].firstRange(of: Data(digest.bytes))?.lowerBound ?? 0
      #expect(page.contains(place))
      data[place + 31] ^= 1
    }
    do {
      let store = try await Store<Photo>(storage: directory.deferredEngine())
      let photo = try #require(store.items.first { $0.id == "photo-8" })
      await #expect(throws: StorageError.self) { try await photo.picture.data() }
      #expect(mark(directory))
    }
    _ = try await directory.deferredEngine().recover(at: RecoveryTests.date)
    let store = try await Store<Photo>(storage: directory.deferredEngine())
    let photo = try #require(store.items.first { $0.id == "photo-8" })
    #expect(try await photo.picture.data() == file.photos["photo-8"])
  }

  @Test func `a mark beside an intact file is removed, and the file opens`() async throws {
    let file = try await FileToDamage(10, pictures: 300)
    try await file.close()
    DamageMark(of: file.path).leave()
    #expect(try await file.directory.deferredEngine().allKeys().count == file.photos.count)
    #expect(!mark(file.directory))
  }

  @Test func `a reader leaves no mark, and obeys one`() async throws {
    let file = try await fileWithDamagedPicture()
    do {
      let store = try await Store<Photo>(storage: file.directory.readOnlyEngine("Photo"))
      let photo = try #require(store.items.first { $0.id == "photo-8" })
      await #expect(throws: (any Error).self) { try await photo.picture.data() }
      #expect(!mark(file.directory))
    }
    DamageMark(of: file.path).leave()
    #expect {
      try SQLiteLocation("pantry.sqlite", in: file.directory.storage, isReadOnly: true).open()
    } throws: { SQLiteStorageEngine.reportsDamage($0) }
  }

  @Test func `after a start the rows are checked in the background`() async throws {
    let file = try await FileToDamage(200, pictures: 300)
    try await file.close()
    try file.directory.damage { data in
      // The beginning of the cells in a page of rows: no count tells.
      let page = RecoveryTests.Damage.page(of: "\"photo-20\"", in: data)
      data[page + 6] ^= 0x40
    }
    let engine = file.directory.deferredEngine()
    #expect(try await engine.allKeys().count == file.photos.count)
    try await eventually("the damage is found") { mark(file.directory) }
    try await eventually("the next call reports it") {
      do {
        _ = try await engine.allKeys()
        return false
      } catch {
        return SQLiteStorageEngine.reportsDamage(error)
      }
    }
  }

  // MARK: Checks

  @Test func `a check counts rows, reads attachments and opens backups`() async throws {
    let file = try await FileToDamage(20, pictures: 3_000)
    // None is open when the log is emptied.
    func check() async throws -> CheckReport { try await file.directory.deferredEngine().check() }
    try await file.directory.deferredEngine().backUpRows(at: RecoveryTests.date)
    var report = try await check()
    #expect(report.isSound)
    #expect(report.rowCounts == ["Photo": file.photos.count, "Trash": file.removed.count])
    #expect(report.attachmentCount == 20)
    #expect(report.backups.map(\.rowCount) == [20])

    try await file.close()
    let bytes = try #require(file.photos["photo-8"])
    try file.directory.damage { data in
      let place = data.firstRange(of: bytes.dropFirst(1_000).prefix(100))?.lowerBound ?? 0
      data[place] ^= 1
    }
    let backup = try #require(report.backups.first)
    try Data("no backup".utf8).write(to: backup.url)
    report = try await check()
    #expect(report.damage == nil)
    #expect(report.lostAttachments == [ContentDigest(of: bytes)])
    #expect(report.backups.map(\.rowCount) == [nil])
    #expect(!report.isSound)
    #expect(report.description.contains("of which 1 are damaged"))
  }

  @Test func `a backup returns the attachments it could not copy, of any namespace`() async throws {
    let file = try await FileToDamage(20, pictures: 3_000)
    let url = file.directory.url.appending(path: "copy.sqlite")
    #expect(try await file.directory.deferredEngine().backup(to: url).isEmpty)
    try await file.close()
    // That of a photo in the trash.
    #expect(file.removed.contains("photo-3"))
    let bytes = Data.noise(3_000 + 3 * 7, seed: 4)
    try file.directory.damage { data in
      let place = data.firstRange(of: bytes.dropFirst(1_000).prefix(100))?.lowerBound ?? 0
      data[place] ^= 1
    }
    let lost = try await file.directory.deferredEngine().backup(to: url)
    #expect(lost == [ContentDigest(of: bytes)])
  }

  @Test func `a check leaves no file beside an intact database that is closed`() async throws {
    let file = try await FileToDamage(10, pictures: 300)
    try await file.close()
    let before = try file.directory.names
    #expect(try await file.directory.deferredEngine().check().isSound)
    // Its connection, and that of the file, may be closed by a thread of their own.
    try await eventually("no other file") { try Set(file.directory.names).isSubset(of: before) }
  }

  @Test func `a check describes a file that is absent, empty or a directory`() async throws {
    let file = try await FileToDamage(10, pictures: 300)
    try await file.directory.deferredEngine().backUpRows(at: RecoveryTests.date)
    try await file.close()
    let copy = try file.copied()
    func check() async throws -> CheckReport { try await copy.deferredEngine().check() }
    for content in ["", "S"] {
      try Data(content.utf8).write(to: copy.file)
      let report = try await check()
      #expect(report.damage == "it is empty, and there are backups of it")
      #expect(report.backups.map(\.rowCount) == [10])
    }
    try FileManager.default.removeItem(at: copy.file)
    await #expect(throws: StorageError.nothingToRead(path: copy.file.path)) { try await check() }
    try FileManager.default.createDirectory(at: copy.file, withIntermediateDirectories: false)
    await #expect(
      throws: StorageError.cannotOpen(
        path: copy.file.path, reason: SystemError(code: EISDIR).description)
    ) { try await check() }

    let empty = TemporaryDirectory()
    try FileManager.default.createDirectory(
      at: empty.storage.url, withIntermediateDirectories: true)
    try Data().write(to: empty.file)
    let report = try await empty.deferredEngine().check()
    #expect(report.isSound && report.rowCounts.isEmpty)
    #expect(try empty.names == ["pantry.sqlite"])
  }
}

extension SQLiteFile {
  /// The file as another process would open it.
  static func next(_ directory: TemporaryDirectory) -> SQLiteLocation {
    SQLiteLocation("pantry.sqlite", in: directory.storage)
  }
}
