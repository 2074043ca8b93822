import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

/// Which backups are kept, whatever the clock says.
@MainActor
@Suite struct DailyBackupTests {
  let directory = TemporaryDirectory(inMemory: true)

  /// Days after 2027-01-01.
  func day(_ number: Int) -> Date {
    Date(timeIntervalSince1970: 1_798_761_600 + 86_400 * Double(number))
  }

  /// The days of the backups beside a file, the newest last.
  func days() -> [String] {
    SQLiteBackups(directory.file.path).daily.map { String($0.suffix(10)) }
  }

  /// Changes something, and makes the backup of the day.
  func live(_ date: Date, _ store: Store<Note>) async throws {
    try await store.add(Note(id: "\(date.timeIntervalSince1970)"))
    #expect(try await directory.engine().backUpRows(at: date) != nil, "\(date)")
  }

  @Test func `the last three daily backups are kept, those of 0.2.0 among them`() async throws {
    let store = try await Store<Note>(storage: directory.engine())
    for number in 0..<6 { try await live(day(number), store) }
    // The names are those of 0.2.0.
    #expect(days() == ["2027-01-04", "2027-01-05", "2027-01-06"])
    // Those of an upgrade count too, if they can be read.
    for schema in [2, 5] {
      try Data().write(to: URL(filePath: "\(directory.file.path).backup-schema-\(schema)"))
    }
    let listed = SQLiteStorageEngine.rowBackups(directory: directory.storage)
    #expect(listed.first?.lastPathComponent == "pantry.sqlite.backup-2027-01-06")
    #expect(listed.last?.lastPathComponent == "pantry.sqlite.backup-schema-5")
    #expect(listed.count == 4)
  }

  @Test(arguments: ["2001-01-01", "2099-01-01"])
  func `fault 93: a wrong clock removes one backup at most, and prevents no later ones`(
    _ wrong: String
  ) async throws {
    let store = try await Store<Note>(storage: directory.engine())
    for number in 0..<4 { try await live(day(number), store) }
    try await live(#require(DayName.date(of: wrong)), store)
    #expect(Set(days()) == ["2027-01-03", "2027-01-04", wrong])
    // Each of the next days has its backup.
    try await live(day(4), store)
    #expect(days() == ["2027-01-03", "2027-01-04", "2027-01-05"])
    // One that jumps each day does not fill the disk.
    for number in 5..<20 {
      try await live(day(number * (number % 2 == 0 ? 1 : 400)), store)
      #expect(days().count == 3)
    }
  }

  // MARK: Damage

  @Test func `fault 84: a damaged file replaces no backup, and says so`() async throws {
    do {
      let store = try await Store<Note>(storage: directory.engine())
      for number in 0..<4 {
        try await store.add(Note.numbered(number * 100..<(number + 1) * 100))
        try await live(day(number), store)
      }
      try await store.add(Note(id: "later"))
    }
    try await directory.leaveLog()
    let before = days()
    try directory.damage { data in
      // One cell less in the first page of rows.
      let page = RecoveryTests.Damage.page(of: "\"text\":\"n150\"", in: data)
      data[page + 4] -= 1
    }
    let error = await #expect(throws: StorageError.self) {
      try await directory.deferredEngine("Note").backUpRows(at: day(5))
    }
    #expect(error.map(SQLiteStorageEngine.reportsDamage) == true)
    let copy = directory.url.appending(path: "copy.sqlite")
    await #expect(throws: StorageError.self) {
      try await directory.deferredEngine("Note").backup(to: copy)
    }
    #expect(!FileManager.default.fileExists(atPath: copy.path))
    #expect(days() == before)
    #expect(try !directory.names.contains { $0.hasSuffix(".partial") })
  }

  @Test func `fault 84: a backup with rows that vanished without a change is kept`() async throws {
    do {
      let store = try await Store<Note>(storage: directory.engine())
      try await store.add(Note.numbered(0..<50))
      try await live(day(0), store)
    }
    try await directory.leaveLog()
    do {
      // As after damage that left the table and its index alike.
      let database = try directory.database()
      try database.configure(.triggers, false)
      try database.execute("DELETE FROM item WHERE key LIKE '%-7'")
    }
    let store = try await Store<Note>(storage: directory.engine())
    for number in 1..<6 { try await live(day(number), store) }
    #expect(days().first == "2027-01-01")
    #expect(days().count <= 4)
  }

  @Test func `a backup with rows that another program removed is replaced`() async throws {
    let store = try await Store<Note>(storage: directory.engine())
    try await store.add(Note.numbered(0..<50))
    for number in 0..<4 { try await live(day(number), store) }
    try await store.remove(Array(store.items.prefix(10)))
    // The triggers log it.
    try directory.database().execute("DELETE FROM item WHERE key LIKE '%-4_'")
    for number in 4..<8 { try await live(day(number), store) }
    #expect(days() == ["2027-01-06", "2027-01-07", "2027-01-08"])
  }
}
