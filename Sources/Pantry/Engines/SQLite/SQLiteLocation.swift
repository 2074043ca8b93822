internal import FoundationEssentials
internal import Glibc

/// The location of a database file, and the way to open connections to it.
struct SQLiteLocation: Sendable {
  let directory: StorageDirectory
  let filename: String
  let path: String
  /// Whether nothing may be written to the database, its log and the directory.
  let isReadOnly: Bool

  init(_ filename: String, in directory: StorageDirectory, isReadOnly: Bool = false) {
    self.directory = directory
    self.filename = filename
    self.isReadOnly = isReadOnly
    path = directory.url.appending(path: filename).standardizedFileURL
      .path(percentEncoded: false)
  }

  /// The write-ahead log.
  var logPath: String { path + "-wal" }

  /// The index of the log, which the connections of all processes share.
  var logIndexPath: String { path + "-shm" }

  /// The file by which the processes on the database coordinate.
  var notifyPath: String { Self.notifyName(of: path) }

  static func notifyName(of filename: String) -> String { filename + "-notify" }

  /// Opens a connection, creating the directory (0700), the file (0600) and the tables as needed.
  ///
  /// A read-only location creates nothing.
  ///
  /// - Throws: ``StorageError`` for a refused file; it is left as it was, and so is its log.
  func open(schema: SQLiteSchema = .current) throws -> Database {
    if isReadOnly {
      guard FileIdentity(path: path) != nil else { throw StorageError.nothingToRead(path: path) }
    } else {
      try directory.create()
      try createFile()
    }
    return try connect(.creating) { try schema.prepare($0) }
  }

  /// Opens another connection to a file that ``open()`` has opened.
  ///
  /// The file may have been replaced, so it is checked in the same way.
  func openAnother() throws -> Database {
    try connect(.writing) { database in
      try SQLiteSchema.current.accept(database)
      try SQLiteSchema.configure(database)
    }
  }

  /// Opens a connection that `prepare` has accepted.
  ///
  /// SQLite needs an index to read a write-ahead log, and creates it beside the log. Where it
  /// cannot, a database with an empty log is opened as immutable.
  private func connect(
    _ access: Database.Access, _ prepare: (Database) throws -> Void
  ) throws -> Database {
    func connect(_ access: Database.Access) throws -> Database {
      let database = try Database(path: path, access: access)
      try SQLiteLog.requireOwnLog(of: database)
      try prepare(database)
      return database
    }
    do {
      return try connect(isReadOnly ? .reading : access)
    } catch let error as SQLiteError where error.mayBeForLackOfLogIndex && !canCreateFiles {
      guard !SQLiteLog.hasFrames(at: logPath) else {
        throw StorageError.needsWriting(
          path: path,
          reason: "its latest changes are in \(filename)-wal, whose index cannot be created here")
      }
      return try connect(.readingImmutable)
    }
  }

  /// Whether files can be created beside the database.
  private var canCreateFiles: Bool {
    access(path.lastIndex(of: "/").map { String(path[...$0]) } ?? ".", W_OK) == 0
  }

  /// Creates an empty file if there is none.
  ///
  /// SQLite would create it with the umask's mode; its log and its index take the file's.
  private func createFile() throws {
    guard FileIdentity(path: path) == nil else { return }
    // One process at a time: the log of another process's new file must not be mistaken for a stray
    // one.
    let lock = Glibc.open(notifyPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    defer { if lock >= 0 { close(lock) } }
    while lock >= 0, flock(lock, LOCK_EX) != 0, errno == EINTR {}
    guard FileIdentity(path: path) == nil else { return }
    try SQLiteLog.setStrayLogAside(at: self)
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_EXCL, 0o600)
    if descriptor >= 0 {
      close(descriptor)
    } else if errno != EEXIST {
      throw StorageError.cannotCreate(path: path, reason: SystemError(code: errno).description)
    }
  }
}
