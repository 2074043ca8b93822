internal import Glibc

/// The schema of a Pantry file, and the check that a file has it.
///
/// A new file gets the first version's tables and every migration, so it equals an upgraded one.
struct SQLiteSchema: Sendable {
  /// The current schema.
  static let current = SQLiteSchema(
    migrations: [changeLog, typeNames, numbersByNamespace, attachmentsByItem])

  /// "Pntr" in ASCII: marks the file as Pantry's
  /// (https://sqlite.org/pragma.html#pragma_application_id).
  static let applicationID: Int64 = 0x506E_7472

  /// The upgrade of a file from one version to the next.
  struct Migration: Sendable {
    let statements: String
    /// Whether it only adds or renames a table, so that no backup is needed.
    var isAddition = false
    /// Throws if the file cannot be migrated.
    var requirement: (@Sendable (Database) throws -> Void)?
  }

  /// The migrations in order: the first leads from 1 to 2.
  let migrations: [Migration]

  /// The version that a file has after all migrations.
  var version: Int64 { 1 + Int64(migrations.count) }

  /// The state of a file.
  private enum State: Equatable {
    case new
    case current
    case older(version: Int64)
  }

  /// Checks a file: creates the tables in a new one, upgrades an older one.
  ///
  /// It refuses a file of another program or of a newer Pantry, and a read-only file that is not
  /// current. A refused file is not written to. Call it before anything that writes, including the
  /// journal mode. The rows of an older file are backed up beside it if a migration changes them;
  /// then the file is upgraded in one transaction.
  func prepare(_ database: Database) throws {
    let state = try look(at: database)
    if state != .new { try DamageMark(of: database.path).obey(in: database) }
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
      // Another process may have done this between the check and the lock.
      switch try verify(database) {
      case .current: return
      case .new: try createTables(in: database)
      case .older(let version):
        try migrate(database, from: version)
      }
    }
    // The notification file of version 0.1.0.
    unlink(database.path + "-ding")
  }

  /// Creates the tables in an empty database, in the caller's transaction.
  func createTables(in database: Database) throws {
    try database.execute(Self.firstTables)
    try migrate(database, from: 1)
    try database.execute("PRAGMA application_id = \(Self.applicationID)")
  }

  /// Returns whether the tables have what was added to the current version: see ``additions``.
  static func isComplete(_ database: Database) throws -> Bool {
    if database.isKnownToBeComplete { return true }
    let found = try database.integer(
      "SELECT count(*) FROM pragma_table_info('namespace') WHERE name = 'definition'")
    database.isKnownToBeComplete = found == 1
    return database.isKnownToBeComplete
  }

  /// Adds what is missing of ``additions``, in the caller's transaction.
  static func complete(_ database: Database) throws {
    if try !isComplete(database) { try database.execute(additions) }
  }

  /// Throws if the tables of a read-only file need to be created or upgraded.
  private func requireNothingToWrite(_ state: State, path: String) throws(StorageError) {
    switch state {
    case .current: return
    case .new: throw .needsWriting(path: path, reason: "it is empty")
    case .older(let found):
      throw .needsWriting(
        path: path, reason: "it has the older schema \(found), to be upgraded to \(version)")
    }
  }

  /// Refuses a file like ``prepare(_:)``, or one without tables; upgrades none.
  func accept(_ database: Database) throws {
    guard try look(at: database) != .new else { throw StorageError.fileIsGone(path: database.path) }
  }

  /// Refuses a file of another program or of a newer Pantry.
  func refuseOthers(_ database: Database) throws { _ = try verify(database) }

  /// Throws if a newer Pantry has upgraded the file since it was opened.
  ///
  /// Call it in each transaction that writes.
  static func requireNoNewer(in database: Database) throws {
    let found = try database.integer("PRAGMA user_version") ?? 0
    guard found <= current.version else {
      throw StorageError.newerSchema(
        path: database.path, version: Int(found), supported: Int(current.version))
    }
  }

  /// Returns the state of the file.
  private func look(at database: Database) throws -> State {
    // One snapshot: another process may be creating the tables right now.
    try database.read { try verify(database) }
  }

  private func migrate(_ database: Database, from version: Int64) throws {
    for migration in migrations[Int(version - 1)...] {
      try migration.requirement?(database)
      try database.execute(migration.statements)
    }
    if self.version >= Self.current.version { try Self.complete(database) }
    try database.execute("PRAGMA user_version = \(self.version)")
  }

  /// The size of a connection's cache of pages, in kibibytes.
  static let cache = 2_048

  /// Sets up one connection to a file that ``prepare(_:)`` has accepted.
  static func configure(_ database: Database) throws {
    if !database.isReadOnly { try switchToLog(database) }
    // A committed item survives a power failure: NORMAL can lose the last commits in WAL mode.
    try database.execute(
      """
      PRAGMA synchronous = FULL;
      PRAGMA wal_autocheckpoint = 0;
      PRAGMA journal_size_limit = 16777216;
      PRAGMA trusted_schema = OFF;
      PRAGMA secure_delete = OFF;
      """)
    try database.setCache(kibibytes: cache)
    try database.configure(.defensive, true)
    // The triggers are for the sqlite3 shell and older programs: this code does their work itself.
    try database.configure(.triggers, false)
  }

  /// Switches to write-ahead logging, which a new file does not have.
  ///
  /// While another connection does the same, SQLite reports a locked file without the busy timeout;
  /// so this function waits itself.
  private static func switchToLog(_ database: Database) throws {
    let services = ProcessContext.current.services
    let deadline = services.uptime + .milliseconds(database.patience)
    while true {
      do {
        try database.execute("PRAGMA journal_mode = WAL")
        return
      } catch {
        guard error.code == .busy, services.uptime < deadline else { throw error }
        services.pause(for: .milliseconds(1))
      }
    }
  }

  /// Returns the state of the file; throws if it is not Pantry's.
  private func verify(_ database: Database) throws -> State {
    let application = try database.integer("PRAGMA application_id") ?? 0
    let found = try database.integer("PRAGMA user_version") ?? 0
    let tableCount = try database.integer("SELECT count(*) FROM sqlite_schema") ?? 0
    if application == 0, found == 0, tableCount == 0 { return .new }
    let tables = try Self.versionByTables(database)
    guard application == Self.applicationID, (1...version).contains(found) else {
      throw try refusal(of: database, application: application, version: found, tables: tables)
    }
    guard let tables, tables == min(found, Self.current.version) else {
      throw StorageError.damagedFile(
        path: database.path, reason: "its header and its tables do not fit each other")
    }
    return found == version ? .current : .older(version: found)
  }
}
