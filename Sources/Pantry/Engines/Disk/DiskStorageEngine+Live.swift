internal import FoundationEssentials

extension DiskStorageEngine: LiveStorage {
  /// Tells the follower of what other engines and other processes write to the directory.
  public nonisolated func add(_ follower: StorageFollower) { folder.followers.insert(follower) }

  /// Reads all items of the directory, as of one moment.
  public func rows(for follower: StorageFollower) async throws -> [StorageRow] {
    try folder.rows(for: follower)
  }

  /// Reads what others have written to the directory.
  public func changes(for follower: StorageFollower) async throws -> StorageUpdate {
    try folder.changes(for: follower)
  }

  /// Reads what others have written, and writes, under one lock.
  public func commit(
    _ changes: [StorageChange], basedOn basis: StorageBasis, for follower: StorageFollower
  ) async throws -> StorageCommit {
    try folder.commit(changes, at: now(), basedOn: basis, for: follower)
  }
}
