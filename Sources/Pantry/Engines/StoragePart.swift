/// The part of a transaction in one key space.
public struct StoragePart: Sendable {
  /// The engine of the key space.
  public let storage: any StorageEngine
  /// The changes to write, in order.
  public let changes: [StorageChange]
  /// The rows that the changes depend on.
  public let basis: ReadSet
  /// The follower to advance past the transaction.
  public let follower: StorageFollower

  /// Creates a part.
  public init(
    storage: any StorageEngine, changes: [StorageChange], basis: ReadSet,
    follower: StorageFollower
  ) {
    self.storage = storage
    self.changes = changes
    self.basis = basis
    self.follower = follower
  }
}
