internal import Dispatch
public import FoundationEssentials

/// An engine on one SQLite file: transactions, one or many key spaces, attachments stored once.
///
/// What a call has returned from survives a crash of the program and of the machine (write-ahead
/// log, `synchronous=FULL`). Engines on one file with different namespaces do not see each other's
/// items; attachments are shared by all. The file is created with mode 0600, its directory 0700.
/// Deleted bytes stay in the file until they are overwritten (`secure_delete` is off).
///
/// Any call can throw ``SQLiteError``, which names the operation and SQLite's code. While the file
/// is not at its path, a call that writes throws ``StorageError/fileIsGone(path:)``.
///
/// All engines on one file share one connection that writes, and the queue that it runs on: their
/// calls happen one after another. A lock held by another process is waited for, 5 seconds, then
/// the call throws ``SQLiteError`` with the code `busy`. Its methods are `async` like the
/// protocol's: were they not, Swift would pick the protocol's defaults for a caller that knows the
/// type.
public actor SQLiteStorageEngine: AttachmentStorage {
  /// The namespace of an engine that was given none.
  public static let defaultNamespace = "default"

  /// The version of SQLite that the program runs with, such as 3.40.1.
  public static var libraryVersion: String { Database.libraryVersion }

  /// The key space within the file.
  public nonisolated var namespace: String { naming.name }
  /// Which attachments are held by values in this process.
  public nonisolated var liveAttachments: LiveAttachments { file.liveAttachments }

  nonisolated let file: SQLiteFile
  nonisolated let naming: SQLiteNamespace
  nonisolated let now: @Sendable () -> Date

  /// The queue that the engines of the file run on.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    file.writer.executor.asUnownedSerialExecutor()
  }

  /// Opens `databaseFilename` in `directory`, creating it unless it is only read.
  ///
  /// With `readOnly`, nothing is written to the database, its log or the directory, except that
  /// SQLite creates `-wal` and `-shm`, its log and the index of it, if they are not there and the
  /// directory can be written. Calls that write throw ``StorageError/readOnly(path:)`` before they do
  /// anything, and ``emptyLog()`` does nothing. Reading, attachments and following what others write
  /// work as ever. A file of an older schema cannot be upgraded, and is refused
  /// (``StorageError/needsWriting(path:reason:)``); one that is not there is not created
  /// (``StorageError/nothingToRead(path:)``).
  ///
  /// On a read-only file system, and in a directory that cannot be written, a file is read in the same
  /// way, `readOnly` or not. If SQLite finds no index there, the file is read as it is; if its log has
  /// changes then, it is refused (``StorageError/needsWriting(path:reason:)``).
  ///
  /// - Parameters:
  ///   - directory: where the file is.
  ///   - databaseFilename: what the file is called.
  ///   - namespace: the key space within the file; one that is not there has no rows to be read.
  ///   - readOnly: whether nothing is to be written.
  ///   - now: tells the time that `createdAt` and `updatedAt` report.
  /// - Throws: ``StorageError`` or ``SQLiteError`` if the file cannot be opened, is another
  ///   program's, or was written by a newer version; it is then left as it was.
  public init(
    directory: StorageDirectory, databaseFilename: String = "pantry.sqlite",
    namespace: String = defaultNamespace, readOnly: Bool = false,
    now: @escaping @Sendable () -> Date = { Date() }
  ) throws {
    try self.init(
      opening: .named(databaseFilename, in: directory, isReadOnly: readOnly),
      namespace: namespace, now: now)
  }

  init(
    opening file: SQLiteFile, namespace: String = defaultNamespace,
    now: @escaping @Sendable () -> Date = { Date() }
  ) throws {
    let naming = SQLiteNamespace(namespace)
    try file.writer.sync { _ = try file.writer.connection().session(naming) }
    self.init(file, naming: naming, now: now)
  }

  /// An engine on a file that is opened at the first operation.
  ///
  /// If the file cannot be opened, every operation throws the reason, and tries again.
  public static func deferred(
    directory: StorageDirectory, databaseFilename: String = "pantry.sqlite",
    namespace: String = defaultNamespace
  ) -> SQLiteStorageEngine {
    deferred(directory, databaseFilename, naming: SQLiteNamespace(namespace))
  }

  static func deferred(
    _ directory: StorageDirectory, _ filename: String, naming: SQLiteNamespace
  ) -> SQLiteStorageEngine {
    SQLiteStorageEngine(.named(filename, in: directory), naming: naming, now: { Date() })
  }

  /// An engine on another namespace of the same file, which is created at the first operation.
  public nonisolated func engine(namespace: String) -> SQLiteStorageEngine {
    SQLiteStorageEngine(file, naming: SQLiteNamespace(namespace), now: now)
  }

  /// The engine on `pantry.sqlite` in the default storage directory.
  ///
  /// It never throws here: if the file cannot be opened, every operation throws the reason.
  public static func `default`(
    appendingPath path: String, namespace: String = defaultNamespace
  ) -> SQLiteStorageEngine {
    deferred(directory: .defaultStorageDirectory(appendingPath: path), namespace: namespace)
  }

  /// The engine of a store that is given none, with a namespace named after the type.
  ///
  /// The file is `pantry.sqlite` in ``StorageDirectory/programData(fileID:)``.
  ///
  /// The namespace is the type's full name, such as `Notes.Note`, so that types of one name in two
  /// modules keep apart. A private type, and one declared in a function, has no name that lasts:
  /// all operations throw ``StorageError/namespaceNeeded(type:)``. What version 0.1.0 wrote, under
  /// the bare name and in a directory named after the process, is adopted once.
  ///
  /// - Parameters:
  ///   - type: whose items are kept.
  ///   - formerNames: the full names that the type has had before, the newest first: their rows are
  ///     taken over as long as there are none under today's name.
  ///   - fileID: the code whose module names the directory.
  public static func `default`<Item>(
    for type: Item.Type, formerNames: [String] = [], fileID: String = #fileID
  ) -> SQLiteStorageEngine {
    let filename = "pantry.sqlite"
    let directory = ProgramDirectory(
      in: BaseDirectories().data, fileID: fileID, formerTypes: formerNames
    ).holding(filename)
    return deferred(
      directory, filename, naming: SQLiteNamespace(for: type, formerNames: formerNames))
  }

  private init(
    _ file: SQLiteFile, naming: SQLiteNamespace, now: @escaping @Sendable () -> Date
  ) {
    self.file = file
    self.naming = naming
    self.now = now
  }

  // MARK: Writing

  /// Writes `data` under `key`, in a transaction of its own.
  public func write(_ data: Data, key: CacheKey) async throws {
    try await commit([.write(data, key: key)])
  }

  /// Removes what is under `key`, in a transaction of its own.
  public func remove(key: CacheKey) async throws {
    try await commit([.remove(key: key)])
  }

  /// Removes all rows of the namespace, in one transaction.
  public func removeAllData() async throws {
    try await commit([.removeAll])
  }

  /// Applies all changes and their attachments in one transaction, or none.
  public func commit(_ changes: [StorageChange]) async throws {
    guard !changes.isEmpty else { return }
    _ = try file.writer.writableConnection()
    let bytes = try await bytesToStore(changes)
    let session = try file.writer.writableConnection().session(naming)
    file.sweeper.sweepAfterOpening()
    _ = try run([SQLiteTransaction.Part(session: session, changes: changes)], bytes: bytes)
  }

  /// Runs a transaction on a connection that can write, and tells the others of it.
  ///
  /// - Parameter ended: called before anybody is told.
  func run(
    _ parts: [SQLiteTransaction.Part], bytes: [ContentDigest: Data],
    ended: (SQLiteTransaction.Outcome) -> Void = { _ in }
  ) throws -> SQLiteTransaction.Outcome {
    let connection = try file.writer.connection()
    let transaction = SQLiteTransaction(parts: parts, bytes: bytes, time: now())
    try file.succession.requireFile()
    try connection.requireLog()
    try SQLiteLogRoom(path: file.location.path)
      .require(transaction.byteCount, in: connection.database)
    let isPatient = file.notifyFile.takeTurn()
    defer { file.notifyFile.endTurn() }
    file.watcher.pause()
    defer { file.watcher.resume() }
    let outcome = try commit(transaction, on: connection, patiently: isPatient)
    if outcome.positions != nil { file.notifyFile.notify() }
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
    } catch let error as SQLiteError where error.code == .full {
      // What is in the log goes into the file, so that the log begins anew: a removal needs no
      // more. If one of these fails, the commit fails again.
      try? SQLiteLogRoom(path: file.location.path).giveBack(connection)  // see above
      try? connection.database.checkpoint()  // see above
      return try transaction.run(on: connection.database, patiently: isPatient)
    }
  }

  /// Copies the write-ahead log into the database file, and leaves an empty one if no other process
  /// has the file open: then the one file is all that there is.
  ///
  /// For the end of a program, after its last operation: SQLite does it by itself only when all
  /// connections are closed.
  public func emptyLog() async {
    guard !file.location.isReadOnly else { return }
    try? file.sweeper.sweepQuickly()  // failing leaves it for the next time
    await file.checkpointer.empty()
  }

  // MARK: Reading

  /// Reads what is under `key`, or nil.
  public func read(key: CacheKey) async throws -> Data? {
    try openSession().data(key: key)
  }

  /// Reads many in the order of `keys`, as of one moment, leaving out those that are absent.
  public func readDataAndKeys(keys: [CacheKey]) async throws -> [(key: CacheKey, data: Data)] {
    let session = try openSession()
    return try session.reading {
      try keys.compactMap { key in try session.data(key: key).map { (key: key, data: $0) } }
    }
  }

  /// Reads all rows of the namespace in insertion order, as of one moment.
  public func readAllDataAndKeys() async throws -> [(key: CacheKey, data: Data)] {
    try openSession().allRows().map { ($0.key, $0.data) }
  }

  /// Reads a page of rows by the table's index, as of one moment.
  ///
  /// - Complexity: O(`limit`), wherever the page is.
  public func readDataAndKeys(after key: CacheKey?, limit: Int) async throws
    -> [(key: CacheKey, data: Data)]
  {
    let session = try openSession()
    return try session.reading {
      var position = Int64.min
      if let key {
        guard let found = try session.position(of: key) else { return [] }
        position = found
      }
      return try session.page(after: position, limit: limit).map { ($0.key, $0.data) }
    }
  }

  /// Tells whether `key` has a row, without reading its data.
  public func keyExists(_ key: CacheKey) async throws -> Bool {
    try openSession().times(key: key) != nil
  }

  /// Returns those of `keys` that have a row, as of one moment, in the order given.
  public func keysExist(_ keys: [CacheKey]) async throws -> [CacheKey] {
    let session = try openSession()
    return try session.reading { try keys.filter { try session.times(key: $0) != nil } }
  }

  /// Counts the rows of the namespace.
  public func keyCount() async throws -> Int {
    try openSession().keyCount()
  }

  /// Returns every key in insertion order, without reading data.
  public func allKeys() async throws -> [CacheKey] {
    try openSession().allKeys()
  }

  /// Tells when `key` was first written, by its row.
  public func createdAt(key: CacheKey) async throws -> Date? {
    try openSession().times(key: key)?.created
  }

  /// Tells when `key` was last written, by its row.
  public func updatedAt(key: CacheKey) async throws -> Date? {
    try openSession().times(key: key)?.updated
  }

  // MARK: Attachments

  /// Reads an attachment on a connection of its own; a write under way is not waited for.
  public nonisolated func attachmentData(for digest: ContentDigest) async throws -> Data? {
    try await file.attachments.data(for: digest)
  }

  /// Frees the bytes of all attachments that no row refers to and no value of this process holds.
  ///
  /// Those that values of other processes hold too: they cannot be read any more.
  ///
  /// - Complexity: O(n) in the number of bytes that are freed.
  public func sweepAttachments() async throws {
    _ = try file.writer.writableConnection()
    try file.sweeper.sweepAll()
  }

  /// The bytes of those attachments that the file does not have yet.
  func bytesToStore(_ changes: [StorageChange]) async throws -> [ContentDigest: Data] {
    var bytes: [ContentDigest: Data] = [:]
    for case .write(_, _, let attachments) in changes {
      for attachment in attachments where bytes[attachment.digest] == nil {
        if attachment.isStored(in: self), try openSession().hasAttachment(attachment.digest) {
          continue
        }
        bytes[attachment.digest] = try await attachment.data()
      }
    }
    return bytes
  }

  /// Notes that a store of `type` keeps its items here.
  ///
  /// - Throws: ``StorageError/otherType(namespace:wrote:asks:)`` if it is named after another type.
  func claim(for type: TypeName) throws { try openSession().claim(naming, for: type) }

  /// The session of the engine's namespace on the file that is at the path now.
  func openSession() throws -> SQLiteSession {
    let session = try file.writer.connection().session(naming)
    file.sweeper.sweepAfterOpening()
    return session
  }
}
