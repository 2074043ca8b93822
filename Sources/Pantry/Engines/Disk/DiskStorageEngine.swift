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
/// its renames. After any other error, such as a ``DiskError``, everything is as it was.
///
/// Any number of engines and processes can use one directory at the same time. Each call waits up
/// to 5 seconds for a lock (``StorageError/inUse(path:)``). A ``Store`` follows the changes of
/// others, and of files copied, written or removed by hand; a file that cannot be read is in its
/// `loadIssues`, hides no other, and is replaced when its key is written. While there is no
/// directory, calls throw ``StorageError/fileIsGone(path:)``.
///
/// The first call reads the header of every file, which takes about 250 bytes of memory for each,
/// and as much again for each follower. Later calls read what inotify(7) has reported; where it
/// cannot, as on a network file system, each call compares the sizes and times of all files, and a
/// following store does so twice a second. A write costs two flushes of the disk, a commit of
/// several changes five or more. The engine runs on a queue of its own.
public actor DiskStorageEngine: StorageEngine {
  nonisolated let path: String
  nonisolated let followers = StorageFollowers()
  nonisolated let executor = QueueExecutor(
    ProcessContext.current.services.queue(label: "pantry.disk", isUrgent: true))
  /// The timeout for a lock held by another process.
  let patience: Duration
  let now: @Sendable () -> Date
  /// Whether to behave as if the directory could not be watched.
  let polls: Bool

  var folder: OpenFolder
  var lock: DiskLock
  var items: [ContentDigest: DiskItem] = [:]
  /// A number that grows with each change of `items`.
  var version = 0
  /// The version of `items` that the followers were told of; nil after a call has failed.
  var told: Int?
  /// Larger than every position that was seen.
  var nextPosition = 0
  /// Whether a commit may be unfinished, and `items` wrong, without any notice of it.
  var isUnsure = true
  /// The number in the names of temporary files, unique for each commit of any process.
  var lastCommit = Int(ProcessContext.current.services.random() >> 16)
  var watch: (any DirectoryWatch)?
  /// The items whose files were reported as changed; nil if any may have changed.
  var changed: Set<ContentDigest>?
  /// Whether the directory will be checked in a moment.
  var isWaiting = false

  /// The queue that the engine runs on.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
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
  /// - Throws: ``StorageError`` or ``DiskError``; the first call for a damaged or newer journal.
  public init(
    directory: StorageDirectory, readOnly: Bool = false,
    now: @escaping @Sendable () -> Date = { Date() }
  ) throws {
    try self.init(OpenFolder(directory, isReadOnly: readOnly), now: now)
  }

  init(
    _ folder: OpenFolder, now: @escaping @Sendable () -> Date = { Date() },
    patience: Duration = .seconds(5), polls: Bool = false
  ) throws {
    path = folder.path
    self.folder = folder
    lock = DiskLock(folder)
    self.now = now
    self.patience = patience
    self.polls = polls
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
    try access { try data(key) }
  }

  /// Reads many in the order of `keys`, as of one moment, or throws like ``read(key:)``.
  public func readDataAndKeys(keys: [CacheKey]) async throws -> [(key: CacheKey, data: Data)] {
    try access { try keys.compactMap { key in try data(key).map { (key, $0) } } }
  }

  /// Reads everything that can be read with its keys in insertion order; a cut file as it is.
  public func readAllDataAndKeys() async throws -> [(key: CacheKey, data: Data)] {
    try access { try allRows().filter { $0.reason == nil }.map { ($0.key, $0.data) } }
  }

  /// Returns whether `key` has a file, without reading its data, or throws ``DiskError``.
  public func keyExists(_ key: CacheKey) async throws -> Bool {
    try header(key) != nil
  }

  /// Returns every key in insertion order, without reading data, or throws ``DiskError``.
  public func allKeys() async throws -> [CacheKey] {
    try access {
      items.values.filter(\.isReadable).sorted { $0.place < $1.place }.map(\.key)
    }
  }

  /// Returns when `key` was first written, or throws ``DiskError``.
  public func createdAt(key: CacheKey) async throws -> Date? {
    try header(key).map { Date(timeIntervalSince1970: $0.created) }
  }

  /// Returns when `key` was last written, or throws ``DiskError``.
  public func updatedAt(key: CacheKey) async throws -> Date? {
    try header(key).map { Date(timeIntervalSince1970: $0.updated) }
  }

  private func header(_ key: CacheKey) throws -> DiskItemHeader? {
    try access { items[Self.digest(key)].flatMap { $0.isReadable ? $0.header : nil } }
  }
}
