public import FoundationEssentials

/// An engine that keeps each item in a file of its own, which a person can read.
///
/// A file is one line of JSON (the key, the position, when it was created and updated, the number
/// of bytes) and then the data. It is called by the SHA-256 digest of the key, so no key can leave
/// the directory; files are created with mode 0600, the directory 0700. Keys that differ in a byte
/// are different keys.
///
/// What a call has returned from survives a crash of the program and of the machine. A commit of
/// several changes goes through an intent journal: after a crash at any point all of it is there or
/// nothing. A call that throws ``StorageError/outcomeUnknown(reason:)`` could not flush the names
/// that it had given, so that the change may or may not survive a loss of power; the next call
/// reads the directory again. After any other error everything is as it was.
///
/// Any number of engines and processes use one directory at the same time. Each call takes a lock
/// for as long as it reads or writes, waits up to 5 seconds for it (``StorageError/inUse(path:)``),
/// sees what others have committed until then and never a part of a commit. If a process has been
/// killed in the middle of a commit, the next one that takes the lock finishes it or discards it. A
/// ``Store`` follows what others change, a moment later: it is told by inotify, and where a file
/// system does not tell, it looks twice a second. Item files that a person copies, writes or
/// removes by hand are followed in the same way. If another directory takes the place of this one,
/// that is read; while there is none, calls throw ``StorageError/fileIsGone(path:)``.
///
/// Files with other names are left alone. A file that is called like an item and is none is left
/// out of every list, reported by ``damagedFiles()``, and replaced when its key is written; one
/// whose data has another length than its header says still has its place in the lists.
///
/// Any call can throw ``DiskError``, which names the operation, the path and the system's error.
///
/// The first call reads the head of every file, and the index stays in memory: about 250 bytes an
/// item. After a commit of up to 2,000 changes, other processes read only these again; after a
/// larger one they compare the files' sizes and times. A write costs two flushes of the disk, a
/// commit of several changes five or more. The engine runs on a queue of its own. Its methods are
/// `async` like the protocol's: were they not, Swift would pick the protocol's defaults for a
/// caller that knows the type.
public actor DiskStorageEngine: StorageEngine {
  nonisolated let folder: DiskFolder
  nonisolated let now: @Sendable () -> Date

  /// The queue that the engine runs on.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    folder.executor.asUnownedSerialExecutor()
  }

  /// Opens `directory`, finishing or discarding a commit that a crash interrupted.
  ///
  /// It waits for nobody: while another process is writing, that is left to the first call. It creates
  /// the directory unless it is only read.
  ///
  /// With `readOnly`, nothing is written to the directory. Calls that write throw
  /// ``StorageError/readOnly(path:)`` before they do anything; reading and following what others write
  /// work as ever. A directory that is not there is not created
  /// (``StorageError/nothingToRead(path:)``), and one with a commit that is to be finished cannot be
  /// read until another process has finished it (``StorageError/needsWriting(path:reason:)``). A
  /// directory that cannot be written, as on a read-only file system, is read in the same way,
  /// `readOnly` or not.
  ///
  /// - Parameters:
  ///   - directory: the folder that holds the item files.
  ///   - readOnly: whether nothing is to be written.
  ///   - now: tells the time that `createdAt` and `updatedAt` report.
  /// - Throws: ``StorageError`` if the directory cannot be created, or has a journal that is
  ///   damaged or of a newer version; ``DiskError`` if the system refuses.
  /// - Complexity: O(n) in the number of files, of which only the names are read.
  public init(
    directory: StorageDirectory, readOnly: Bool = false,
    now: @escaping @Sendable () -> Date = { Date() }
  ) throws {
    try self.init(OpenFolder(directory, isReadOnly: readOnly), now: now)
  }

  init(_ folder: OpenFolder, now: @escaping @Sendable () -> Date = { Date() }) throws {
    self.init(try DiskFolder.shared(folder), now: now)
  }

  /// Makes an engine on a folder that others need not share, as if they were in another process.
  init(_ folder: DiskFolder, now: @escaping @Sendable () -> Date = { Date() }) {
    self.folder = folder
    self.now = now
  }

  // MARK: Writing

  /// Writes a file, in place of the one that `key` has.
  public func write(_ data: Data, key: CacheKey) async throws {
    try folder.commit([.write(data, key: key)], at: now())
  }

  /// Removes the file of `key`; no error if there is none.
  public func remove(key: CacheKey) async throws {
    try folder.commit([.remove(key: key)], at: now())
  }

  /// Removes everything, also the files that ``damagedFiles()`` names.
  public func removeAllData() async throws {
    try folder.commit([.removeAll], at: now())
  }

  /// Applies all changes, or none.
  public func commit(_ changes: [StorageChange]) async throws {
    guard !changes.isEmpty else { return }
    try folder.commit(changes, at: now())
  }

  // MARK: Reading

  /// Reads what is under `key`, or nil.
  ///
  /// - Throws: ``StorageError/damagedFile(path:reason:)`` if its file is not as it was written.
  public func read(key: CacheKey) async throws -> Data? {
    try folder.data(Self.digest(key))
  }

  /// Reads many in the order of `keys`, as of one moment, leaving out those that are absent.
  public func readDataAndKeys(keys: [CacheKey]) async throws -> [(key: CacheKey, data: Data)] {
    try folder.rows(keys.map { ($0, Self.digest($0)) })
  }

  /// Reads everything with its keys in insertion order.
  ///
  /// A file whose length is not the one in its header does not keep the others from being read: its
  /// row is handed over as it is, for a ``Store`` to list in `loadIssues`.
  public func readAllDataAndKeys() async throws -> [(key: CacheKey, data: Data)] {
    try folder.rows().map { ($0.key, $0.data) }
  }

  /// Tells whether `key` has a file, without reading its data.
  public func keyExists(_ key: CacheKey) async throws -> Bool {
    try entry(key) != nil
  }

  /// Returns those of `keys` that have a file, as of one moment, in the order given.
  public func keysExist(_ keys: [CacheKey]) async throws -> [CacheKey] {
    try folder.withIndex { index in keys.filter { index.entries[Self.digest($0)] != nil } }
  }

  /// Counts the item files.
  public func keyCount() async throws -> Int {
    try folder.withIndex(\.entries.count)
  }

  /// Returns every key in insertion order, without reading data.
  public func allKeys() async throws -> [CacheKey] {
    try folder.withIndex { $0.ordered().map(\.entry.key) }
  }

  /// Tells when `key` was first written, by the header of its file.
  public func createdAt(key: CacheKey) async throws -> Date? {
    try entry(key)?.createdAt
  }

  /// Tells when `key` was last written, by the header of its file.
  public func updatedAt(key: CacheKey) async throws -> Date? {
    try entry(key)?.updatedAt
  }

  /// Lists the files that are called like items and are not what was written, by path.
  ///
  /// They are found when they are first read, and left untouched.
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

/// A file that an engine found not to be what it wrote.
public struct DamagedFile: Hashable, Sendable {
  /// The file.
  public let path: String
  /// The key in its header, if that could be read.
  public let key: CacheKey?
  /// What is wrong with it, for a person.
  public let reason: String
}
