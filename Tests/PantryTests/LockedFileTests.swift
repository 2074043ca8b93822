import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

/// Databases that another program keeps locked when they are opened: fault 79.
@MainActor
@Suite struct LockedFileTests {
  let directory = TemporaryDirectory()

  @Test func `fault 79: once a file is known to be locked, callers do not wait one after another`()
    async throws
  {
    _ = try directory.engine()
    try await directory.leaveLog()
    var lock: Database? = try Database.locking(directory.path("store/pantry.sqlite"))
    let file = SQLiteFile.named("pantry.sqlite", in: directory.storage, patience: 20)
    for waits in [true, false] {
      let error = await #expect(throws: SQLiteError.self) {
        try await directory.engine().keyCount()
      }
      #expect(error?.kind == .busy, "\(waits)")
    }
    // It would wait for a day otherwise.
    let patient = SQLiteLocation("pantry.sqlite", in: directory.storage, patience: 86_400_000)
    #expect(throws: SQLiteError.self) { try patient.open(waits: false) }
    _ = lock
    lock = nil
    let database = try patient.open(waits: false)
    // Later statements wait as usual.
    #expect(database.patience == 86_400_000)
    _ = try await directory.engine().keyCount()
    withExtendedLifetime(file) {}
  }

  @Test(.timeLimit(.minutes(15))) func `fault 79: the end of a program does not wait for a lock`()
    async throws
  {
    _ = try directory.engine()
    try await directory.leaveLog()
    let lock = try Database.locking(directory.path("store/pantry.sqlite"))
    let file = SQLiteFile.named("pantry.sqlite", in: directory.storage, patience: 600_000)
    try await SQLiteStorageEngine.deferred(directory: directory.storage).close()
    withExtendedLifetime((lock, file)) {}
  }

  @Test func `fault 79: a follower reads a file once its lock ends, without an event`()
    async throws
  {
    // A copy with one note more, as a sync tool leaves it.
    let (note, added) = (Note(id: "kept"), Note(id: "added"))
    try await Store<Note>(storage: directory.engine()).add(note)
    try await directory.leaveLog()
    let path = directory.path("store/pantry.sqlite")
    let (copy, former) = (directory.path("copy.sqlite"), directory.path("former.sqlite"))
    try FileManager.default.copyItem(atPath: path, toPath: former)
    try await Store<Note>(storage: directory.engine()).add(added)
    try await directory.leaveLog()
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.moveItem(atPath: former, toPath: path)

    let file = SQLiteFile.named("pantry.sqlite", in: directory.storage, patience: 20)
    let store = try await Store<Note>(storage: directory.engine())
    #expect(store.items == [note])
    let lock = try Database(path: copy)
    try lock.execute("PRAGMA journal_mode = DELETE; PRAGMA locking_mode = EXCLUSIVE")
    try lock.execute("BEGIN EXCLUSIVE; COMMIT")
    let checks = file.watcher.checkCount
    #expect(rename(copy, path) == 0)
    // More than follow an event.
    try await eventually("checks go on") { file.watcher.checkCount > checks + 10 }
    #expect(store.items == [note])
    try lock.execute("PRAGMA locking_mode = NORMAL; SELECT count(*) FROM sqlite_schema")
    try await eventually("the added note", seen: { "\(store.items)" }) {
      store.items == [note, added]
    }
    withExtendedLifetime(lock) {}
  }

  @Test func `between writes this process holds no lock, and writing continues`()
    async throws
  {
    let engine = try directory.engine()
    let store = try await Store<Note>(storage: engine)
    let other = try directory.database()
    let adding = Note.numbered(0..<20).map { note in Task { try await store.add(note) } }
    for _ in 0..<5 {
      await Task.yield()
      try engine.betweenWrites { try other.execute("BEGIN IMMEDIATE; COMMIT") }
    }
    for task in adding { try await task.value }
    #expect(store.items.count == 20)
  }

  @Test func `the error for another process's lock says what to do`() async throws {
    let file = SQLiteFile.named("pantry.sqlite", in: directory.storage, patience: 20)
    let store = try await Store<Note>(storage: directory.engine())
    let lock = try directory.database()
    try lock.execute("BEGIN IMMEDIATE")
    let error = await #expect(throws: SQLiteError.self) { try await store.add(Note(id: "a")) }
    #expect(error?.kind == .busy)
    #expect(
      error?.description.hasSuffix(
        "it is locked by another process; try again, and if that process was stopped (ctrl-Z), "
          + "continue or end it") == true, "\(error?.description ?? "")")
    withExtendedLifetime(file) {}
  }
}

extension Database {
  /// Keeps the file at `path` locked, also for readers, until the connection is closed.
  static func locking(_ path: String) throws -> Database {
    let database = try Database(path: path)
    try database.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT")
    return database
  }
}
