/// An engine that can commit in several key spaces at once, all or nothing.
package protocol JointStorage: StorageEngine {
  /// Equal for engines whose key spaces can be committed together.
  nonisolated var joint: ObjectIdentifier { get }

  /// Reads the changes of others in each key space and, unless they concern a basis, applies all
  /// changes, in one transaction.
  ///
  /// - Returns: the outcome of each part; either all have positions or none.
  func commit(_ parts: [StoragePart]) async throws -> [StorageCommit]
}

/// The part of a transaction in one key space.
package struct StoragePart: Sendable {
  package let storage: any StorageEngine
  package let changes: [StorageChange]
  package let basis: StorageBasis
  /// The follower to advance past the transaction; nil if only this process writes there.
  package let follower: StorageFollower?

  /// Creates a part.
  package init(
    storage: any StorageEngine, changes: [StorageChange], basis: StorageBasis,
    follower: StorageFollower?
  ) {
    self.storage = storage
    self.changes = changes
    self.basis = basis
    self.follower = follower
  }
}

extension MemoryStorageEngine: JointStorage {
  /// The same for all engines in memory, whose commits cannot fail.
  package nonisolated var joint: ObjectIdentifier { ObjectIdentifier(MemoryStorageEngine.self) }

  package func commit(_ parts: [StoragePart]) async throws -> [StorageCommit] {
    for part in parts { try await part.storage.commit(part.changes) }
    return parts.map { _ in StorageCommit(update: StorageUpdate(), positions: []) }
  }
}
