public import FoundationEssentials
internal import PantryJSON

/// Keeps all changes in memory, over the rows of a SQLite file that cannot be written.
///
/// It is for a home on a read-only file system, or a file that belongs to another user: existing
/// items are shown and can be changed as usual, until the program ends. Attachments are read from
/// the file when they are needed; only new ones are in memory. The writes of other processes are
/// not followed.
///
/// ```swift
/// let storage: any StorageEngine =
///   UnsavedStorageEngine(unlessWritable: "notes.sqlite", in: directory, namespace: "Note")
///   ?? SQLiteStorageEngine.deferred(directory: directory, databaseFilename: "notes.sqlite",
///     namespace: "Note")
/// ```
///
/// The engine is an actor on a queue of its own. Its first call reads all rows; after that the
/// costs are those of ``MemoryStorageEngine``.
public actor UnsavedStorageEngine: AttachmentStorage {
  /// The key space within the file.
  public nonisolated let namespace: String
  /// The reason why nothing is saved.
  public nonisolated let reason: StorageError
  /// Whether the rows of the file are shown; if not, ``reason`` says why.
  public nonisolated var isReadable: Bool { file.isReadable }

  /// An engine that reads the file, without the changes in memory, such as for a backup.
  ///
  /// Nil if the file cannot be read.
  public nonisolated var readOnlyEngine: SQLiteStorageEngine? {
    file.base?.engine(namespace: namespace)
  }

  nonisolated let file: UnsavedFile
  private let now: @Sendable () -> Date

  /// Returns an engine in place of a file that cannot be written; nil if it can.
  ///
  /// The directory is created if it is missing. What can be read of the file is shown; if that is
  /// nothing, ``reason`` says why.
  ///
  /// - Parameters:
  ///   - filename: the name of the file.
  ///   - directory: the directory of the file.
  ///   - namespace: the key space within the file, as for a ``SQLiteStorageEngine``.
  ///   - now: the clock of `createdAt` and `updatedAt`.
  public init?(
    unlessWritable filename: String, in directory: StorageDirectory,
    namespace: String = SQLiteStorageEngine.defaultNamespace,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    do throws(StorageError) {
      try SQLiteLocation(filename, in: directory).requireWritable()
      return nil
    } catch {
      let (base, reason) = Self.base(filename, in: directory, obstacle: error)
      self.init(UnsavedFile(over: base), reason: reason, namespace: namespace, now: now)
    }
  }

  init(
    _ file: UnsavedFile, reason: StorageError, namespace: String,
    now: @escaping @Sendable () -> Date
  ) {
    self.file = file
    self.reason = reason
    self.namespace = namespace
    self.now = now
  }

  /// Opens the file read-only; returns why nothing can be saved, or why nothing can be read either.
  private static func base(
    _ filename: String, in directory: StorageDirectory, obstacle: StorageError
  ) -> (SQLiteStorageEngine?, StorageError) {
    if case .cannotOpen = obstacle { return (nil, obstacle) }
    do {
      return (
        try SQLiteStorageEngine(
          directory: directory, databaseFilename: filename, readOnly: true), obstacle
      )
    } catch StorageError.nothingToRead {
      return (nil, obstacle)
    } catch let error as StorageError {
      return (nil, error)
    } catch let error as SQLiteError where error.code == .busy {
      // The lock may be gone when the rows are read.
      return (
        .deferred(directory: directory, databaseFilename: filename, readOnly: true), obstacle
      )
    } catch {
      let path = SQLiteLocation(filename, in: directory).path
      let words = (error as? SQLiteError)?.message ?? "\(error)"
      return (nil, .cannotOpen(path: path, reason: words))
    }
  }

  /// Returns an engine on another namespace of the same file.
  public nonisolated func engine(namespace: String) -> UnsavedStorageEngine {
    UnsavedStorageEngine(file, reason: reason, namespace: namespace, now: now)
  }

  /// Counts how the rows differ from those in the file, as items of a type.
  ///
  /// - Parameter type: the type of the items; rows that are equal items do not differ.
  public func unsavedChanges<Item: Decodable & Equatable>(
    of type: Item.Type
  ) async -> UnsavedChanges {
    let decoder = RowDecoder()
    return file.changes(in: namespace) { former, current in
      do {
        return try decoder.decode(type, from: former) == decoder.decode(type, from: current)
      } catch {
        // Rows that are not such items differ if their bytes do.
        return false
      }
    }
  }

  // MARK: Writing

  /// Writes `data` under `key` in memory; throws if the file cannot be read.
  public func write(_ data: Data, key: CacheKey) async throws {
    try await commit([.write(data, key: key)])
  }

  /// Removes `key` in memory; throws if the file cannot be read.
  public func remove(key: CacheKey) async throws { try await commit([.remove(key: key)]) }

  /// Removes everything in memory; throws if the file cannot be read.
  public func removeAllData() async throws { try await commit([.removeAll]) }

  /// Applies all changes in memory, or none; throws if the file cannot be read.
  public func commit(_ changes: [StorageChange]) async throws {
    try await commit([(namespace: namespace, changes: changes)])
  }

  private func commit(_ parts: [(namespace: String, changes: [StorageChange])]) async throws {
    var bytes: [ContentDigest: Data] = [:]
    for part in parts {
      try await file.load(part.namespace)
      for case .write(_, _, let attachments) in part.changes {
        for attachment in attachments
        where bytes[attachment.digest] == nil && !attachment.isStored(in: self) {
          bytes[attachment.digest] = try await attachment.data()
        }
      }
    }
    file.apply(parts, bytes: bytes, at: now())
  }

  // MARK: Reading

  /// Reads the data of `key`, or nil; throws if the file cannot be read.
  public func read(key: CacheKey) async throws -> Data? { try await rows { $0[key]?.data } }

  /// Reads everything with its keys in insertion order; throws if the file cannot be read.
  ///
  /// - Complexity: O(n log n): the rows are sorted.
  public func readAllDataAndKeys() async throws -> [(key: CacheKey, data: Data)] {
    try await rows(\.ordered)
  }

  /// Returns whether `key` exists; throws if the file cannot be read.
  public func keyExists(_ key: CacheKey) async throws -> Bool { try await rows { $0[key] != nil } }

  /// Returns the number of keys; throws if the file cannot be read.
  public func keyCount() async throws -> Int { try await rows(\.count) }

  /// Returns every key in insertion order; throws if the file cannot be read.
  public func allKeys() async throws -> [CacheKey] { try await rows { $0.ordered.map(\.key) } }

  /// Returns the time at which `key` was first written, or nil; throws if the file cannot be read.
  public func createdAt(key: CacheKey) async throws -> Date? {
    try await file.load(namespace)
    return try await file.times(of: key, in: namespace)?.created
  }

  /// Returns the time at which `key` was last written, or nil; throws if the file cannot be read.
  public func updatedAt(key: CacheKey) async throws -> Date? {
    try await file.load(namespace)
    return try await file.times(of: key, in: namespace)?.updated
  }

  private func rows<Result: Sendable>(_ body: (MemoryRows) -> Result) async throws -> Result {
    try await file.load(namespace)
    return file.read(namespace, body)
  }

  // MARK: Attachments

  /// The attachments in use by values of this process.
  public nonisolated var liveAttachments: LiveAttachments { file.liveAttachments }

  /// Returns an attachment from memory, or reads it from the file; throws if that fails.
  public nonisolated func attachmentData(for digest: ContentDigest) async throws -> Data? {
    try await file.attachmentData(for: digest)
  }

  /// Frees the new attachments in memory that nothing refers to.
  public func sweepAttachments() async { file.sweep() }
}

extension UnsavedStorageEngine: TypedStorage {
  /// Returns the definition recorded in the file; throws if the file cannot be read.
  public func definition(for claim: StorageClaim) async throws -> String? {
    try await file.definition(for: claim, namespace)
  }

  /// Records the definition of `claim` in memory; throws if the file cannot be read.
  public func record(_ claim: StorageClaim, replacing known: String?) async throws -> String? {
    if try await definition(for: claim) == known { file.record(claim, namespace) }
    return try await definition(for: claim)
  }
}

extension UnsavedStorageEngine: JointStorage {
  /// The same for all engines on one file.
  public nonisolated var joint: ObjectIdentifier { ObjectIdentifier(file) }

  /// Commits all parts in memory; none can fail.
  public func commit(_ parts: [StoragePart]) async throws -> [StorageCommit] {
    try await commit(
      parts.map { part in
        ((part.storage as? UnsavedStorageEngine)?.namespace ?? namespace, part.changes)
      })
    return parts.map { _ in StorageCommit(update: StorageUpdate(), positions: []) }
  }
}
