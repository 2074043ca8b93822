internal import FoundationEssentials
internal import Glibc

/// The location of a database file, and the way to open connections to it.
struct SQLiteLocation: Sendable {
  let directory: StorageDirectory
  let filename: String
  let path: String
  /// Whether nothing may be written to the database, its log and the directory.
  let isReadOnly: Bool

  /// How long a new connection waits for the locks of others, in milliseconds.
  let patience: Int32

  /// - Parameter patience: how long a new connection waits for the locks of others, in
  ///   milliseconds.
  init(
    _ filename: String, in directory: StorageDirectory, isReadOnly: Bool = false,
    patience: Int32 = Database.patience
  ) {
    self.directory = directory
    self.filename = filename
    self.isReadOnly = isReadOnly
    self.patience = patience
    let path = directory.url.appending(path: filename).standardizedFileURL
      .path(percentEncoded: false)
    // SQLite keeps the log beside the file, not beside a symbolic link to it.
    self.path = Self.target(ofLink: path) ?? path
  }

  /// The file that a symbolic link leads to; nil if `path` is no link, or leads nowhere.
  private static func target(ofLink path: String) -> String? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK,
      let target = realpath(path, nil)
    else { return nil }
    defer { free(target) }
    return String(cString: target)
  }

  /// Throws why nothing can be written there; creates the directory if it is missing.
  ///
  /// It opens nothing, so it may be wrong in the end: opening and writing throw their own errors.
  func requireWritable() throws(StorageError) {
    try directory.create()
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    if try Self.exists(path) {
      try Self.require(R_OK, path) { .cannotOpen(path: path, reason: $0) }
      try Self.require(W_OK, path) { .cannotWrite(path: path, reason: $0) }
      var missing = 0
      for beside in [logPath, logIndexPath] {
        if try Self.exists(beside) {
          try Self.require(W_OK, beside) { .cannotWrite(path: beside, reason: $0) }
        } else {
          missing += 1
        }
      }
      // With both, nothing needs to be created.
      if missing == 0 { return }
    }
    try Self.require(W_OK, folder) { .cannotWrite(path: folder, reason: $0) }
  }

  /// Returns whether there is a plain file at `path`.
  private static func exists(_ path: String) throws(StorageError) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT { return false }
      throw .cannotOpen(path: path, reason: SystemError(code: errno).description)
    }
    guard status.st_mode & S_IFMT != S_IFDIR else {
      throw .cannotOpen(path: path, reason: SystemError(code: EISDIR).description)
    }
    return true
  }

  private static func require(
    _ mode: Int32, _ path: String, _ error: (String) -> StorageError
  ) throws(StorageError) {
    if access(path, mode) != 0 { throw error(SystemError(code: errno).description) }
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
  /// - Parameter waits: whether to wait for the locks of others.
  /// - Throws: ``StorageError`` for a refused file; it is left as it was, and so is its log.
  func open(schema: SQLiteSchema = .current, waits: Bool = true) throws -> Database {
    if isReadOnly {
      guard !FileIdentity.isAbsent(path) else { throw StorageError.nothingToRead(path: path) }
    } else {
      try directory.create()
      try SQLiteReplacement(self).finish()
      try requireContent()
      try createFile()
    }
    return try connect(.creating, waits: waits) { database in
      try requireFittingLog(of: database)
      try schema.prepare(database)
    }
  }

  /// Opens another connection to a file that ``open()`` has opened.
  ///
  /// The file may have been replaced, so it is checked in the same way.
  ///
  /// - Parameter waits: whether to wait for the locks of others.
  func openAnother(waits: Bool = true) throws -> Database {
    try connect(.writing, waits: waits) { database in
      try SQLiteSchema.current.accept(database)
      try SQLiteSchema.configure(database)
    }
  }

  /// Opens a connection that `prepare` has accepted.
  ///
  /// SQLite needs an index to read a write-ahead log, and creates it beside the log. Where it
  /// cannot, as on a full disk, a database with an empty log is opened as immutable.
  private func connect(
    _ access: Database.Access, waits: Bool = true, _ prepare: (Database) throws -> Void
  ) throws -> Database {
    func connect(_ access: Database.Access) throws -> Database {
      try requireOneName()
      let database = try Database(path: path, access: access, patience: waits ? patience : 0)
      // The file may be refused. Besides, SQLite removes the log with the last connection by its
      // locks, which any `close` of the file in a process releases: see ``SQLiteWriter/close()``.
      try database.configure(.noCheckpointOnClose, true)
      try SQLiteLog.requireOwnLog(of: database)
      try prepare(database)
      database.patience = patience
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
    } catch let error as SQLiteError where error.isForLackOfRoomForLogIndex {
      guard !SQLiteLog.hasFrames(at: logPath) else { throw SQLiteError.diskFull(path: path) }
      return try connect(.readingImmutable)
    }
  }

  /// Throws if the file has a second name: SQLite would keep a second log for that
  /// (https://sqlite.org/howtocorrupt.html, "Multiple links to the same file").
  ///
  /// A damaged file that is being set aside has one for a moment.
  private func requireOneName() throws(StorageError) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_nlink > 1 else { return }
    let place = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let (folder, name) = (String(path[..<place]), path[place...])
    // Without a list of names, the second one counts.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []  // see above
    let file = FileIdentity(status)
    let setAside = names.count {
      $0.hasPrefix("\(name).corrupt-") && FileIdentity(path: folder + $0) == file
    }
    guard Int(status.st_nlink) <= 1 + setAside else { throw .hardLinked(path: path) }
  }

  /// Whether files can be created beside the database.
  private var canCreateFiles: Bool {
    access(path.lastIndex(of: "/").map { String(path[...$0]) } ?? ".", W_OK) == 0
  }

  /// Creates an empty file if there is none.
  ///
  /// SQLite would create it with the umask's mode; its log and its index take the file's.
  private func createFile() throws {
    guard FileIdentity.isAbsent(path) else { return }
    // The log of another process's new file must not be mistaken for a stray one.
    try locked { try createFileInTurn() }
  }

  /// Runs `body` while no other process does this: one at a time creates or replaces the file.
  func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
    let lock = Glibc.open(notifyPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    defer { if lock >= 0 { close(lock) } }
    while lock >= 0, flock(lock, LOCK_EX) != 0, errno == EINTR {}
    return try body()
  }

  /// Throws if a log that a killed process left does not fit the file.
  ///
  /// A backup that is copied over the file, instead of being moved there, leaves the log of the
  /// former content. Its pages have the same size, so only the content tells.
  ///
  /// - Complexity: O(n) in the number of rows, after a process was killed; otherwise O(1).
  private func requireFittingLog(of database: Database) throws {
    guard !isReadOnly, SQLiteLog.hasFrames(at: logPath),
      !SQLiteNotifyFile.isOpen(at: notifyPath)
    else { return }
    if try database.integer("PRAGMA application_id") == SQLiteSchema.applicationID {
      guard try hasSoundRows(database) else {
        throw StorageError.damagedFile(
          path: path,
          reason: "it does not fit its write-ahead log, as if a backup had been copied over it")
      }
    }
  }

  /// Returns whether SQLite finds no damage in any table but that of attachments, whose check would
  /// read all their bytes.
  private func hasSoundRows(_ database: Database) throws -> Bool {
    let problems = try database.statement(
      """
      SELECT 1 FROM sqlite_schema AS s, pragma_integrity_check(s.name) AS problem
      WHERE s.type = 'table' AND s.name <> 'attachment' AND problem.integrity_check <> 'ok' LIMIT 1
      """)
    defer { problems.reset() }
    return try !problems.step()
  }

  /// Throws if the file was emptied: its backups say that it had rows.
  private func requireContent() throws {
    guard let stamp = FileStamp(path: path), stamp.byteCount == 0,
      !SQLiteBackups(path).paths.isEmpty, !SQLiteLog.hasFrames(at: logPath)
    else { return }
    // It may have been created right now: its creator has the lock until it has tables.
    throw StorageError.damagedFile(path: path, reason: "it is empty, and there are backups of it")
  }

  private func createFileInTurn() throws {
    guard FileIdentity.isAbsent(path) else { return }
    try SQLiteLog.setStrayLogAside(at: self)
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_EXCL, 0o600)
    if descriptor >= 0 {
      close(descriptor)
    } else if errno != EEXIST {
      throw StorageError.cannotCreate(path: path, reason: SystemError(code: errno).description)
    }
  }
}
