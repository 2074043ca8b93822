internal import Dispatch
public import FoundationEssentials

/// An engine on one SQLite file: transactions, one or many key spaces, attachments stored once.
///
/// Once a call returns, its changes survive a crash of the program and of the machine (write-ahead
/// log, `synchronous=FULL`). Engines on one file with different namespaces do not see each other's
/// items; all share attachments. The file is created with mode 0600, its directory 0700. Deleted
/// bytes stay in the file until they are overwritten (`secure_delete` is off).
///
/// Any call can throw ``SQLiteError``, which names the operation and the reason. While the file is
/// missing from its path, a call that writes throws ``StorageError/fileIsGone(path:)``.
///
/// All engines on one file share one writing connection and its queue: their calls run one after
/// another. Processes write in the order of their calls; a call that waits for 5 seconds in which
/// nothing is written throws ``SQLiteError``, which `isRetryable`. Its methods are `async` like the
/// protocol's: otherwise Swift would pick the protocol's defaults for a caller that knows the type.
///
/// A call that writes is one transaction, with one flush of the disk. One on single keys takes
/// O(log n) for each; one on all rows, and counting them, O(n).
public actor SQLiteStorageEngine: StorageEngine {
  /// The namespace of an engine without a given one.
  package static let defaultNamespace = "default"

  /// The version of the loaded SQLite library, such as 3.40.1.
  package static var libraryVersion: String { Database.libraryVersion }

  /// The key space within the file.
  package nonisolated var namespace: String { naming.name.text }
  /// The attachments in use by values of this process.
  public nonisolated var liveAttachments: AttachmentsInUse? { file.liveAttachments }

  nonisolated let file: SQLiteFile
  nonisolated let naming: SQLiteNamespace
  nonisolated let now: @Sendable () -> Date

  /// The queue that the engines of the file run on.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    file.writer.executor.asUnownedSerialExecutor()
  }

  /// Opens `databaseFilename` in `directory`, creating it unless `readOnly` is true.
  ///
  /// With `readOnly`, nothing is written to the database, its log or the directory, except that
  /// SQLite creates `-wal` and `-shm`, its log and the log's index, if they are missing and the
  /// directory is writable. Calls that write throw ``StorageError/readOnly(path:)`` before they do
  /// anything. Reading, attachments and following the writes of
  /// others work as usual. A file of an older schema cannot be upgraded, and is refused
  /// (``StorageError/needsWriting(path:reason:)``); a missing file is not created
  /// (``StorageError/nothingToRead(path:)``).
  ///
  /// On a read-only file system, and in a directory without write permission, a file is read in the
  /// same way, even without `readOnly`. If SQLite finds no index there, the file is read without
  /// its log; if the log has changes, the file is refused
  /// (``StorageError/needsWriting(path:reason:)``).
  ///
  /// - Parameters:
  ///   - directory: the directory of the file.
  ///   - databaseFilename: the name of the file.
  ///   - namespace: the key space within the file, for one type of items; an absent one reads as
  ///     empty.
  ///   - readOnly: whether to write nothing.
  ///   - now: the clock of `createdAt` and `updatedAt`.
  /// - Throws: ``StorageError`` or ``SQLiteError`` if the file cannot be opened, belongs to another
  ///   program, or was written by a newer version; then it is left as it was.
  public init(
    directory: StorageDirectory, databaseFilename: String = "pantry.sqlite",
    namespace: String = "default", readOnly: Bool = false,
    now: @escaping @Sendable () -> Date = { Date() }
  ) throws {
    try self.init(
      opening: .named(databaseFilename, in: directory, isReadOnly: readOnly),
      namespace: namespace, now: now)
  }

  init(
    opening file: SQLiteFile, namespace: String = "default",
    now: @escaping @Sendable () -> Date = { Date() }
  ) throws {
    let naming = SQLiteNamespace(namespace)
    try file.writer.sync { _ = try file.writer.connection().session(naming) }
    self.init(file, naming, now: now)
  }

  /// Returns an engine on a file that is opened at the first operation.
  ///
  /// If the file cannot be opened, every operation throws the reason, and the next one retries.
  ///
  /// - Parameters:
  ///   - directory: the directory of the file.
  ///   - databaseFilename: the name of the file.
  ///   - namespace: the key space within the file, as in
  ///     ``init(directory:databaseFilename:namespace:readOnly:now:)``.
  ///   - readOnly: whether to write nothing, as there.
  public static func deferred(
    directory: StorageDirectory, databaseFilename: String = "pantry.sqlite",
    namespace: String = "default", readOnly: Bool = false
  ) -> SQLiteStorageEngine {
    deferred(
      directory, databaseFilename, naming: SQLiteNamespace(namespace), isReadOnly: readOnly)
  }

  /// Returns why a file cannot be written, or not be created; nil if it can.
  ///
  /// The directory is created if it is missing. Nothing is opened, so it may be wrong in the end.
  package static func obstacle(
    toWriting filename: String, in directory: StorageDirectory
  ) -> StorageError? {
    do {
      try SQLiteLocation(filename, in: directory).requireWritable()
      return nil
    } catch {
      return error as? StorageError  // there is no other
    }
  }

  /// Returns an engine whose calls throw at once where another process holds a lock, and which does
  /// not count tables against their indexes first.
  package static func withoutWaiting(
    directory: StorageDirectory, databaseFilename: String, namespace: String, readOnly: Bool = true
  ) -> SQLiteStorageEngine {
    SQLiteStorageEngine(
      .named(databaseFilename, in: directory, isReadOnly: readOnly, patience: 0),
      SQLiteNamespace(namespace), now: { Date() })
  }

  static func deferred(
    _ directory: StorageDirectory, _ filename: String, naming: SQLiteNamespace,
    isReadOnly: Bool = false
  ) -> SQLiteStorageEngine {
    SQLiteStorageEngine(
      .named(filename, in: directory, isReadOnly: isReadOnly), naming, now: { Date() })
  }

  /// Returns an engine on another namespace of the same file, created at the first operation.
  public nonisolated func engine(namespace: String) -> SQLiteStorageEngine {
    SQLiteStorageEngine(file, SQLiteNamespace(namespace), now: now)
  }

  /// Returns an engine on `pantry.sqlite` in the default storage directory.
  ///
  /// It does not throw: if the file cannot be opened, every operation throws the reason.
  public static func `default`(
    appendingPath path: String, namespace: String = "default"
  ) -> SQLiteStorageEngine {
    deferred(directory: .defaultStorageDirectory(appendingPath: path), namespace: namespace)
  }

  /// Returns the default engine of a store, with a namespace named after the type.
  ///
  /// The file is `pantry.sqlite` in ``StorageDirectory/programData(fileID:)``, which belongs to the
  /// program: for a caller in another module, all operations throw
  /// ``StorageError/placeNeeded(module:program:former:)``.
  ///
  /// The namespace is the type's full name, such as `Notes.Note`, which separates types of the same
  /// name in two modules. A private or local type has no stable name: all operations throw
  /// ``StorageError/namespaceNeeded(type:)``.
  ///
  /// - Parameters:
  ///   - type: the item type.
  ///   - formerNames: the former full names of the type, newest first: their rows are adopted as
  ///     long as there are none under the current name.
  ///   - fileID: the calling file; its module names the directory.
  public static func `default`<Item>(
    for type: Item.Type, formerNames: [String] = [], fileID: String = #fileID
  ) -> SQLiteStorageEngine {
    program(fileID, formerNames) {
      SQLiteNamespace(for: type, formerNames: formerNames, module: $0)
    }
  }

  /// Returns an engine on a namespace of the program's default file.
  static func program(
    _ fileID: String, _ formerNames: [String], naming: (_ module: String) -> SQLiteNamespace
  ) -> SQLiteStorageEngine {
    let filename = "pantry.sqlite"
    let place = ProgramDirectory(
      in: BaseDirectories().data, fileID: fileID, formerTypes: formerNames)
    return deferred(place.holding(filename), filename, naming: naming(place.name))
  }

  private init(
    _ file: SQLiteFile, _ naming: SQLiteNamespace, now: @escaping @Sendable () -> Date
  ) {
    self.file = file
    self.naming = naming
    self.now = now
  }

  // MARK: Writing

  /// Writes `data` under `key`, in a transaction of its own.
  ///
  /// - Throws: ``SQLiteError`` or ``StorageError``; then nothing has changed, except perhaps after
  ///   ``StorageError/outcomeUnknown(reason:)``.
  public func write(_ data: Data, key: CacheKey) async throws {
    try await commit([.write(data, key: key)])
  }

  /// Removes `key`, in a transaction of its own.
  ///
  /// - Throws: ``SQLiteError`` or ``StorageError``; then nothing has changed, except perhaps after
  ///   ``StorageError/outcomeUnknown(reason:)``.
  public func remove(key: CacheKey) async throws {
    try await commit([.remove(key: key)])
  }

  /// Removes all rows of the namespace, in one transaction.
  ///
  /// - Throws: ``SQLiteError`` or ``StorageError``; then nothing has changed, except perhaps after
  ///   ``StorageError/outcomeUnknown(reason:)``.
  public func removeAllData() async throws {
    try await commit([.removeAll])
  }

  /// Applies all changes and their attachments in one transaction, or none.
  ///
  /// - Throws: ``SQLiteError`` or ``StorageError``; then nothing has changed, except perhaps after
  ///   ``StorageError/outcomeUnknown(reason:)``.
  public func commit(_ changes: [StorageChange]) async throws {
    guard !changes.isEmpty else { return }
    try await withBytesToStore(changes) { bytes in
      let session = try file.writer.writableConnection().session(naming)
      file.sweeper.sweepAfterOpening()
      _ = try run([SQLiteTransaction.Part(session: session, changes: changes)], bytes: bytes)
    }
  }

  /// Runs a transaction on the writable connection that made its sessions, and notifies the others
  /// of it.
  ///
  /// - Parameter ended: called before others are notified.
  func run(
    _ parts: [SQLiteTransaction.Part], bytes: [ContentDigest: Data],
    ended: (SQLiteTransaction.Outcome) -> Void = { _ in }
  ) throws -> SQLiteTransaction.Outcome {
    let connection = try file.writer.usedConnection()
    let transaction = SQLiteTransaction(parts: parts, bytes: bytes, time: now())
    let isPatient = file.watcher.isUndisturbed || file.notifyFile.takeTurn()
    var isConflict = false
    defer {
      if isConflict {
        file.notifyFile.keepTurn(on: file.writer.executor.queue)
      } else {
        file.notifyFile.endTurn()
      }
    }
    file.watcher.pause()
    defer { file.watcher.resume() }
    let outcome = try commit(transaction, on: connection, patiently: isPatient)
    isConflict = outcome.positions == nil
    if !isConflict { file.notifyFile.notify() }
    ended(outcome)
    file.watcher.committed(
      Dictionary(zip(parts.map(\.session.namespace), outcome.cursors)) { $1 },
      inFile: file.writer.fileNumber)
    file.checkpointer.logGrew(toPages: connection.pagesInLog.count)
    return outcome
  }

  private func commit(
    _ transaction: SQLiteTransaction, on connection: SQLiteConnection, patiently isPatient: Bool
  ) throws -> SQLiteTransaction.Outcome {
    do {
      return try transaction.run(on: connection.database, patiently: isPatient)
    } catch let error as SQLiteError where error.kind == .full {
      // The log is copied to the file, so that it restarts. If one of these fails, the commit fails
      // again.
      try? SQLiteLogRoom(path: file.location.path).giveBack(connection)
      try? connection.database.checkpoint()  // full: fails again
      return try transaction.run(on: connection.database, patiently: isPatient)
    }
  }

  // MARK: Attachments

  /// Reads an attachment on a separate connection, without waiting for a running write.
  ///
  /// - Throws: ``SQLiteError`` or ``StorageError``.
  public nonisolated func attachmentData(for digest: ContentDigest) async throws -> Data? {
    try await file.attachments.data(for: digest)
  }

  /// Frees all attachments that neither a row nor a value of this process refers to.
  ///
  /// Values of other processes that refer to them can no longer read their bytes.
  ///
  /// - Complexity: O(n) in the number of freed bytes.
  /// - Throws: ``SQLiteError`` or ``StorageError``.
  public func sweepAttachments() async throws {
    _ = try file.writer.writableConnection()
    try file.sweeper.sweepAll()
  }

  /// Calls `body` with the bytes of the attachments that the file does not have yet.
  ///
  /// Those that it had are looked up in the transaction only. If one is gone, as when the file was
  /// replaced, nothing was written, and all are looked up before the second attempt.
  func withBytesToStore<Result>(
    _ changes: some Sequence<StorageChange>, _ body: ([ContentDigest: Data]) throws -> Result
  ) async throws -> Result {
    do {
      return try body(try await bytesToStore(changes) { _ in true })
    } catch StorageError.attachmentMissing {
      return try body(
        try await bytesToStore(changes) { try openSession().hasAttachment($0.digest) })
    }
  }

  private func bytesToStore(
    _ changes: some Sequence<StorageChange>, unless isThere: (Attachment) throws -> Bool
  ) async throws -> [ContentDigest: Data] {
    var bytes: [ContentDigest: Data] = [:]
    var isWritable = false
    for case .write(_, _, let attachments) in changes where !attachments.isEmpty {
      // Otherwise all bytes would be read for nothing.
      if !isWritable { _ = try file.writer.writableConnection() }
      isWritable = true
      for attachment in attachments where bytes[attachment.digest] == nil {
        if attachment.isStored(in: self), try isThere(attachment) { continue }
        bytes[attachment.digest] = try await attachment.data()
      }
    }
    return bytes
  }

  /// The session of the engine's namespace on the file now at the path.
  func openSession() throws -> SQLiteSession {
    let connection = try file.writer.connection()
    try connection.database.settle()
    let session = try connection.session(naming)
    file.sweeper.sweepAfterOpening()
    return session
  }
}
