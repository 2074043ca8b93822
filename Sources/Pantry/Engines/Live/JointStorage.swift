/// An engine that can commit in several key spaces at once, all or nothing.
protocol JointStorage: StorageEngine {
  /// Equal for engines whose key spaces can be committed together.
  nonisolated var joint: ObjectIdentifier { get }

  /// Reads the changes of others in each key space and, unless they concern a basis, applies all
  /// changes, in one transaction.
  ///
  /// - Returns: the outcome of each part; either all have positions or none.
  func commit(_ parts: [StoragePart]) async throws -> [StorageCommit]
}

/// The part of a transaction in one key space.
struct StoragePart: Sendable {
  let storage: any StorageEngine
  let changes: [StorageChange]
  let basis: StorageBasis
  /// The follower to advance past the transaction; nil if only this process writes there.
  let follower: StorageFollower?
}

extension MemoryStorageEngine: JointStorage {
  /// The same for all engines in memory, whose commits cannot fail.
  nonisolated var joint: ObjectIdentifier { ObjectIdentifier(MemoryStorageEngine.self) }

  func commit(_ parts: [StoragePart]) async throws -> [StorageCommit] {
    for part in parts { try await part.storage.commit(part.changes) }
    return parts.map { _ in StorageCommit(update: StorageUpdate(), positions: []) }
  }
}
