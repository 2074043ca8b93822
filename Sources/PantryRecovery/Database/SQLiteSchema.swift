/// The schema of a Pantry file, and the check that a file has it.
package enum SQLiteSchema {
  /// The current schema.
  package static let version: Int64 = 6
  /// The schema of version 0.2.0, which is upgraded.
  package static let formerVersion: Int64 = 5

  /// "Pntr" in ASCII: marks the file as Pantry's
  /// (https://sqlite.org/pragma.html#pragma_application_id).
  static let applicationID: Int64 = 0x506E_7472

  /// What the tables and the header say.
  enum State: Equatable {
    case new
    case current
    /// The tables are those of `version`, and the header has to be written.
    case older(version: Int64)
    case newer(version: Int64)
    /// Version 0.1.0.
    case firstVersion
    /// Another program's.
    case foreign
    /// The header is Pantry's, the tables are not.
    case mismatched

    /// Why a connection that only reads cannot use it; nil if it can.
    var reasonToWrite: String? {
      switch self {
      case .new: "it is empty"
      case .older(let found) where found < version:
        "it has the older schema \(found), to be upgraded to \(version)"
      default: nil
      }
    }
  }

  /// Checks a file: creates the tables in a new one, upgrades one of version 0.2.0, and makes
  /// triggers again that a shell has dropped.
  ///
  /// It refuses a file of another program, of version 0.1.0 or of a newer Pantry, and a read-only
  /// file that is not current. A refused file is not written to. Call it before anything that
  /// writes, including the journal mode. The rows of an older file are backed up beside it; then
  /// the file is upgraded in one transaction.
  static func prepare(_ database: Database) throws {
    let state = try look(at: database)
    try FileJudge.judge(FileEvidence(path: database.path, tables: state, own: database))
    if database.isReadOnly { return try configure(database) }
    if state == .new {
      // Takes effect only before the first page is written; see docs/Performance.md for 8 KB.
      try database.execute("PRAGMA page_size = 8192")
    }
    try configure(database)
    if state == .older(version: formerVersion) {
      try SQLiteBackup.makeOfRows(
        of: database, at: SQLiteBackup.path(of: database.path, schema: formerVersion))
    }
    guard state != .current else { return try restoreTriggers(of: database) }
    try database.write {
      // Another process may have done this between the check and the lock.
      switch try verify(database) {
      case .current: return
      case .new: try createTables(in: database)
      case .older(let found):
        if found < version { try database.execute(upgrade) }
        try writeHeader(of: database)
      case .newer, .firstVersion, .foreign, .mismatched: break  // refused
      }
    }
  }

  /// Makes the triggers again that a shell has dropped.
  private static func restoreTriggers(of database: Database) throws {
    let names = triggerNames.map { "'\($0)'" }.joined(separator: ", ")
    let count = try database.integer(
      "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger' AND name IN (\(names))")
    guard count != Int64(triggerNames.count) else { return }
    // A full disk or a lock must not prevent reading: the next opening tries again.
    try? database.write(patiently: false) { try database.execute(triggers) }
  }

  /// Creates the tables in an empty database, in the caller's transaction.
  static func createTables(in database: Database) throws {
    try database.execute(tables)
    try database.execute(triggers)
    try writeHeader(of: database)
  }

  private static func writeHeader(of database: Database) throws {
    try database.execute(
      "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
  }

  /// Refuses a file like ``prepare(_:)``, or one without tables; upgrades none.
  static func accept(_ database: Database) throws {
    guard try look(at: database) != .new else { throw StorageError.fileIsGone(path: database.path) }
  }

  /// Refuses a file of another program, of version 0.1.0 or of a newer Pantry.
  static func refuseOthers(_ database: Database) throws { _ = try verify(database) }

  /// Throws if a newer Pantry has upgraded the file since it was opened.
  ///
  /// Call it in each transaction that writes.
  package static func requireNoNewer(in database: Database) throws {
    let found = try database.integer("PRAGMA user_version") ?? 0
    guard found > version else { return }
    try FileJudge.judge(FileEvidence(path: database.path, tables: .newer(version: found)))
  }

  /// Returns the state of the file.
  private static func look(at database: Database) throws -> State {
    // One snapshot: another process may be creating the tables right now.
    try database.read { try verify(database) }
  }

  /// The size of a connection's cache of pages, in kibibytes.
  package static let cache = 2_048

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
        guard error.kind == .busy, services.uptime < deadline else { throw error }
        services.pause(for: .milliseconds(1))
      }
    }
  }

  /// Returns the state of the file; throws if it is not Pantry's, or of a version that is not read.
  private static func verify(_ database: Database) throws -> State {
    let state = try state(of: database)
    try FileJudge.judge(FileEvidence(path: database.path, tables: state))
    return state
  }

  /// Returns what the file is.
  ///
  /// A file with exactly the tables is Pantry's, whatever its header says; `.dump` of the sqlite3
  /// shell keeps no header. Only the `user_version` makes it newer.
  static func state(of database: Database) throws -> State {
    let application = try database.integer("PRAGMA application_id") ?? 0
    let found = try database.integer("PRAGMA user_version") ?? 0
    let names = try tableNames(of: database)
    if application == 0, found == 0, names.isEmpty { return .new }
    let isMarked = application == applicationID
    let byTables = try isMarked || names == Self.names ? versionByTables(database, names) : nil
    if found > version, isMarked || byTables != nil { return .newer(version: found) }
    if let byTables {
      return byTables == version && found == version ? .current : .older(version: byTables)
    }
    // What became of `reference` in schema 5.
    if names.isSuperset(of: ["namespace", "item", "attachment", "reference"]) {
      return .firstVersion
    }
    return isMarked ? .mismatched : .foreign
  }

  private static func tableNames(of database: Database) throws -> Set<String> {
    let select = try database.statement(
      "SELECT name FROM sqlite_schema WHERE type <> 'index' AND type <> 'trigger' "
        + "AND name NOT GLOB 'sqlite_*'")
    defer { select.reset() }
    var names: Set<String> = []
    while try select.step() { names.insert(select.text(0)) }
    return names
  }

  /// Returns the version whose tables and columns a database has; nil if it has neither's.
  private static func versionByTables(
    _ database: Database, _ names: Set<String>
  ) throws -> Int64? {
    guard names.isSuperset(of: Self.names) else { return nil }
    for (version, record) in [(version, "record"), (formerVersion, "0")] {
      do {
        _ = try database.statement(
          """
          SELECT id, name, type, lastItem, \(record), 0 FROM namespace
          UNION ALL SELECT id, namespace, key, data, createdAt, updatedAt FROM item
          UNION ALL SELECT id, digest, byteCount, bytes, 0, 0 FROM attachment
          UNION ALL SELECT item, attachment, 0, 0, 0, 0 FROM item_attachment
          UNION ALL SELECT seq, namespace, key, 0, 0, 0 FROM change
          UNION ALL SELECT attachment, 0, 0, 0, 0, 0 FROM unreferenced
          """)
        return version
      } catch {
        // SQLITE_ERROR: "no such column".
        guard error.extendedCode == 1 else { throw error }
      }
    }
    return nil
  }
}
