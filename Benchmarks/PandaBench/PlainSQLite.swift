internal import CPantrySQLite
internal import Foundation
internal import Glibc

/// SQLite without a library around it: the calls that a C program would make.
///
/// The same durability and settings as Pantry's (WAL, `synchronous=FULL`, pages of 8 KB, the same
/// page cache, checkpoints off the caller's path, `secure_delete` off), prepared statements, bytes
/// bound without a copy. An unexpected result ends the program.
final class PlainSQLite {
  typealias Row = (key: [UInt8], data: Data)

  private let path: String
  private let database: OpaquePointer
  private let begin: OpaquePointer
  private let commit: OpaquePointer

  init(path: String) {
    self.path = path
    var opened: OpaquePointer?
    let flags =
      pantry_sqlite3_open_read_write | pantry_sqlite3_open_create | pantry_sqlite3_open_no_mutex
    Self.expect(pantry_sqlite3_ok, sqlite3_open_v2(path, &opened, flags, nil))
    database = opened!
    let sql = """
      PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
      PRAGMA wal_autocheckpoint = 0; PRAGMA secure_delete = OFF; PRAGMA cache_size = -2048;
      CREATE TABLE IF NOT EXISTS item (
        id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, data NOT NULL);
      CREATE TABLE IF NOT EXISTS picture (
        id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, bytes BLOB NOT NULL);
      """
    Self.expect(pantry_sqlite3_ok, sqlite3_exec(database, sql, nil, nil, nil))
    begin = Self.prepare("BEGIN IMMEDIATE", database)
    commit = Self.prepare("COMMIT", database)
  }

  deinit {
    sqlite3_finalize(begin)
    sqlite3_finalize(commit)
    sqlite3_close_v2(database)
  }

  /// Copies the write-ahead log into the database file at `path`, and empties the log.
  static func checkpoint(path: String) {
    var opened: OpaquePointer?
    expect(pantry_sqlite3_ok, sqlite3_open_v2(path, &opened, pantry_sqlite3_open_read_write, nil))
    expect(
      pantry_sqlite3_ok, sqlite3_exec(opened, "PRAGMA wal_checkpoint(TRUNCATE)", nil, nil, nil))
    sqlite3_close_v2(opened)
  }

  func prepare(_ sql: String) -> OpaquePointer { Self.prepare(sql, database) }

  func transaction(_ body: () -> Void) {
    run(begin)
    body()
    run(commit)
  }

  /// Preallocates the write-ahead log as Pantry does: 4 MB of zeros after its first frames.
  func makeRoomInLog() {
    let log = Glibc.open(path + "-wal", O_WRONLY | O_CLOEXEC)
    var status = stat()
    fstat(log, &status)
    let zeros = [UInt8](repeating: 0, count: max(0, (4 << 20) - Int(status.st_size)))
    pwrite(log, zeros, zeros.count, status.st_size)
    fdatasync(log)
    close(log)
  }

  /// Runs a statement with a key as text and, if given, bytes as text or as a blob.
  func run(_ statement: OpaquePointer, key: [UInt8]? = nil, text: Data? = nil, blob: Data? = nil) {
    if let key {
      key.withUnsafeBytes { key in
        // Without a destructor the bytes are SQLITE_STATIC: they live until the step.
        sqlite3_bind_text(
          statement, 1, key.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(key.count), nil)
        finish(statement, text: text, blob: blob)
      }
    } else {
      finish(statement, text: text, blob: blob)
    }
  }

  /// Copies every row of a two-column statement into separate memory; returns the number of bytes.
  func copyRows(_ statement: OpaquePointer) -> Int {
    var copies: [UnsafeMutableRawPointer] = []
    var total = 0
    while sqlite3_step(statement) == pantry_sqlite3_row {
      for column: Int32 in 0..<2 {
        let count = Int(sqlite3_column_bytes(statement, column))
        let copy = malloc(count)!
        memcpy(copy, sqlite3_column_blob(statement, column), count)
        copies.append(copy)
        total += count
      }
    }
    sqlite3_reset(statement)
    kept += copies
    return total
  }

  /// The copies stay in memory, as a store's items do.
  private var kept: [UnsafeMutableRawPointer] = []

  private func finish(_ statement: OpaquePointer, text: Data?, blob: Data?) {
    if let text {
      text.withUnsafeBytes { bytes in
        sqlite3_bind_text(
          statement, 2, bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
          Int32(bytes.count), nil)
        step(statement)
      }
    } else if let blob {
      blob.withUnsafeBytes { bytes in
        sqlite3_bind_blob(statement, 2, bytes.baseAddress, Int32(bytes.count), nil)
        step(statement)
      }
    } else {
      step(statement)
    }
  }

  private func step(_ statement: OpaquePointer) {
    Self.expect(pantry_sqlite3_done, sqlite3_step(statement))
    sqlite3_reset(statement)
  }

  private static func prepare(_ sql: String, _ database: OpaquePointer) -> OpaquePointer {
    var statement: OpaquePointer?
    let flags = pantry_sqlite3_prepare_persistent
    expect(pantry_sqlite3_ok, sqlite3_prepare_v3(database, sql, -1, flags, &statement, nil))
    return statement!
  }

  private static func expect(_ expected: Int32, _ result: Int32) {
    precondition(result == expected, "SQLite answered \(result)")
  }
}
