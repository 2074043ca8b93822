public import FoundationEssentials

extension StorageEngine {
  /// Nil: the rows are this engine object's only.
  public nonisolated var keySpace: StorageLocation? { nil }

  /// Writes many by `commit(_:)`, and throws what it throws.
  public func write(_ dataAndKeys: [(key: CacheKey, data: Data)]) async throws {
    try await commit(dataAndKeys.map { .write($0.data, key: $0.key) })
  }

  /// Reads many by ``readDataAndKeys(keys:)``, and throws what it throws.
  public func read(keys: [CacheKey]) async throws -> [Data] {
    try await readDataAndKeys(keys: keys).map(\.data)
  }

  /// Reads one key after another, and throws the first error.
  public func readDataAndKeys(keys: [CacheKey]) async throws -> [(key: CacheKey, data: Data)] {
    var found: [(key: CacheKey, data: Data)] = []
    for key in keys {
      if let data = try await read(key: key) { found.append((key, data)) }
    }
    return found
  }

  /// Reads everything by ``readAllDataAndKeys()``, and throws what it throws.
  public func readAllData() async throws -> [Data] {
    try await readAllDataAndKeys().map(\.data)
  }

  /// Reads the data of ``allKeys()``, and throws what reading throws.
  public func readAllDataAndKeys() async throws -> [(key: CacheKey, data: Data)] {
    try await readDataAndKeys(keys: allKeys())
  }

  /// Finds the page in ``allKeys()`` and reads its data, and throws what reading throws.
  public func readDataAndKeys(after key: CacheKey?, limit: Int) async throws
    -> [(key: CacheKey, data: Data)]
  {
    let keys = try await allKeys()
    guard let key else { return try await readDataAndKeys(keys: Array(keys.prefix(limit))) }
    guard let place = keys.firstIndex(of: key) else { return [] }
    return try await readDataAndKeys(keys: Array(keys[(place + 1)...].prefix(limit)))
  }

  /// Removes many by `commit(_:)`, and throws what it throws.
  public func remove(keys: [CacheKey]) async throws {
    try await commit(keys.map { .remove(key: $0) })
  }

  /// Returns whether ``read(key:)`` finds data, and throws what it throws.
  public func keyExists(_ key: CacheKey) async throws -> Bool {
    try await read(key: key) != nil
  }

  /// Looks each key up in ``allKeys()``, and throws what that throws.
  public func keysExist(_ keys: [CacheKey]) async throws -> [CacheKey] {
    let existing = try await Set(allKeys())
    return keys.filter(existing.contains)
  }

  /// Counts ``allKeys()``, and throws what that throws.
  public func keyCount() async throws -> Int {
    try await allKeys().count
  }

  /// Applies one change after another, and throws the first error; earlier changes stay applied.
  public func commit(_ changes: [StorageChange]) async throws {
    for change in changes {
      switch change {
      case .write(let data, let key, _): try await write(data, key: key)
      case .remove(let key): try await remove(key: key)
      case .removeAll: try await removeAllData()
      }
    }
  }

  /// Does nothing.
  public func close() async throws {}

  // MARK: Other writers

  /// Does nothing: there are no other writers.
  public nonisolated func add(_ follower: StorageFollower) {}

  /// Reads everything by ``readAllDataAndKeys()``, and throws what it throws.
  public func rows(for follower: StorageFollower) async throws -> [StorageRow] {
    try await readAllDataAndKeys().enumerated().map { position, row in
      StorageRow(key: row.key, data: row.data, position: position)
    }
  }

  /// Returns no changes.
  public func changes(for follower: StorageFollower) async throws -> StorageUpdate {
    StorageUpdate()
  }

  /// Commits by `commit(_:)`, and throws what it throws.
  public func commit(
    _ changes: [StorageChange], basedOn basis: ReadSet, for follower: StorageFollower
  ) async throws -> StorageCommit {
    try await commit(changes)
    return StorageCommit(update: StorageUpdate(), positions: [])
  }

  /// False.
  public nonisolated var ignoresCancellation: Bool { false }

  // MARK: Pages

  /// Reads all rows by ``rows(for:)`` as the first page, and throws what it throws.
  public func page(
    after position: Int?, limit: Int, for follower: StorageFollower
  ) async throws -> [StorageRow]? {
    position == nil ? try await rows(for: follower) : []
  }

  /// Nil: a store shows no excerpt.
  public func newestPage(limit: Int) async throws -> (rows: [StorageRow], count: Int)? { nil }

  // MARK: Several key spaces

  /// The engine alone.
  public nonisolated var joint: ObjectIdentifier { ObjectIdentifier(self) }

  /// Judges all parts, then commits one after another; throws the first error, after which earlier
  /// ones stay applied.
  public func commit(_ parts: [StoragePart]) async throws -> [StorageCommit] {
    for part in parts { try await part.admitChanges() }
    var commits: [StorageCommit] = []
    for part in parts {
      commits.append(
        try await part.storage.commit(part.changes, basedOn: part.basis, for: part.follower))
    }
    return commits
  }

  // MARK: Attachments

  /// Nil: bytes are written inline.
  public nonisolated var liveAttachments: AttachmentsInUse? { nil }

  /// Nil: there are none.
  public nonisolated func attachmentData(for digest: ContentDigest) async throws -> Data? { nil }

  /// Does nothing.
  public func sweepAttachments() async throws {}

  // MARK: The type of the rows

  /// Agrees with every claim.
  public func definition(for claim: RowType) async throws -> String? { claim.definition }

  /// Records nothing.
  public func record(_ claim: RowType, replacing known: String?) async throws -> String? {
    known
  }
}
