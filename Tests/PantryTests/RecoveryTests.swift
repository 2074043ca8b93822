import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

/// Damaged files: what can be read is recovered, and nothing is deleted.
@MainActor
@Suite struct RecoveryTests {
  /// A day in November 2026.
  nonisolated static let date = Date(timeIntervalSince1970: 1_795_366_172)

  /// What has happened to the file.
  enum Damage: CaseIterable {
    case html, firstHalf, header, firstPage, leaf, leafHeader, end

    func apply(to data: inout Data) {
      func fill(_ range: Range<Int>, _ byte: UInt8 = 0xEE) {
        data.replaceSubrange(range, with: Data(repeating: byte, count: range.count))
      }
      switch self {
      case .html: data = Data("<!DOCTYPE html><title>Sign in</title>".utf8)
      case .firstHalf: data = data.prefix(data.count / 2)
      case .header: fill(0..<100)
      case .firstPage: fill(0..<8_192)
      case .leaf, .leafHeader:
        // The page with the first rows.
        let page = Self.page(of: "\"photo-8\"", in: data)
        fill(page..<page + (self == .leaf ? 8_192 : 16))
      case .end: data = data.prefix(data.count - 100)
      }
    }

    /// The place of the first page that has a text.
    static func page(of text: String, in data: Data) -> Int {
      (data.firstRange(of: Data(text.utf8))?.lowerBound ?? 0) / 8_192 * 8_192
    }
  }

  @Test func `fault 42: writing to a row that only an index has reports damage, not success`()
    async throws
  {
    let directory = TemporaryDirectory()
    try await directory.engine().commit(
      ["a", "b"].map { .write(Data("{}".utf8), key: CacheKey(verbatim: $0)) })
    try await directory.leaveLog()
    // Without its index in the schema, a table is changed alone.
    let unique = "UNIQUE (namespace, key)"
    let name = "name LIKE 'sqlite_autoindex_item_%'"
    try directory.database().execute(
      """
      CREATE TABLE schema_before AS
      SELECT rowid AS number, * FROM sqlite_schema WHERE \(name);
      PRAGMA writable_schema = ON;
      DELETE FROM sqlite_schema WHERE \(name);
      UPDATE sqlite_schema SET sql = replace(sql, '\(unique)', 'CHECK (1)') WHERE name = 'item';
      """)
    try directory.database().execute(
      """
      DELETE FROM item WHERE key = 'a';
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, 'CHECK (1)', '\(unique)') WHERE name = 'item';
      INSERT INTO sqlite_schema (rowid, type, name, tbl_name, rootpage, sql)
      SELECT * FROM schema_before;
      """)
    try directory.database().execute("DROP TABLE schema_before")
    let engine = directory.deferredEngine("Note")
    await #expect {
      _ = try await engine.allKeys()
    } throws: {
      SQLiteStorageEngine.reportsDamage($0)
    }
    let key = CacheKey(verbatim: "a")
    for change in [StorageChange.write(Data("[]".utf8), key: key), .remove(key: key)] {
      await #expect {
        try await engine.commit([change])
      } throws: {
        SQLiteStorageEngine.reportsDamage($0)
      }
    }
  }

  @Test(arguments: Damage.allCases)
  func `fault 42: readable rows of a damaged file are recovered, and the file is kept`(
    _ damage: Damage
  ) async throws {
    let file = try await FileToDamage()
    try await file.close()
    let directory = file.directory
    try directory.damage { damage.apply(to: &$0) }
    let engine = directory.deferredEngine()
    var failure: (any Error)?
    do { _ = try await engine.readAllDataAndKeys() } catch { failure = error }
    if let failure { #expect(SQLiteStorageEngine.reportsDamage(failure), "\(failure)") }
    // Opening it may have changed its journal mode.
    let original = try Data(contentsOf: directory.file)
    let report = try #require(try await engine.recover(at: Self.date))

    #expect(report.cause == .damaged)
    #expect(report.originalPath == file.path + ".corrupt-20261122-164932")
    #expect(try Data(contentsOf: URL(filePath: report.originalPath)) == original)
    let keys = try await directory.soundKeys()
    #expect(report.counts["Photo"]?.recovered ?? 0 == keys.count)
    #expect(file.removed.isDisjoint(with: keys), "no removed photo is back")
    switch damage {
    case .html: #expect(keys.isEmpty)
    // The rows may all be in the other half.
    case .firstHalf: #expect(Set(keys).isSubset(of: file.photos.keys))
    case .leaf:
      #expect(!keys.isEmpty)
      #expect(keys.count + (report.counts["Photo"]?.lost ?? 0) == file.photos.count)
    case .header, .firstPage, .leafHeader, .end: #expect(Set(keys) == Set(file.photos.keys))
    }
    // The bytes are those of before, or an error says that they are lost.
    var lost = 0
    for photo in try await Store<Photo>(storage: directory.engine("Photo")).items {
      do {
        #expect(try await photo.picture.data() == file.photos[photo.id])
      } catch StorageError.attachmentDamaged {
        lost += 1
      }
    }
    #expect(lost <= report.missingAttachments)
    if damage != .firstHalf, damage != .leaf { #expect(lost <= (damage == .end ? 1 : 0)) }
    // The next one finds nothing to do.
    #expect(try await engine.recover(at: Self.date) == nil)
    #expect(try directory.names.filter { $0.contains(".corrupt-") }.count == 1)
  }

  @Test func `fault 42: rows on a page with a damaged count, pointer or kind are still found`()
    async throws
  {
    let file = try await FileToDamage(60, pictures: 300)
    try await file.close()
    for (byte, bit) in [
      (0, 3), (1, 0), (2, 5), (3, 0), (4, 0), (4, 1), (4, 3), (5, 2), (6, 3), (7, 2), (8, 0),
      (8, 4),
      (9, 0), (9, 7), (20, 2), (20, 6),
    ] {
      let copy = try file.copied()
      try copy.damage { data in
        // The root may have what was on it before it became an interior page.
        let page = stride(from: 0, to: data.count, by: 8_192).first {
          data[$0] == 13 && data[$0..<$0 + 8_192].firstRange(of: Data("\"photo-8\"".utf8)) != nil
        }
        data[(page ?? 0) + byte] ^= 1 << UInt8(bit)
      }
      let report = try await copy.deferredEngine().recover()
      let words = Comment(rawValue: "byte \(byte), bit \(bit): \(report?.counts ?? [:])")
      #expect(Set(try await copy.soundKeys()) == Set(file.photos.keys), words)
      #expect(report?.counts["Photo"]?.lost ?? 0 == 0, words)
    }
  }

  @Test(arguments: ["index", "row", "row, with a backup"])
  func `fault 42: a row with a damaged name in it or in the index is one row, and not lost`(
    _ place: String
  ) async throws {
    let file = try await FileToDamage(60, pictures: 300)
    if place.hasSuffix("backup") {
      try await file.directory.deferredEngine().backUpRows(at: Self.date)
    }
    try await file.close()
    try file.directory.damage { data in
      // In a row the name is before the item; in an index, before the number of the row.
      let name = Data("photo-8".utf8)
      var rest = data[...]
      while let found = rest.firstRange(of: name) {
        rest = data[found.upperBound...]
        let isRow = rest.starts(with: Data("{\"".utf8))
        let isIndex = !isRow && !rest.starts(with: Data("\"".utf8))
        if place == "index" ? isIndex : isRow { data[found.lowerBound] ^= 1 }
      }
    }
    let report = try #require(try await file.directory.deferredEngine().recover())
    #expect(report.counts["Photo"]?.lost == 0)
    #expect(report.counts["Photo"]?.fromBackup == 0)
    let keys = try await file.directory.soundKeys()
    #expect(keys.count == file.photos.count)
    #expect(keys.contains("photo-8") == (place != "row"), "\(keys)")
  }

  @Test(arguments: [false, true])
  func `a row with a hole in its text comes from a backup, or is an issue`(
    _ hasBackup: Bool
  ) async throws {
    let file = try await FileToDamage(60, pictures: 300)
    if hasBackup { try await file.directory.deferredEngine().backUpRows(at: Self.date) }
    try await file.close()
    try file.directory.damage { data in
      let beginning = Data("photo-8{\"".utf8)
      while let found = data.firstRange(of: beginning) {
        data.replaceSubrange(found.upperBound - 1..<found.upperBound + 7, with: Data(count: 8))
      }
      // Not a whole number of pages.
      data.append(Data(count: 10))
    }
    let report = try #require(try await file.directory.deferredEngine().recover())
    #expect(report.counts["Photo"]?.fromBackup == (hasBackup ? 1 : 0))
    #expect(try await Set(file.directory.soundKeys()) == Set(file.photos.keys))
    let store = try await Store<Photo>(storage: file.directory.engine("Photo"))
    #expect(store.loadIssues.map(\.key.rawValue) == (hasBackup ? [] : ["photo-8"]))
    if hasBackup {
      let photo = try #require(store.items.first { $0.id == "photo-8" })
      #expect(try await photo.picture.data() == file.photos["photo-8"])
    }
  }

  @Test func `a store that is open shows the recovered items, and goes on`() async throws {
    let file = try await FileToDamage()
    try await file.close()
    try file.directory.damage { Damage.header.apply(to: &$0) }
    let engine = file.directory.deferredEngine()
    let store = Store<Photo>.loadingInBackground(storage: engine)
    await #expect(throws: SQLiteError.self) { try await store.itemsHaveLoaded() }
    try await engine.recover()
    try await store.itemsHaveLoaded()
    #expect(store.items.count == file.photos.count)
    try await store.add(Photo(id: "new", picture: Attachment(Data("new".utf8))))
    #expect(try await file.directory.soundKeys().last == "new")
  }

  @Test func `two engines that recover at the same time recover once`() async throws {
    let file = try await FileToDamage()
    try await file.close()
    try file.directory.damage { Damage.firstPage.apply(to: &$0) }
    let location = file.location
    let reports = try await withThrowingTaskGroup(of: RecoveryReport?.self) { group in
      for _ in 0..<3 {
        group.addTask {
          try SQLiteRecovery(location, firstName: "Photo").run(at: Self.date)
        }
      }
      var reports: [RecoveryReport?] = []
      for try await report in group { reports.append(report) }
      return reports
    }
    #expect(reports.count { $0 != nil } == 1)
    #expect(try await file.directory.soundKeys().count == file.photos.count)
  }

  @Test func `rows of a cleared table are not recovered from pages that still have them`()
    async throws
  {
    let file = try await FileToDamage()
    do {
      let store = try await Store<Photo>(storage: file.directory.engine("Photo"))
      try await store.removeAll()
      try await store.add(Photo(id: "last", picture: Attachment(Data("last".utf8))))
    }
    try await file.close()
    // Without the schema all pages are searched; the header still tells which are free.
    try file.directory.damage { data in
      data.replaceSubrange(100..<8_192, with: Data(repeating: 0xEE, count: 8_092))
    }
    try await file.directory.deferredEngine().recover()
    #expect(try await file.directory.soundKeys() == ["last"])
  }

  @Test func `rows whose bytes were lost can be changed, removed and given their bytes again`()
    async throws
  {
    let file = try await FileToDamage()
    try await file.close()
    let lost = try #require(file.photos["photo-8"])
    try file.directory.damage { data in
      let place = data.firstRange(of: lost.suffix(2_000))?.lowerBound ?? 0
      data[place + 100] ^= 1
      // Not a whole number of pages.
      data.append(Data(count: 10))
    }
    let report = try await file.directory.deferredEngine().recover()
    #expect(report?.missingAttachments == 1)
    let store = try await Store<Photo>(storage: file.directory.engine("Photo"))
    let photo = try #require(store.items.first { $0.id == "photo-8" })
    await #expect(throws: StorageError.attachmentDamaged(photo.picture.digest)) {
      try await photo.picture.data()
    }
    try await store.add(photo)
    try await store.remove(photo)
    let again = Attachment(lost)
    try await store.add(Photo(id: "photo-8", picture: again))
    #expect(try await again.data() == lost)
    #expect(try await file.directory.soundKeys().last == "photo-8")
  }

  // MARK: Not damaged

  @Test func `a sound file is not recovered, nor one of another program or a newer version`()
    async throws
  {
    let file = try await FileToDamage()
    try await file.close()
    let engine = file.directory.deferredEngine()
    #expect(try await engine.recover() == nil)
    for sql in [
      "CREATE TABLE theirs (x); PRAGMA application_id = 77", "PRAGMA user_version = 99",
    ] {
      let copy = try file.copied()
      try copy.database().execute(sql)
      try await copy.leaveLog()
      let before = try Data(contentsOf: copy.file)
      let error = await #expect(throws: StorageError.self) {
        try await copy.deferredEngine().recover()
      }
      #expect(error.map { SQLiteStorageEngine.reportsDamage($0) } == false)
      #expect(try Data(contentsOf: copy.file) == before)
    }
  }
}
