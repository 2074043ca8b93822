internal import FoundationEssentials
internal import Glibc

/// Where a database file is, and how a connection to it is opened.
struct SQLiteLocation: Sendable {
  let directory: StorageDirectory
  let filename: String
  let path: String

  init(_ filename: String, in directory: StorageDirectory) {
    self.directory = directory
    self.filename = filename
    path = directory.url.appending(path: filename).standardizedFileURL
      .path(percentEncoded: false)
  }

  /// The write-ahead log.
  var logPath: String { path + "-wal" }

  /// The index of the log, which the connections of all processes share.
  var logIndexPath: String { path + "-shm" }

  /// The file by which the processes on the database come to terms.
  var notifyPath: String { Self.notifyName(of: path) }

  static func notifyName(of filename: String) -> String { filename + "-notify" }

  /// Opens a connection, creating the directory (0700), the file (0600) and the tables as needed.
  ///
  /// - Throws: ``StorageError`` for a file that is refused; it is left as it was, its log too.
  func open(schema: SQLiteSchema = .current) throws -> Database {
    try directory.create()
    try createFile()
    let database = try Database(path: path)
    try SQLiteLog.requireOwnLog(of: database)
    try schema.prepare(database)
    return database
  }

  /// Opens a further connection to a file that ``open()`` has opened.
  ///
  /// Another file may have taken its place, so that it is looked at in the same way.
  func openAnother() throws -> Database {
    let database = try Database(path: path, creates: false)
    try SQLiteLog.requireOwnLog(of: database)
    try SQLiteSchema.current.accept(database)
    try SQLiteSchema.configure(database)
    return database
  }

  /// Creates an empty file if there is none.
  ///
  /// SQLite would create it with the umask's mode; its log and its index take the file's.
  private func createFile() throws {
    guard FileIdentity(path: path) == nil else { return }
    // One process at a time: the log of the next one's file must not be taken for a stray one.
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
