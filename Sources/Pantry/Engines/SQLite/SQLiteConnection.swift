internal import FoundationEssentials

/// A connection that writes, with the namespaces used on it.
///
/// Not Sendable: ``SQLiteWriter`` owns it.
final class SQLiteConnection {
  let database: Database
  /// The write-ahead log that the connection writes to, and the log's index.
  let log: FileIdentity?
  let logIndex: FileIdentity?
  /// The length of the write-ahead log after the last commit.
  let pagesInLog = PagesInLog()
  /// The number of moves of rows between namespaces, which no commit has reported.
  private(set) var moves = 0
  private var sessions: [SQLiteNamespace: SQLiteSession] = [:]

  init(_ database: Database) throws {
    self.database = database
    database.pagesInLogAfterCommits(pagesInLog)
    // The log exists from the first read on.
    _ = try database.integer("SELECT count(*) FROM sqlite_schema")
    log = FileIdentity(path: Self.logPath(database))
    logIndex = FileIdentity(path: Self.logIndexPath(database))
  }

  /// The session of a namespace, which is created if necessary.
  ///
  /// A read-only connection creates none, and looks up its number each time: a writer may create
  /// it, or rename another one.
  func session(_ naming: SQLiteNamespace) throws -> SQLiteSession {
    if let known = sessions[naming], !database.isReadOnly { return known }
    let session = try SQLiteSession(database, namespace: naming) { moves += 1 }
    sessions[naming] = session.namespace == SQLiteNamespace.absent ? nil : session
    return session
  }

  /// The session of the namespace with this number, if it has been used.
  func session(ofNamespace number: Int64) -> SQLiteSession? {
    sessions.values.first { $0.namespace == number }
  }

  /// Throws if the log is no longer at its path: writes to it would be lost.
  func requireLog() throws {
    if !hasLog { throw StorageError.logIsGone(path: database.path) }
  }

  /// Whether the log is at its path; true if the system cannot tell.
  ///
  /// Users remove it, and so does a program that closes the file while this process has none of
  /// SQLite's locks on it: any `close` of the file in the process releases them
  /// (https://sqlite.org/howtocorrupt.html, 2.2).
  var hasLog: Bool {
    guard let log else { return true }
    return switch FileIdentity.look(Self.logPath(database)) {
    case .found(let found): found == log
    case .absent: false
    case .unknown: true
    }
  }

  /// Whether another connection may take the place of this one, whose log is gone: nothing is lost.
  ///
  /// The log is copied to the file first, unless there is a new log already.
  ///
  /// - Parameter isAlone: whether no other process has the file open. One that uses the same index
  ///   with the former log would read the pages of a new log there.
  func mayBeReplaced(isAlone: Bool) -> Bool {
    // A failure leaves it for the next attempt.
    if FileIdentity.isAbsent(Self.logPath(database)) { try? database.checkpoint() }
    return database.logIsCopied
      && (isAlone || FileIdentity(path: Self.logIndexPath(database)) != logIndex)
  }

  private static func logPath(_ database: Database) -> String { database.path + "-wal" }
  private static func logIndexPath(_ database: Database) -> String { database.path + "-shm" }
}
