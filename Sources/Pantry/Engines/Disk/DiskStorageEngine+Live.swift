internal import FoundationEssentials

extension DiskStorageEngine: LiveStorage {
  nonisolated func follower(_ onChange: @escaping @Sendable () -> Void) -> StorageFollower {
    // A directory is one key space.
    let follower = StorageFollower(onChange: onChange)
    folder.followers.insert(follower)
    return follower
  }

  func rows(for follower: StorageFollower) async throws -> [StorageRow] {
    try folder.rows(for: follower)
  }

  func changes(for follower: StorageFollower) async throws -> StorageUpdate {
    try folder.changes(for: follower)
  }

  func commit(
    _ changes: [StorageChange], basedOn basis: StorageBasis, for follower: StorageFollower
  ) async throws -> StorageCommit {
    try folder.commit(changes, at: now(), basedOn: basis, for: follower)
  }
}
