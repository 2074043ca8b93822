/// An engine that can commit in several key spaces at once, all or nothing.
///
/// `store.transaction(with:)` over several stores needs one: their engines must be
/// ``JointStorage`` with an equal ``joint``. A transaction on one store does not.
public protocol JointStorage: StorageEngine {
  /// Equal for engines whose key spaces can be committed together.
  ///
  /// It identifies an object that lives as long as each of them, such as their connection.
  nonisolated var joint: ObjectIdentifier { get }

  /// Reads the changes of others in each key space and, unless they concern a basis, applies all
  /// changes, in one transaction.
  ///
  /// - Parameter parts: one for each store, in different key spaces of engines with this ``joint``.
  /// - Returns: the outcome of each part, in their order; either all have positions or none. An
  ///   engine without other writers returns an empty update and no positions.
  /// - Throws: the engine's error; then nothing is written, and no follower has advanced. See
  ///   ``LiveStorage/commit(_:basedOn:for:)`` for a lost answer.
  func commit(_ parts: [StoragePart]) async throws -> [StorageCommit]
}

/// The part of a transaction in one key space.
public struct StoragePart: Sendable {
  /// The engine of the key space.
  public let storage: any StorageEngine
  /// The changes to write, in order.
  public let changes: [StorageChange]
  /// The rows that the changes depend on.
  public let basis: StorageBasis
  /// The follower to advance past the transaction; nil if only this process writes there.
  public let follower: StorageFollower?

  /// Creates a part.
  public init(
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
  public nonisolated var joint: ObjectIdentifier { ObjectIdentifier(MemoryStorageEngine.self) }

  /// Commits all parts; none can fail.
  public func commit(_ parts: [StoragePart]) async throws -> [StorageCommit] {
    for part in parts { try await part.storage.commit(part.changes) }
    return parts.map { _ in StorageCommit(update: StorageUpdate(), positions: []) }
  }
}
