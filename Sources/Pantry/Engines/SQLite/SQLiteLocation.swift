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

  /// Opens a connection, creating the directory (0700), the file (0600) and the tables as needed.
  func open(schema: SQLiteSchema = .current) throws -> Database {
    try directory.create()
    // SQLite would create the file with the umask's mode; its log and its index take the file's.
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_EXCL, 0o600)
    if descriptor >= 0 {
      close(descriptor)
    } else if errno != EEXIST {
      throw StorageError.cannotCreate(path: path, reason: SystemError(code: errno).description)
    }
    let database = try Database(path: path)
    try schema.prepare(database)
    return database
  }

  /// Opens a further connection to a file that ``open()`` has opened.
  func openAnother() throws -> Database {
    let database = try Database(path: path, creates: false)
    try SQLiteSchema.configure(database)
    return database
  }
}
