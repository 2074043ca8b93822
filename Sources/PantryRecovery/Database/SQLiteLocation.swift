internal import Glibc
internal import SystemSupport

/// The location of a database file, and the way to open connections to it.
///
/// The log, the other files beside the database, the watched directory and the names in its events
/// all come from ``place``.
package struct SQLiteLocation: Sendable {
  /// The place of the file itself, to which symbolic links lead.
  package let place: FileLocation
  package let path: String
  /// The path that was asked for, which may be a link.
  let givenPath: String
  /// The error for a directory that is another program's.
  let otherOwner: @Sendable () -> StorageError?
  /// Whether nothing may be written to the database, its log and the directory.
  package let isReadOnly: Bool

  /// The time a new connection waits for the locks of others, in milliseconds; 0 for a glance,
  /// which reads a few rows and trusts their indexes.
  let patience: Int32

  package init(
    _ givenPath: String, isReadOnly: Bool, patience: Int32,
    otherOwner: @escaping @Sendable () -> StorageError?
  ) {
    self.givenPath = givenPath
    self.isReadOnly = isReadOnly
    self.patience = patience
    self.otherOwner = otherOwner
    place = FileLocation(followingLinksFrom: givenPath)
    path = place.path
  }

  /// Throws if the path that was asked for is a link that now leads to another file.
  package func requireLink() throws(StorageError) {
    if givenPath != path, FileIdentity(path: givenPath) != FileIdentity(path: path) {
      throw .linkHasChanged(path: givenPath, file: path)
    }
  }

  /// Whether it is still a link: a loop, or a target that is not UTF-8.
  var isLink: Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// Why no database can have the name, in words; nil if one can.
  var unusableName: String? {
    let (name, suffix) = (place.name, "-journal".utf8.count)
    if ["", ".", ".."].contains(name) { return "\"\(name)\" is no file name" }
    let longest = Int(NAME_MAX) - suffix
    if name.utf8.count > longest {
      return "its name has \(name.utf8.count) bytes; with those of the files beside it, at most "
        + "\(longest) fit"
    }
    // MAX_PATHNAME of SQLite's os_unix.c; it adds the suffix, too.
    let room = 512 - suffix
    guard path.utf8.count > room else { return nil }
    return "it has \(path.utf8.count) bytes, and SQLite takes paths of at most \(room)"
  }

  var allPaths: [String] { [path, logPath, logIndexPath, path + "-journal", notifyPath] }

  /// The error for what is no plain file; nil for one, and if there is nothing.
  static func obstacle(at path: String) -> StorageError? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return nil }
    let code = status.st_mode & S_IFMT == S_IFDIR ? EISDIR : ENXIO
    return .cannotOpen(path: path, reason: SystemError(code: code).description)
  }

  /// Throws why nothing can be written there; creates the directory if it is missing.
  ///
  /// It opens nothing, so it may be wrong in the end: opening and writing throw their own errors.
  package func requireWritable() throws {
    try FileJudge.judge(FileEvidence(path: path, place: self))
    try Directories.create(place.directory)
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
    try Self.require(W_OK, place.directory) { .cannotWrite(path: place.directory, reason: $0) }
  }

  /// Returns whether there is a file at `path`.
  ///
  /// - Throws: ``StorageError`` if it is unknown, or not a plain file.
  static func exists(_ path: String) throws(StorageError) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT { return false }
      throw .cannotOpen(path: path, reason: SystemError(code: errno).description)
    }
    if let obstacle = obstacle(at: path) { throw obstacle }
    return true
  }

  private static func require(
    _ mode: Int32, _ path: String, _ error: (String) -> StorageError
  ) throws(StorageError) {
    if access(path, mode) != 0 { throw error(SystemError(code: errno).description) }
  }

  package var logPath: String { path + "-wal" }

  /// The index of the log, which the connections of all processes share.
  package var logIndexPath: String { path + "-shm" }

  /// The file by which the processes on the database coordinate.
  package var notifyPath: String { Self.notifyName(of: path) }

  package static func notifyName(of name: String) -> String { name + "-notify" }

  /// Opens a connection, creating the directory (0700), the file (0600) and the tables as needed.
  ///
  /// A read-only location creates nothing.
  ///
  /// - Parameter waits: whether to wait for the locks of others.
  /// - Throws: ``StorageError`` for a refused file; it is left as it was, and so is its log.
  package func open(waits: Bool = true) throws -> Database {
    try FileJudge.judge(FileEvidence(path: path, place: self))
    if !isReadOnly {
      try Directories.create(place.directory)
      try SQLiteReplacement(self).finish()
      try FileJudge.judge(FileEvidence(path: path, content: self))
      try createFile()
    }
    // SQLite takes this for the lock of another process.
    if SQLiteNotifyFile.lacksLocks(at: notifyPath) {
      throw StorageError.unsupportedFileSystem(path: path, lack: "locks")
    }
    return try connect(.creating, waits: waits) { database in
      if !isReadOnly { try FileJudge.judge(FileEvidence(path: path, replayed: database)) }
      try SQLiteSchema.prepare(database)
    }
  }

  /// Opens another connection to a file that ``open()`` has opened.
  ///
  /// The file may have been replaced, so it is checked in the same way.
  ///
  /// - Parameter waits: whether to wait for the locks of others.
  package func openAnother(waits: Bool = true) throws -> Database {
    try connect(.writing, waits: waits) { database in
      try SQLiteSchema.accept(database)
      try SQLiteSchema.configure(database)
    }
  }

  /// Whether no process has the file open, and all of it is in the file itself.
  var isAtRest: Bool {
    [logPath, path + "-journal"].allSatisfy(FileIdentity.isAbsent)
      && !SQLiteNotifyFile.isOpen(at: notifyPath)
  }

  /// Opens a connection to check the file; one at rest gets no log and no index beside it.
  func openToCheck() throws -> Database {
    guard isAtRest else { return try openAnother() }
    return try connect(.readingImmutable) { try SQLiteSchema.accept($0) }
  }

  /// Opens a connection that `prepare` has accepted.
  ///
  /// SQLite needs an index to read a write-ahead log, and creates it beside the log. Where it
  /// cannot, as on a full disk, a database with an empty log is opened as immutable.
  private func connect(
    _ access: Database.Access, waits: Bool = true, _ prepare: (Database) throws -> Void
  ) throws -> Database {
    func connect(_ access: Database.Access) throws -> Database {
      try FileJudge.judge(FileEvidence(path: path, names: self))
      let database = try Database(path: path, access: access, patience: waits ? patience : 0)
      // The file may be refused. Besides, SQLite removes the log with the last connection by its
      // locks, which any `close` of the file in a process releases: see ``SQLiteWriter/close()``.
      try database.configure(.noCheckpointOnClose, true)
      // With pictures of 300 KB that is a page read for each: 40 ms for 10,000.
      if patience > 0 {
        database.beforeUse = { try FileJudge.judge(FileEvidence(path: $0.path, rows: $0)) }
      }
      let bytes = try FileBytes(of: database)
      try FileJudge.judge(FileEvidence(path: path, header: bytes, log: bytes))
      try prepare(database)
      database.patience = patience
      if !isReadOnly { database.metDamage = DamageMark(of: path).leave }
      return database
    }
    let allowed = isReadOnly && access != .readingImmutable ? .reading : access
    do {
      return try connect(allowed)
    } catch let error as SQLiteError where error.mayBeForLackOfLogIndex && !canCreateFiles {
      guard !SQLiteLog.hasFrames(at: logPath) else {
        throw StorageError.needsWriting(
          path: path,
          reason: "its latest changes are in \(place.name)-wal, whose index cannot be created here")
      }
      return try connect(.readingImmutable)
    } catch let error as SQLiteError where error.lack != nil {
      throw StorageError.unsupportedFileSystem(path: path, lack: error.lack ?? "")
    } catch let error as SQLiteError where error.isForInterruptedCommit {
      throw StorageError.needsWriting(
        path: path, reason: "a program ended while it wrote, and left a journal")
    } catch let error as SQLiteError where error.isForLackOfRoomForLogIndex {
      guard SQLiteLog.hasFrames(at: logPath) else { return try connect(.readingImmutable) }
      throw SQLiteError.diskFull(path: path)
    } catch let error as SQLiteError where error.kind == .cannotOpen {
      for file in [path, logPath, logIndexPath]
      where Glibc.access(file, R_OK) != 0 && errno == EACCES {
        throw StorageError.cannotOpen(path: file, reason: SystemError(code: EACCES).description)
      }
      throw error
    }
  }

  /// Whether the file has a second name, in which case SQLite would keep a second log
  /// (https://sqlite.org/howtocorrupt.html, "Multiple links to the same file").
  ///
  /// A damaged file that is being set aside has one for a moment.
  var hasSecondName: Bool {
    var status = stat()
    guard stat(path, &status) == 0, status.st_nlink > 1 else { return false }
    let file = FileIdentity(status)
    // Without a list of names, the second one counts.
    let setAside = place.siblings(withSuffix: ".corrupt-").count {
      FileIdentity(path: $0) == file
    }
    return Int(status.st_nlink) > 1 + setAside
  }

  private var canCreateFiles: Bool { access(place.directory, W_OK) == 0 }

  /// Creates an empty file if there is none.
  ///
  /// SQLite would create it with the umask's mode; its log and its index take the file's.
  private func createFile() throws {
    guard FileIdentity.isAbsent(path) else { return }
    // The log of another process's new file must not be mistaken for a stray one.
    try locked { try createFileInTurn() }
  }

  /// Runs `body` while no other process does this: one at a time creates or replaces the file.
  package func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
    let lock = Descriptors.openOrCreate(notifyPath, O_RDWR)
    defer { if lock >= 0 { close(lock) } }
    while lock >= 0, flock(lock, LOCK_EX) != 0, errno == EINTR {}
    return try body()
  }

  /// Whether the file was emptied: its backups say that it had rows.
  var isEmptied: Bool {
    // SQLite takes a file of one byte for an empty one.
    FileStamp(path: path).map { $0.byteCount <= 1 } ?? false
      && !SQLiteBackups(path).paths.isEmpty && !SQLiteLog.hasFrames(at: logPath)
  }

  private func createFileInTurn() throws {
    guard FileIdentity.isAbsent(path) else { return }
    try SQLiteLog.setStrayLogAside(at: self)
    let descriptor = Descriptors.create(path, O_RDWR)
    if descriptor >= 0 {
      close(descriptor)
    } else if errno != EEXIST {
      throw StorageError.cannotCreate(path: path, reason: SystemError(code: errno).description)
    }
  }
}
