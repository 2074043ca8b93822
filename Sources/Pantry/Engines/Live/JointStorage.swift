/// An engine that can commit in several key spaces at once: all or nothing.
protocol JointStorage: StorageEngine {
  /// Equal for those engines whose key spaces can be committed together.
  nonisolated var joint: ObjectIdentifier { get }

  /// Reads what others have changed in each key space and, unless that concerns a basis, applies
  /// all changes, in one transaction.
  ///
  /// - Returns: what became of each part; either all have positions or none.
  func commit(_ parts: [StoragePart]) async throws -> [StorageCommit]
}

/// What a transaction does in one key space.
struct StoragePart: Sendable {
  let storage: any StorageEngine
  let changes: [StorageChange]
  let basis: StorageBasis
  /// The follower to move past the transaction; nil if only this process writes there.
  let follower: StorageFollower?
}

extension MemoryStorageEngine: JointStorage {
  /// All that is in memory: none of its commits can fail.
  nonisolated var joint: ObjectIdentifier { ObjectIdentifier(MemoryStorageEngine.self) }

  func commit(_ parts: [StoragePart]) async throws -> [StorageCommit] {
    for part in parts { try await part.storage.commit(part.changes) }
    return parts.map { _ in StorageCommit(update: StorageUpdate(), positions: []) }
  }
}
