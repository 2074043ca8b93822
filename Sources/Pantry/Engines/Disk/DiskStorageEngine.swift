public import FoundationEssentials

/// An engine that keeps each item in a human-readable file of its own.
///
/// A file is one line of JSON (the key, the position, when it was created and updated, the number
/// of bytes) and then the data. It is named by the SHA-256 digest of the key, so no key can leave
/// the directory; files have mode 0600, the directory 0700. Keys that differ in a byte are
/// different keys.
///
/// Once a call returns, its changes survive a crash of the program and of the machine. A commit of
/// several changes goes through an intent journal: after a crash at any point, all of it is there
/// or nothing. A call that throws ``StorageError/outcomeUnknown(reason:)`` could not flush its
/// renames, so the change may or may not survive a power failure; the next call reads the directory
/// again. After any other error everything is as it was.
///
/// Any number of engines and processes can use one directory at the same time. Each call holds a
/// lock while it reads or writes, waits up to 5 seconds for it (``StorageError/inUse(path:)``), and
/// sees all earlier commits of others, never a part of one. If a process is killed in the middle of
/// a commit, the next one that takes the lock finishes or discards it. A ``Store`` follows the
/// changes of others a moment later: by inotify, or by polling twice a second on a file system
/// without change events. Item files copied, written or removed by hand are followed too. If the
/// directory is replaced, the new one is read; while there is none, calls throw
/// ``StorageError/fileIsGone(path:)``.
///
/// Files with other names are left alone. A file that has the name of an item but is none is left
/// out of every list, reported by ``damagedFiles()``, and replaced when its key is written; an item
/// whose length differs from its header keeps its place in the lists.
///
/// Any call can throw ``DiskError``, which names the operation, the path and the system's error.
///
/// The first call reads the header of every file, and the index stays in memory: about 250 bytes
/// per item. After a commit of up to 2,000 changes, other processes read only these again; after a
/// larger one they compare the files' sizes and times. A write costs two flushes of the disk, a
/// commit of several changes five or more. The engine runs on a queue of its own. Its methods are
/// `async` like the protocol's: otherwise Swift would pick the protocol's defaults for a caller
/// that knows the type.
public actor DiskStorageEngine: StorageEngine {
  nonisolated let folder: DiskFolder
  nonisolated let now: @Sendable () -> Date

  /// The queue that the engine runs on.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    folder.executor.asUnownedSerialExecutor()
  }

  /// Opens `directory`, finishing or discarding a commit that a crash interrupted.
  ///
  /// It does not wait: while another process is writing, recovery is left to the first call. It
  /// creates the directory unless `readOnly` is true.
  ///
  /// With `readOnly`, nothing is written to the directory. Calls that write throw
  /// ``StorageError/readOnly(path:)`` before they do anything; reading and following the writes of
  /// others work as usual. A missing directory is not created
  /// (``StorageError/nothingToRead(path:)``), and one with an interrupted commit cannot be read
  /// until another process has finished it (``StorageError/needsWriting(path:reason:)``). A
  /// directory without write permission, as on a read-only file system, is read in the same way,
  /// even without `readOnly`.
  ///
  /// - Parameters:
  ///   - directory: the folder that holds the item files.
  ///   - readOnly: whether to write nothing.
  ///   - now: the clock of `createdAt` and `updatedAt`.
  /// - Throws: ``StorageError`` if the directory cannot be created, or has a journal that is
  ///   damaged or of a newer version; ``DiskError`` if the system refuses.
  /// - Complexity: O(n) in the number of files; only their names are read.
  public init(
    directory: StorageDirectory, readOnly: Bool = false,
    now: @escaping @Sendable () -> Date = { Date() }
  ) throws {
    try self.init(OpenFolder(directory, isReadOnly: readOnly), now: now)
  }

  init(_ folder: OpenFolder, now: @escaping @Sendable () -> Date = { Date() }) throws {
    self.init(try DiskFolder.shared(folder), now: now)
  }

  /// Creates an engine on a folder of its own, as if it were in another process.
  init(_ folder: DiskFolder, now: @escaping @Sendable () -> Date = { Date() }) {
    self.folder = folder
    self.now = now
  }

  // MARK: Writing

  /// Writes the file of `key`, replacing an existing one.
  ///
  /// - Throws: ``DiskError`` or ``StorageError``; see ``DiskStorageEngine``.
  public func write(_ data: Data, key: CacheKey) async throws {
    try folder.commit([.write(data, key: key)], at: now())
  }

  /// Removes the file of `key`; no error if there is none.
  ///
  /// - Throws: ``DiskError`` or ``StorageError``; see ``DiskStorageEngine``.
  public func remove(key: CacheKey) async throws {
    try folder.commit([.remove(key: key)], at: now())
  }

  /// Removes everything, including the files listed by ``damagedFiles()``.
  ///
  /// - Throws: ``DiskError`` or ``StorageError``; see ``DiskStorageEngine``.
  public func removeAllData() async throws {
    try folder.commit([.removeAll], at: now())
  }

  /// Applies all changes, or none.
  ///
  /// - Throws: ``DiskError`` or ``StorageError``; see ``DiskStorageEngine``.
  public func commit(_ changes: [StorageChange]) async throws {
    guard !changes.isEmpty else { return }
    try folder.commit(changes, at: now())
  }

  // MARK: Reading

  /// Reads the data of `key`, or nil.
  ///
  /// - Throws: ``StorageError/damagedFile(path:reason:)`` if the content of its file is not what
  ///   was written.
  public func read(key: CacheKey) async throws -> Data? {
    try folder.data(Self.digest(key))
  }

  /// Reads many in the order of `keys`, as of one moment, skipping absent ones.
  ///
  /// - Throws: ``DiskError`` or ``StorageError``.
  public func readDataAndKeys(keys: [CacheKey]) async throws -> [(key: CacheKey, data: Data)] {
    try folder.rows(keys.map { ($0, Self.digest($0)) })
  }

  /// Reads everything with its keys in insertion order.
  ///
  /// A file whose length differs from its header does not prevent reading the others: its row is
  /// delivered as it is, and a ``Store`` lists it in `loadIssues`.
  ///
  /// - Throws: ``DiskError`` or ``StorageError``.
  public func readAllDataAndKeys() async throws -> [(key: CacheKey, data: Data)] {
    try folder.rows().map { ($0.key, $0.data) }
  }

  /// Returns whether `key` has a file, without reading its data.
  ///
  /// - Throws: ``DiskError`` or ``StorageError``.
  public func keyExists(_ key: CacheKey) async throws -> Bool {
    try entry(key) != nil
  }

  /// Returns the existing ones of `keys`, as of one moment, in the order given.
  ///
  /// - Throws: ``DiskError`` or ``StorageError``.
  public func keysExist(_ keys: [CacheKey]) async throws -> [CacheKey] {
    try folder.withIndex { index in keys.filter { index.entries[Self.digest($0)] != nil } }
  }

  /// Returns the number of item files.
  ///
  /// - Throws: ``DiskError`` or ``StorageError``.
  public func keyCount() async throws -> Int {
    try folder.withIndex(\.entries.count)
  }

  /// Returns every key in insertion order, without reading data.
  ///
  /// - Throws: ``DiskError`` or ``StorageError``.
  public func allKeys() async throws -> [CacheKey] {
    try folder.withIndex { $0.ordered().map(\.entry.key) }
  }

  /// Returns the time at which `key` was first written, from the header of its file.
  ///
  /// - Throws: ``DiskError`` or ``StorageError``.
  public func createdAt(key: CacheKey) async throws -> Date? {
    try entry(key)?.createdAt
  }

  /// Returns the time at which `key` was last written, from the header of its file.
  ///
  /// - Throws: ``DiskError`` or ``StorageError``.
  public func updatedAt(key: CacheKey) async throws -> Date? {
    try entry(key)?.updatedAt
  }

  /// Lists the damaged item files, by path.
  ///
  /// Damage is detected when a file is first read; the file is left untouched.
  ///
  /// - Throws: ``DiskError`` or ``StorageError``.
  public func damagedFiles() async throws -> [DamagedFile] {
    try folder.withIndex { index in
      let damaged = index.entries.compactMap { digest, entry in
        entry.damage.map { DamagedFile(path: folder.path(of: digest), key: entry.key, reason: $0) }
      }
      let unreadable = index.unreadable.map { digest, file in
        DamagedFile(path: folder.path(of: digest), key: nil, reason: file.reason)
      }
      return (damaged + unreadable).sorted { $0.path < $1.path }
    }
  }

  private func entry(_ key: CacheKey) throws -> DiskIndex.Entry? {
    try folder.withIndex { $0.entries[Self.digest(key)] }
  }

  private static func digest(_ key: CacheKey) -> ContentDigest {
    ContentDigest(of: Data(key.rawValue.utf8))
  }
}

/// A file whose content is not what the engine wrote.
public struct DamagedFile: Hashable, Sendable {
  /// The path of the file.
  public let path: String
  /// The key in its header, if readable.
  public let key: CacheKey?
  /// The damage, in words for the user.
  public let reason: String
}
