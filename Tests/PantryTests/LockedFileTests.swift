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
      #expect(error?.code == .busy, "\(waits)")
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
    await SQLiteStorageEngine.deferred(directory: directory.storage).emptyLog()
    withExtendedLifetime((lock, file)) {}
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
