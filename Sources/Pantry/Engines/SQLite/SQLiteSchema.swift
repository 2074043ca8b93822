internal import Glibc

/// The tables of a Pantry file, and the check that a file is one.
///
/// A new file gets the first version's tables and every migration after them, so it is what an old
/// file becomes.
struct SQLiteSchema: Sendable {
  /// What this code writes.
  static let current = SQLiteSchema(
    migrations: [changeLog, typeNames, numbersByNamespace, attachmentsByItem])

  /// "Pntr" in ASCII: marks the file as Pantry's
  /// (https://sqlite.org/pragma.html#pragma_application_id).
  static let applicationID: Int64 = 0x506E_7472

  /// What brings a file from one version to the next.
  struct Migration: Sendable {
    let statements: String
    /// Whether it only adds, or renames a table: the file need not be backed up.
    var isAddition = false
    /// Throws if the file is not fit for it.
    var requirement: (@Sendable (Database) throws -> Void)?
  }

  /// The migrations in order: the first leads from 1 to 2.
  let migrations: [Migration]

  /// The version that a file has after all migrations.
  var version: Int64 { 1 + Int64(migrations.count) }

  /// What a file is.
  private enum State: Equatable {
    case new
    case current
    case older(version: Int64)
  }

  /// Refuses a file that is another program's or a newer Pantry's, creates the tables in a new one,
  /// upgrades an older one.
  ///
  /// A refused file is not written to, and one that cannot be written is refused unless it is current. Call it before anything that writes, journal mode included.
  /// The rows of an older file are backed up beside it if what is in it will be changed; then it is
  /// upgraded in one transaction.
  func prepare(_ database: Database) throws {
    let state = try look(at: database)
    if database.isReadOnly {
      try requireNothingToWrite(state, path: database.path)
      return try Self.configure(database)
    }
    if state == .new {
      // Takes effect only before the first page is written; see docs/Performance.md for 8 KB.
      try database.execute("PRAGMA page_size = 8192")
    }
    try Self.configure(database)
    if case .older(let version) = state,
      !migrations[Int(version - 1)...].allSatisfy(\.isAddition)
    {
      try SQLiteBackup.makeOfRows(
        of: database, at: SQLiteBackup.path(of: database.path, schema: version))
    }
    guard state != .current else { return }
    try database.write {
      // Another process may have done it between the check and the lock.
      switch try verify(database) {
      case .current: return
      case .new:
        try database.execute(Self.firstTables)
        try migrate(database, from: 1)
        try database.execute("PRAGMA application_id = \(Self.applicationID)")
      case .older(let version):
        try migrate(database, from: version)
      }
    }
    // By which version 0.1.0 told others of its commits.
    unlink(database.path + "-ding")
  }

  /// Throws if the tables of a file that cannot be written are to be created or upgraded.
  private func requireNothingToWrite(_ state: State, path: String) throws(StorageError) {
    switch state {
    case .current: return
    case .new: throw .needsWriting(path: path, reason: "it is empty")
    case .older(let found):
      throw .needsWriting(
        path: path, reason: "it has the older schema \(found), to be upgraded to \(version)")
    }
  }

  /// Refuses a file as ``prepare(_:)`` does, and one without tables; it upgrades none.
  func accept(_ database: Database) throws {
    guard try look(at: database) != .new else { throw StorageError.fileIsGone(path: database.path) }
  }

  /// Throws if a newer version of Pantry has upgraded the file since it was opened; call it in a
  /// transaction that is about to write.
  static func requireNoNewer(in database: Database) throws {
    let found = try database.integer("PRAGMA user_version") ?? 0
    guard found <= current.version else {
      throw StorageError.newerSchema(
        path: database.path, version: Int(found), supported: Int(current.version))
    }
  }

  /// Tells what the file is; after an error its connection does not write when it is closed.
  private func look(at database: Database) throws -> State {
    // Closing the last connection would checkpoint, that is, write to a file we may refuse.
    try database.configure(.noCheckpointOnClose, true)
    // One snapshot: another process may be creating the tables at this moment.
    let state = try database.read { try verify(database) }
    try database.configure(.noCheckpointOnClose, database.isReadOnly)
    return state
  }

  private func migrate(_ database: Database, from version: Int64) throws {
    for migration in migrations[Int(version - 1)...] {
      try migration.requirement?(database)
      try database.execute(migration.statements)
    }
    try database.execute("PRAGMA user_version = \(self.version)")
  }

  /// Sets up one connection to a file that ``prepare(_:)`` has accepted.
  static func configure(_ database: Database) throws {
    if !database.isReadOnly { try switchToLog(database) }
    // A committed favourite survives a power cut: NORMAL can lose the last commits in WAL mode.
    try database.execute(
      """
      PRAGMA synchronous = FULL;
      PRAGMA wal_autocheckpoint = 0;
      PRAGMA journal_size_limit = 16777216;
      PRAGMA trusted_schema = OFF;
      PRAGMA secure_delete = OFF;
      PRAGMA cache_size = -2048;
      """)
    try database.configure(.defensive, true)
    // They are for the sqlite3 shell and for older programs: what we write, we note ourselves.
    try database.configure(.triggers, false)
  }

  /// Switches the write-ahead log on, which a new file has not.
  ///
  /// While another connection does the same, SQLite answers that the file is locked, and does not
  /// wait as it does for other locks; so the waiting is done here.
  private static func switchToLog(_ database: Database) throws {
    let deadline = ContinuousClock.now + .seconds(5)
    while true {
      do {
        try database.execute("PRAGMA journal_mode = WAL")
        return
      } catch {
        guard error.code == .busy, ContinuousClock.now < deadline else { throw error }
        usleep(1_000)
      }
    }
  }

  /// Tells what the file is; throws if it is not ours to write.
  private func verify(_ database: Database) throws -> State {
    let application = try database.integer("PRAGMA application_id") ?? 0
    let found = try database.integer("PRAGMA user_version") ?? 0
    let tableCount = try database.integer("SELECT count(*) FROM sqlite_schema") ?? 0
    if application == 0, found == 0, tableCount == 0 { return .new }
    guard application == Self.applicationID, found >= 1 else {
      throw StorageError.notAPantryFile(path: database.path)
    }
    guard found <= version else {
      throw StorageError.newerSchema(
        path: database.path, version: Int(found), supported: Int(version))
    }
    return found == version ? .current : .older(version: found)
  }
}
