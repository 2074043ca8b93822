internal import FoundationEssentials
internal import Pantry
internal import SystemSupport

/// The rows of a library's file that cannot be written, in memory.
///
/// They can be changed until the program ends. Pictures are read from the file when they are
/// needed; only new ones are in memory. The writes of other processes are not followed.
actor UnsavedEngine: LibraryEngine {
  nonisolated let reasonNotSaved: StorageError?
  private(set) var hasUnsavedChanges = false

  private nonisolated let namespace: String
  private nonisolated let pictures: UnsavedPictures
  private let rows = MemoryStorageEngine()
  private var reading: Task<Void, any Error>?

  /// - Parameters:
  ///   - base: the file, opened read-only; nil if there is nothing to read.
  ///   - reason: why nothing is saved, and nothing can be read if that is so.
  init(over base: SQLiteStorageEngine?, reason: StorageError, namespace: String) {
    self.init(UnsavedPictures(base), reason, namespace)
  }

  private init(_ pictures: UnsavedPictures, _ reason: StorageError?, _ namespace: String) {
    (self.pictures, reasonNotSaved, self.namespace) = (pictures, reason, namespace)
  }

  /// Creates an engine in place of a file that cannot be written.
  ///
  /// - Parameter obstacle: why it cannot.
  init(_ filename: String, in directory: StorageDirectory, obstacle: StorageError, _ name: String) {
    let (base, reason) = Self.base(filename, in: directory, obstacle: obstacle)
    self.init(over: base, reason: reason, namespace: name)
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
    } catch let error as SQLiteError where error.kind == .busy {
      // The lock may be gone when the rows are read.
      return (
        .deferred(directory: directory, databaseFilename: filename, readOnly: true), obstacle
      )
    } catch {
      let path = directory.url.appending(path: filename).path(percentEncoded: false)
      let words = (error as? SQLiteError)?.message ?? "\(error)"
      return (nil, .cannotOpen(path: path, reason: words))
    }
  }

  // MARK: The library

  nonisolated func sibling(namespace: String) -> any StorageEngine {
    UnsavedEngine(pictures, reasonNotSaved, namespace)
  }

  nonisolated var reasonNotReadable: StorageError? { pictures.base == nil ? reasonNotSaved : nil }
  nonisolated var readableFile: SQLiteStorageEngine? {
    pictures.base?.engine(namespace: namespace)
  }

  // MARK: Reading

  /// Reads the rows of the file, once.
  private func loaded() async throws -> MemoryStorageEngine {
    let reading =
      reading
      ?? Task { [rows] in
        let found = try await readableFile?.readAllDataAndKeys() ?? []
        await rows.commit(found.map { .write($0.data, key: $0.key) })
      }
    self.reading = reading
    do {
      try await reading.value
    } catch {
      if self.reading == reading { self.reading = nil }
      throw error
    }
    return rows
  }

  func read(key: CacheKey) async throws -> Data? { try await loaded().read(key: key) }

  func readAllDataAndKeys() async throws -> [(key: CacheKey, data: Data)] {
    try await loaded().readAllDataAndKeys()
  }

  func allKeys() async throws -> [CacheKey] { try await loaded().allKeys() }

  func keyCount() async throws -> Int { try await loaded().keyCount() }

  func createdAt(key: CacheKey) async throws -> Date? { try await loaded().createdAt(key: key) }

  func updatedAt(key: CacheKey) async throws -> Date? { try await loaded().updatedAt(key: key) }

  // MARK: Writing

  func write(_ data: Data, key: CacheKey) async throws {
    try await commit([.write(data, key: key)])
  }

  func remove(key: CacheKey) async throws { try await commit([.remove(key: key)]) }

  func removeAllData() async throws { try await commit([.removeAll]) }

  func commit(_ changes: [StorageChange]) async throws {
    try await prepare(changes)
    pictures.refer(changes, in: namespace)
    await rows.commit(changes)
    hasUnsavedChanges = true
  }

  nonisolated var joint: ObjectIdentifier { ObjectIdentifier(pictures) }

  func commit(_ parts: [StoragePart]) async throws -> [StorageCommit] {
    for part in parts { try await part.admitChanges() }
    for part in parts { try await (part.storage as? UnsavedEngine)?.prepare(part.changes) }
    for part in parts where !part.changes.isEmpty {
      try await part.storage.commit(part.changes)
    }
    return parts.map { _ in StorageCommit(update: StorageUpdate(), positions: []) }
  }

  /// Reads all that a commit needs, after which it cannot fail.
  private func prepare(_ changes: [StorageChange]) async throws {
    _ = try await loaded()
    for case .write(_, _, let attachments) in changes {
      for attachment in attachments where !attachment.isStored(in: self) {
        pictures.keep(try await attachment.data(), attachment.digest)
      }
    }
  }

  // MARK: Pictures

  nonisolated var liveAttachments: AttachmentsInUse? { pictures.live }

  nonisolated func attachmentData(for digest: ContentDigest) async throws -> Data? {
    if let data = pictures.bytes(digest) { return data }
    return try await pictures.base?.attachmentData(for: digest)
  }

  func sweepAttachments() async { pictures.sweep() }
}

/// The pictures that the engines of a library in memory share.
private final class UnsavedPictures: Sendable {
  private struct Row: Hashable {
    let namespace: String
    let key: CacheKey
  }

  private struct State {
    /// The pictures that the file does not have.
    var bytes: [ContentDigest: Data] = [:]
    var references: [Row: [ContentDigest]] = [:]
  }

  let base: SQLiteStorageEngine?
  let live = AttachmentsInUse()
  private let state = Lock(State())

  init(_ base: SQLiteStorageEngine?) { self.base = base }

  func bytes(_ digest: ContentDigest) -> Data? { state.withLock { $0.bytes[digest] } }

  func keep(_ data: Data, _ digest: ContentDigest) { state.withLock { $0.bytes[digest] = data } }

  /// Records what the rows of a namespace refer to, and frees what none does any more.
  func refer(_ changes: [StorageChange], in namespace: String) {
    state.withLock { state in
      for change in changes {
        switch change {
        case .write(_, let key, let attachments):
          state.references[Row(namespace: namespace, key: key)] = attachments.map(\.digest)
        case .remove(let key): state.references[Row(namespace: namespace, key: key)] = nil
        case .removeAll:
          state.references = state.references.filter { $0.key.namespace != namespace }
        }
      }
    }
    sweep()
  }

  /// Frees the pictures in memory that neither a row nor a value refers to.
  func sweep() {
    state.withLock { state in
      let used = Set(state.references.values.joined())
      state.bytes = state.bytes.filter { used.contains($0.key) || live.contains($0.key) }
    }
  }
}
