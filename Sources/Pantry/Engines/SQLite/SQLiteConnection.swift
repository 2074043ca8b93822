internal import FoundationEssentials

/// A connection that writes, with the namespaces used on it.
///
/// Not Sendable: ``SQLiteWriter`` owns it.
final class SQLiteConnection {
  let database: Database
  /// The write-ahead log that the connection writes to.
  private let log: FileIdentity?
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
  ///
  /// Its content is copied to the database first, unless another process has started a new log. No
  /// program removes the log of an open database (https://sqlite.org/wal.html), but users do.
  func requireLog() throws {
    let found = FileIdentity(path: Self.logPath(database))
    guard let log, found != log else { return }
    if found == nil, !FileIdentity.isAbsent(Self.logPath(database)) { return }
    if found == nil { try? database.checkpoint() }  // a failure leaves it for the next attempt
    throw StorageError.logIsGone(path: database.path)
  }

  /// Returns whether a file is the log that the connection writes to.
  func isLog(_ file: FileIdentity) -> Bool { file == log }

  private static func logPath(_ database: Database) -> String { database.path + "-wal" }
}
