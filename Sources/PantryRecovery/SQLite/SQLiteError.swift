internal import CPantrySQLite
internal import SystemSupport

/// An error that SQLite returned.
///
/// The text never holds a bound value, so it can be shown and logged.
public struct SQLiteError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The failed operation.
  package enum Operation: String, Sendable {
    /// Opening the database file.
    case open = "open"
    /// Setting up the connection or the tables.
    case configure = "set up"
    /// Compiling a statement.
    case prepare = "prepare a statement for"
    /// Binding a value to a statement.
    case bind = "bind a value for"
    /// Running a statement.
    case step = "read or write"
    /// Copying the log to the database file.
    case checkpoint = "checkpoint"
  }

  /// A primary result code (https://sqlite.org/rescode.html).
  package enum Kind: Sendable {
    case busy, full, cannotOpen, corrupt, notADatabase, readOnly, inputOutput, other

    init(_ result: Int32) {
      self =
        switch result & 0xFF {
        case pantry_sqlite3_busy: .busy
        case pantry_sqlite3_full: .full
        case pantry_sqlite3_cannot_open: .cannotOpen
        case pantry_sqlite3_corrupt: .corrupt
        case pantry_sqlite3_not_a_database: .notADatabase
        case pantry_sqlite3_read_only: .readOnly
        case pantry_sqlite3_input_output: .inputOutput
        default: .other
        }
    }
  }

  /// The failed operation.
  package let operation: Operation
  /// The primary result code.
  package let kind: Kind
  /// SQLite's number of the result, an extended code where there is one
  /// (https://sqlite.org/rescode.html); its lowest byte is the primary code.
  public let extendedCode: Int32
  /// SQLite's message.
  public let message: String
  /// The database file.
  public let path: String
  /// The error number of the system call that failed; 0 if none has.
  package let systemCode: Int32
  /// Whether the statement was the end of a transaction.
  var isOfCommit = false

  /// A sentence with the failed operation, the file and the reason.
  public var description: String {
    "could not \(operation.rawValue) \(path): \(reason)"
  }

  /// SQLite's message, or what helps more than it.
  private var reason: String {
    guard kind == .busy else {
      return systemCode == 0 ? message : "\(SystemError(code: systemCode))"
    }
    return "it is locked by another process; try again, and if that process was stopped "
      + "(ctrl-Z), continue or end it"
  }

  /// Whether the transaction may have been committed all the same.
  ///
  /// Its pages are in the log, with the mark of a commit, before they are flushed: if that fails,
  /// the next process to read the log after a crash takes them for committed.
  package var leavesOutcomeUnknown: Bool { isOfCommit && kind == .inputOutput }

  /// Whether the cause may be that SQLite cannot create the index of a log in the directory.
  var mayBeForLackOfLogIndex: Bool {
    kind == .cannotOpen || extendedCode == pantry_sqlite3_read_only_directory
  }

  /// Whether the cause may be that there is no place, or no room, for a temporary file.
  var mayBeForLackOfTemporaryFile: Bool {
    kind == .cannotOpen || kind == .full || kind == .inputOutput
  }

  /// Whether a page may be read at another attempt: it is not known to be wrong.
  package var mayPass: Bool {
    switch extendedCode {
    // A file that is too short, and one that its file system calls damaged.
    case pantry_sqlite3_input_output_short_read, pantry_sqlite3_input_output_corrupt: false
    default: kind != .corrupt && kind != .notADatabase
    }
  }

  /// The feature that the file system lacks, if that is the cause.
  var lack: String? {
    switch extendedCode {
    case pantry_sqlite3_input_output_shm_map: "shared memory maps"
    case pantry_sqlite3_input_output_lock, pantry_sqlite3_input_output_read_lock: "locks"
    default: nil
    }
  }

  /// Whether the file is read-only, and has a commit that must be rolled back first.
  var isForInterruptedCommit: Bool { extendedCode == pantry_sqlite3_read_only_rollback }

  /// Whether the disk has no room for the index of a log.
  var isForLackOfRoomForLogIndex: Bool { extendedCode == pantry_sqlite3_input_output_shm_size }

  /// The error for a disk without room for the index of a log.
  package static func diskFull(path: String) -> SQLiteError {
    SQLiteError(pantry_sqlite3_full, during: .step, path: path, connection: nil)
  }

  init(_ result: Int32, during operation: Operation, path: String, connection: OpaquePointer?) {
    self.operation = operation
    self.path = path
    kind = Kind(result)
    extendedCode = result
    // A connection's message is that of its last call, and some results come from its file.
    let own = connection.flatMap { sqlite3_errcode($0) & 0xFF == result & 0xFF ? $0 : nil }
    message = String(cString: own.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(result))
    // SQLite records it for these two. A file that is too short has failed no call.
    let isOfSystem =
      (kind == .cannotOpen || kind == .inputOutput)
      && result != pantry_sqlite3_input_output_short_read
    systemCode = isOfSystem ? own.map { pantry_sqlite3_system_errno($0) } ?? 0 : 0
  }
}
