internal import CPantrySQLite
package import FoundationEssentials
internal import SystemSupport

/// One connection to one SQLite file, with its prepared statements kept.
///
/// Not Sendable: its owner keeps it on one executor or queue.
package final class Database {
  /// The version of the loaded SQLite library, such as 3.40.1.
  package static var libraryVersion: String { String(cString: sqlite3_libversion()) }

  /// The default of ``patience``.
  package static let patience: Int32 = 5_000

  package enum Access {
    /// Reads and writes; creates the file if there is none.
    case creating
    /// Reads and writes an existing file.
    case writing
    case reading
    /// Reads a file that no process writes to, without its log and without locks.
    case readingImmutable
  }

  package let path: String
  /// Whether the connection only reads: it was opened so, or the file cannot be written.
  package let isReadOnly: Bool
  /// The time a statement waits for the locks of other connections, in milliseconds, after the last
  /// write of one to the file or its log.
  package var patience: Int32 { didSet { wait(isPatient: true) } }
  private var lockWait = LockWait(patience: .zero)
  /// Called when SQLite reports that the file is damaged.
  package var metDamage: (() -> Void)?
  /// Called once, before the first write, or before something is said to be absent.
  package var beforeUse: ((Database) throws -> Void)?
  private let handle: OpaquePointer
  private var statements: [String: Statement] = [:]
  /// The stamps of the file and its log when it was opened as immutable.
  private let unchanging: [FileStamp?]?

  /// Opens the file at `path`.
  ///
  /// Nothing is written before the first statement.
  package init(
    path: String, access: Access = .creating, patience: Int32 = Database.patience
  ) throws(SQLiteError) {
    // SQLite would wait for the other end of a pipe.
    if FileStamp(path: path)?.isPlain == false {
      throw SQLiteError(pantry_sqlite3_cannot_open, during: .open, path: path, connection: nil)
    }
    Descriptors.occupyStandard()
    var opened: OpaquePointer?
    let flags = access.flags | pantry_sqlite3_open_no_mutex
    unchanging = access == .readingImmutable ? Self.stamps(path) : nil
    let name = access == .readingImmutable ? Self.immutableURI(path) : path
    let result = sqlite3_open_v2(
      name, &opened, flags, ProcessContext.current.services.sqliteFileSystem)
    guard result == pantry_sqlite3_ok, let handle = opened else {
      let error = SQLiteError(result, during: .open, path: path, connection: opened)
      sqlite3_close_v2(opened)
      throw error
    }
    self.path = path
    self.handle = handle
    self.patience = patience
    isReadOnly = sqlite3_db_readonly(handle, "main") == 1
    sqlite3_extended_result_codes(handle, 1)
    wait(isPatient: true)
    // There may be no directory for temporary files. This reads and writes nothing, so it succeeds.
    sqlite3_exec(handle, "PRAGMA temp_store = MEMORY", nil, nil, nil)
  }

  deinit {
    statements.removeAll()
    sqlite3_close_v2(handle)
  }

  /// Sets whether statements wait for the locks of other connections.
  ///
  /// SQLite's own wait counts its pauses, which signals cut short, and ends while others commit.
  private func wait(isPatient: Bool) {
    guard isPatient, patience > 0 else { return _ = sqlite3_busy_handler(handle, nil, nil) }
    sqlite3_busy_handler(
      handle,
      { context, attempt in
        Unmanaged<Database>.fromOpaque(context!).takeUnretainedValue().waits(attempt) ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func waits(_ attempt: Int32) -> Bool {
    if attempt == 0 { lockWait = LockWait(patience: .milliseconds(Int(patience))) }
    return lockWait.pass(seeing: Self.stamps(path))
  }

  /// Whether a commit that is not read now may be read after a crash.
  private var mayRevive = false

  /// Whether a file that was opened as immutable may have changed since.
  package var isStale: Bool { unchanging.map { !$0.areUnchanged(in: Self.stamps(path)) } ?? false }

  private static func stamps(_ path: String) -> [FileStamp?] {
    [path, path + "-wal"].map { FileStamp(path: $0) }
  }

  /// The URI that opens a file as immutable (https://sqlite.org/uri.html).
  private static func immutableURI(_ path: String) -> String {
    var uri = Array("file:".utf8)
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "%"): uri += Array("%25".utf8)
      case UInt8(ascii: "?"): uri += Array("%3f".utf8)
      case UInt8(ascii: "#"): uri += Array("%23".utf8)
      default: uri.append(byte)
      }
    }
    return String(decoding: uri, as: UTF8.self) + "?immutable=1"
  }

  /// A setting of sqlite3_db_config (https://sqlite.org/c3ref/c_dbconfig_defensive.html).
  package enum Setting {
    /// SQL cannot damage the file: no writing to shadow tables or to the schema.
    case defensive
    /// Closing the last connection leaves the file as it is.
    case noCheckpointOnClose
    /// Triggers of the schema are fired.
    case triggers

    fileprivate var number: Int32 {
      switch self {
      case .defensive: pantry_sqlite3_dbconfig_defensive
      case .noCheckpointOnClose: pantry_sqlite3_dbconfig_no_checkpoint_on_close
      case .triggers: pantry_sqlite3_dbconfig_enable_trigger
      }
    }
  }

  package func configure(_ setting: Setting, _ isOn: Bool) throws(SQLiteError) {
    try check(pantry_sqlite3_db_config(handle, setting.number, isOn ? 1 : 0), during: .configure)
  }

  /// Reads bytes of the database file as they are on disk, and the file's size.
  ///
  /// The log is ignored; bytes past the end of the file are zero.
  package func bytes(_ count: Int, at offset: Int = 0) throws(SQLiteError) -> (
    bytes: [UInt8], fileSize: Int
  ) {
    var bytes = [UInt8](repeating: 0, count: count)
    var size: Int64 = 0
    try check(
      pantry_sqlite3_read(handle, &bytes, Int32(count), Int64(offset), &size), during: .open)
    return (bytes, Int(size))
  }

  /// Runs one or more statements that return no rows.
  package func execute(_ sql: String) throws(SQLiteError) {
    try check(sqlite3_exec(handle, sql, nil, nil, nil), during: .configure)
  }

  /// Sets the size of the cache of pages, and frees what is beyond it.
  package func setCache(kibibytes: Int) throws(SQLiteError) {
    try execute("PRAGMA cache_size = -\(kibibytes); PRAGMA shrink_memory")
  }

  /// Returns the prepared statement for `sql`, compiling it at its first use.
  package func statement(_ sql: String) throws(SQLiteError) -> Statement {
    if let kept = statements[sql] { return kept }
    var prepared: OpaquePointer?
    let flags = pantry_sqlite3_prepare_persistent
    try check(sqlite3_prepare_v3(handle, sql, -1, flags, &prepared, nil), during: .prepare)
    let statement = Statement(prepared!, database: self)
    statements[sql] = statement
    return statement
  }

  /// The texts of the prepared statements: fixed by the code, independent of the data.
  package var statementTexts: Set<String> { Set(statements.keys) }

  /// Reads the first column of the first row as an integer, or nil if there is no row.
  package func integer(_ sql: String) throws(SQLiteError) -> Int64? {
    let statement = try statement(sql)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : nil
  }

  /// Reads a BLOB of a row.
  ///
  /// A column of a statement would be in SQLite's memory first: new pages of it for each large one.
  package func blob(
    ofRow row: Int64, in table: String, column: String
  ) throws(SQLiteError) -> Data {
    var blob: OpaquePointer?
    try check(sqlite3_blob_open(handle, "main", table, column, row, 0, &blob), during: .step)
    defer { sqlite3_blob_close(blob) }
    var data = Data(count: Int(sqlite3_blob_bytes(blob)))
    let result = data.withUnsafeMutableBytes { bytes in
      sqlite3_blob_read(blob, bytes.baseAddress, Int32(bytes.count), 0)
    }
    try check(result, during: .step)
    return data
  }

  /// The number of the row that the last INSERT added
  /// (https://sqlite.org/c3ref/last_insert_rowid.html).
  package var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

  /// Throws that the file is damaged unless the last statement changed one row.
  ///
  /// For a change of a row that an index has just named.
  package func requireOneChanged() throws(SQLiteError) {
    if sqlite3_changes(handle) != 1 { try check(pantry_sqlite3_corrupt, during: .step) }
  }

  /// Runs `body` in a write transaction: committed when it returns, rolled back when it throws.
  ///
  /// The write lock is taken at the start, so nothing read in the transaction goes stale.
  /// - Parameter patiently: whether to wait for a lock held elsewhere.
  package func write<Result>(patiently: Bool = true, _ body: () throws -> Result) throws -> Result {
    try checkBeforeUse()
    assert(sqlite3_get_autocommit(handle) != 0, "a transaction begins in another one")
    wait(isPatient: patiently)
    defer { wait(isPatient: true) }
    try statement("BEGIN IMMEDIATE").run()
    do {
      let result = try body()
      try commit()
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  private func commit() throws(SQLiteError) {
    do {
      try statement("COMMIT").run()
      mayRevive = false
    } catch {
      var error = error
      error.isOfCommit = true
      if error.leavesOutcomeUnknown { mayRevive = true }
      throw error
    }
  }

  /// Makes sure that a commit that could not be flushed stays as it is read now.
  ///
  /// Its pages are in the log, behind the last commit that is known. If all processes died, the
  /// next one would take them for a commit, after callers had read that it failed. The next commit
  /// writes over them: here, of the same version once more.
  package func settle() throws {
    guard mayRevive else { return }
    let version = try integer("PRAGMA user_version") ?? 0
    try write { try execute("PRAGMA user_version = \(version)") }
  }

  /// Calls ``beforeUse``, until it has returned once.
  package func checkBeforeUse() throws {
    guard let check = beforeUse else { return }
    try check(self)
    beforeUse = nil
  }

  /// Runs `body` on one snapshot of the database.
  package func read<Result>(_ body: () throws -> Result) throws -> Result {
    assert(sqlite3_get_autocommit(handle) != 0, "a transaction begins in another one")
    try statement("BEGIN").run()
    defer { rollBack() }
    return try body()
  }

  /// Whether another connection is in a write transaction right now; does not wait.
  ///
  /// False for a read-only connection, which cannot check.
  package var isBeingWritten: Bool {
    guard !isReadOnly else { return false }
    wait(isPatient: false)
    defer { wait(isPatient: true) }
    let result = sqlite3_exec(handle, "BEGIN IMMEDIATE", nil, nil, nil)
    rollBack()
    return result & 0xFF == pantry_sqlite3_busy
  }

  /// Records the number of pages in the write-ahead log after each commit of this connection.
  package func pagesInLogAfterCommits(_ observe: PagesInLog) {
    let context = Unmanaged.passUnretained(observe).toOpaque()
    sqlite3_wal_hook(
      handle,
      { context, _, _, pages in
        Unmanaged<PagesInLog>.fromOpaque(context!).takeUnretainedValue().count = Int(pages)
        return pantry_sqlite3_ok
      }, context)
  }

  /// Rewrites the file without free space; row numbers stay.
  ///
  /// The new content is built in a temporary file, or in memory where none can be made.
  package func compact() throws(SQLiteError) {
    try execute("PRAGMA temp_store = FILE")
    do {
      try execute("VACUUM")
    } catch {
      try execute("PRAGMA temp_store = MEMORY")
      guard error.mayBeForLackOfTemporaryFile else { throw error }
      return try execute("VACUUM")
    }
    try execute("PRAGMA temp_store = MEMORY")
  }

  /// Copies as much as possible of the write-ahead log to the database file, blocking no other
  /// connection.
  package func checkpoint() throws(SQLiteError) {
    try check(
      sqlite3_wal_checkpoint_v2(handle, nil, pantry_sqlite3_checkpoint_passive, nil, nil),
      during: .checkpoint)
  }

  /// Converts a result code to an error; the only place that does.
  package func check(_ result: Int32, during operation: SQLiteError.Operation) throws(SQLiteError) {
    switch result {
    case pantry_sqlite3_ok, pantry_sqlite3_row, pantry_sqlite3_done: return
    default: throw error(result, during: operation)
    }
  }

  /// Returns the error for a result code, which may be that of damage.
  package func error(_ result: Int32, during operation: SQLiteError.Operation) -> SQLiteError {
    let error = SQLiteError(result, during: operation, path: path, connection: handle)
    if error.kind == .corrupt || error.kind == .notADatabase { metDamage?() }
    return error
  }

  /// Copies the write-ahead log to the database file, and empties it if it is not in use.
  ///
  /// It does not wait for other connections: one that is reading or writing leaves the rest.
  package func emptyLog() throws(SQLiteError) {
    wait(isPatient: false)
    defer { wait(isPatient: true) }
    let result = sqlite3_wal_checkpoint_v2(
      handle, nil, pantry_sqlite3_checkpoint_truncate, nil, nil)
    if result & 0xFF != pantry_sqlite3_busy { try check(result, during: .checkpoint) }
  }

  /// Whether the file has everything that is in the log of this connection.
  ///
  /// True for a log that was removed, too.
  package var logIsCopied: Bool { pantry_sqlite3_log_is_copied(handle) == 1 }

  private func rollBack() {
    // Some errors, such as a full disk, have rolled back already; another ROLLBACK would fail.
    guard sqlite3_get_autocommit(handle) == 0 else { return }
    // The caller throws its own error; closing the connection rolls back in any case.
    try? statement("ROLLBACK").run()  // a failure means nothing was left to roll back
  }
}

extension Database.Access {
  /// The flags of sqlite3_open_v2.
  fileprivate var flags: Int32 {
    switch self {
    case .creating: pantry_sqlite3_open_read_write | pantry_sqlite3_open_create
    case .writing: pantry_sqlite3_open_read_write
    case .reading: pantry_sqlite3_open_read_only
    case .readingImmutable: pantry_sqlite3_open_read_only | pantry_sqlite3_open_uri
    }
  }
}

/// A count that a connection's hook writes and its owner reads, both on one executor.
package final class PagesInLog {
  package var count = 0

  package init() {}
}
