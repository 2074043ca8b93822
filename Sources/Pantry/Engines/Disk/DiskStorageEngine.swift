public import FoundationEssentials
internal import SystemSupport

/// An engine that keeps each item in a human-readable file of its own.
///
/// A file is one line of JSON (the key, the position, when it was created and updated, the number
/// of bytes) and then the data. It is named by the SHA-256 digest of the key, so no key can leave
/// the directory; files have mode 0600, the directory 0700. Other files are left alone.
///
/// Once a call returns, its changes survive a crash of the program and of the machine; of a commit,
/// all or nothing does. A call that throws ``StorageError/outcomeUnknown(reason:)`` could not flush
/// its renames. After any other error, such as a ``FileError``, everything is as it was.
///
/// A directory belongs to one process. While it is open, opening it in another one throws
/// ``StorageError/inUse(path:)``; processes that only read share it. The engines of one process on
/// a directory share it, and their stores follow each other. A network file system does not keep
/// another machine away.
///
/// A file that cannot be read is in the `loadIssues` of a ``Store``, hides no other, and is
/// replaced when its key is written. Files that are copied, written or removed by hand are read at
/// the next opening. A call throws ``StorageError/fileIsGone(path:)`` while the directory is not at
/// its path.
///
/// The first call reads the header of every file, which takes about 250 bytes of memory for each.
/// A write costs two flushes of the disk, a commit of several changes five or more. The engine runs
/// on a queue of its own.
public actor DiskStorageEngine: StorageEngine {
  nonisolated let path: String
  nonisolated let directory: DiskDirectory
  private let isReadOnly: Bool
  private let now: @Sendable () -> Date

  /// The queue that the engine runs on.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    directory.executor.asUnownedSerialExecutor()
  }

  /// Opens `directory`, which is created if it is absent.
  ///
  /// With `readOnly`, or without write permission, nothing is written to it: writing throws
  /// ``StorageError/readOnly(path:)``, a missing directory ``StorageError/nothingToRead(path:)``,
  /// an interrupted commit ``StorageError/needsWriting(path:reason:)``.
  ///
  /// - Parameters:
  ///   - directory: the folder that holds the item files.
  ///   - readOnly: whether to write nothing.
  ///   - now: the clock of `createdAt` and `updatedAt`.
  /// - Throws: ``StorageError``, such as ``StorageError/inUse(path:)`` if another process has the
  ///   directory open, or ``FileError``; the first call for a damaged or newer journal.
  public init(
    directory: StorageDirectory, readOnly: Bool = false,
    now: @escaping @Sendable () -> Date = { Date() }
  ) throws {
    try self.init(OpenFolder(directory, isReadOnly: readOnly), readOnly: readOnly, now: now)
  }

  init(
    _ folder: OpenFolder, readOnly: Bool = false,
    now: @escaping @Sendable () -> Date = { Date() }, patience: Duration = .seconds(1)
  ) throws {
    path = folder.path
    directory = .shared(folder)
    isReadOnly = readOnly
    self.now = now
    try directory.lock(forWriting: !readOnly && directory.folder.isWritable, patience: patience)
  }

  /// Whether files may be written, and the permissions allow it now.
  var isWritable: Bool { !isReadOnly && directory.folder.isWritable }

  /// Returns the directory with its items, or throws as the type says.
  func loaded() throws -> DiskDirectory {
    // Where the system cannot tell, it may be in its place.
    let isInPlace =
      FileIdentity(path: path).map { $0 == directory.folder.identity }
      ?? !FileIdentity.isAbsent(path)
    guard isInPlace else { throw StorageError.fileIsGone(path: path) }
    try directory.load(mayWrite: isWritable)
    return directory
  }

  /// Applies the changes of `part`, all or nothing.
  func apply(_ part: StoragePart) throws -> StorageCommit {
    guard isWritable else { throw StorageError.readOnly(path: path) }
    // It may have become writable since it was opened.
    try directory.lock(forWriting: true, patience: .zero)
    return try loaded().commit(part, at: now().timeIntervalSince1970)
  }

  private func apply(_ changes: [StorageChange]) throws {
    _ = try apply(StoragePart(storage: self, changes: changes, rowGuard: nil))
  }

  /// Writes the file of `key`, replacing an existing one, or throws as the type says.
  public func write(_ data: Data, key: CacheKey) async throws {
    try apply([.write(data, key: key)])
  }

  /// Removes the file of `key`, if there is one, or throws as the type says.
  public func remove(key: CacheKey) async throws {
    try apply([.remove(key: key)])
  }

  /// Removes everything, unreadable files included, or throws as the type says.
  public func removeAllData() async throws {
    try apply([.removeAll])
  }

  /// Applies all changes, or throws as the type says and applies none.
  public func commit(_ changes: [StorageChange]) async throws {
    if !changes.isEmpty { try apply(changes) }
  }

  /// Reads the data of `key`, or nil.
  ///
  /// - Throws: ``StorageError/damagedFile(path:reason:)`` if the content of its file is not what
  ///   was written, ``StorageError/cannotOpen(path:reason:)`` if it cannot be read.
  public func read(key: CacheKey) async throws -> Data? {
    try loaded().data(key)
  }

  /// Reads many in the order of `keys`, as of one moment, or throws like ``read(key:)``.
  public func readDataAndKeys(keys: [CacheKey]) async throws -> [(key: CacheKey, data: Data)] {
    let directory = try loaded()
    return try keys.compactMap { key in try directory.data(key).map { (key, $0) } }
  }

  /// Reads everything that can be read with its keys in insertion order; a cut file as it is.
  public func readAllDataAndKeys() async throws -> [(key: CacheKey, data: Data)] {
    try loaded().allRows().filter { $0.reason == nil }.map { ($0.key, $0.data) }
  }

  /// Returns whether `key` has a file, without reading its data, or throws ``FileError``.
  public func keyExists(_ key: CacheKey) async throws -> Bool {
    try header(key) != nil
  }

  /// Returns every key in insertion order, without reading data, or throws ``FileError``.
  public func allKeys() async throws -> [CacheKey] {
    try loaded().items.values.filter(\.isReadable).sorted { $0.place < $1.place }.map(\.key)
  }

  /// Returns when `key` was first written, or throws ``FileError``.
  public func createdAt(key: CacheKey) async throws -> Date? {
    try header(key).map { Date(timeIntervalSince1970: $0.created) }
  }

  /// Returns when `key` was last written, or throws ``FileError``.
  public func updatedAt(key: CacheKey) async throws -> Date? {
    try header(key).map { Date(timeIntervalSince1970: $0.updated) }
  }

  private func header(_ key: CacheKey) throws -> DiskItemHeader? {
    try loaded().items[DiskDirectory.digest(key)].flatMap { $0.isReadable ? $0.header : nil }
  }
}
