internal import FoundationEssentials

extension DiskStorageEngine: LiveStorage {
  /// Notifies the follower of writes of other engines and processes to the directory.
  public nonisolated func add(_ follower: StorageFollower) { folder.followers.insert(follower) }

  /// Reads all items of the directory, as of one moment, or throws ``DiskError``.
  public func rows(for follower: StorageFollower) async throws -> [StorageRow] {
    try folder.rows(for: follower)
  }

  /// Reads the writes of others to the directory, or throws ``DiskError``.
  public func changes(for follower: StorageFollower) async throws -> StorageUpdate {
    try folder.changes(for: follower)
  }

  /// Reads the writes of others, and commits, under one lock; throws ``DiskError``.
  public func commit(
    _ changes: [StorageChange], basedOn basis: StorageBasis, for follower: StorageFollower
  ) async throws -> StorageCommit {
    try folder.commit(changes, at: now(), basedOn: basis, for: follower)
  }
}
