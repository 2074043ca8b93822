internal import FoundationEssentials

/// A connection that writes, with the namespaces that have been used on it.
///
/// Not Sendable: ``SQLiteWriter`` owns it.
final class SQLiteConnection {
  let database: Database
  /// The write-ahead log that the connection writes to.
  private let log: FileIdentity?
  /// How long the write-ahead log was after the last commit.
  let pagesInLog = PagesInLog()
  /// How often the rows of one namespace have become those of another, which no commit has told.
  private(set) var moves = 0
  private var sessions: [SQLiteNamespace: SQLiteSession] = [:]

  init(_ database: Database) throws {
    self.database = database
    database.pagesInLogAfterCommits(pagesInLog)
    // The log is there from the first reading on.
    _ = try database.integer("SELECT count(*) FROM sqlite_schema")
    log = FileIdentity(path: Self.logPath(database))
  }

  /// The session of a namespace, which is created if it is not there.
  ///
  /// A read-only connection creates none, and looks its number up each time: a writer may create it,
  /// or rename another one.
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

  /// Throws if the log is not at its path any more: what is written to it now is lost.
  ///
  /// What it holds goes into the database first, unless another process has begun a new one. No
  /// program removes the log of a database that is open (https://sqlite.org/wal.html); people do.
  func requireLog() throws {
    let found = FileIdentity(path: Self.logPath(database))
    guard let log, found != log else { return }
    if found == nil { try? database.checkpoint() }  // a failure leaves it to the next attempt
    throw StorageError.logIsGone(path: database.path)
  }

  /// Whether an open file is the log that the connection writes to.
  func isLog(_ file: FileIdentity) -> Bool { file == log }

  private static func logPath(_ database: Database) -> String { database.path + "-wal" }
}
