extension DiskStorageEngine {
  /// Notifies the follower of writes of other engines and stores to the directory.
  public nonisolated func add(_ follower: StorageFollower) {
    directory.followers.insert(follower)
  }

  /// Reads all items of the directory, as of one moment, or throws ``FileError``.
  public func rows(for follower: StorageFollower) async throws -> [StorageRow] {
    let rows = try loaded().allRows()
    follower.cursor = Set<CacheKey>()
    return rows
  }

  /// Reads the writes of others to the directory, or throws ``FileError``.
  public func changes(for follower: StorageFollower) async throws -> StorageUpdate {
    let update = try loaded().update(for: follower)
    follower.cursor = Set<CacheKey>()
    return update
  }

  /// Reads the writes of others, and commits, in one turn; throws ``FileError``.
  public func commit(
    _ changes: [StorageChange], basedOn basis: ReadSet, for follower: StorageFollower
  ) async throws -> StorageCommit {
    try apply(StoragePart(storage: self, changes: changes, basis: basis, follower: follower))
  }

  /// Reads the writes of others, judges the rows, and commits, in one turn; throws ``FileError``.
  public func commit(_ parts: [StoragePart]) async throws -> [StorageCommit] {
    try parts.map { try apply($0) }
  }
}
