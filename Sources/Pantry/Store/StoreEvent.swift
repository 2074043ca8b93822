/// Something that happened to a ``Store``, told by ``Store/events``.
public struct StoreEvent<Item: StorableItem>: Equatable, Sendable {
  /// What happened.
  public enum Operation: Equatable, Sendable {
    /// The store exists; it may not have loaded yet. There are no items with it.
    case initialized
    /// The store has loaded; the items are all that it holds.
    case loaded
    /// The items are new, or have replaced others with their identifiers.
    case insert
    /// The items are no longer in the store.
    case remove
  }

  /// What happened.
  public let operation: Operation
  /// The items it happened to, those removed as they were in the store.
  public let items: [Item]

  /// Describes an event.
  public init(operation: Operation, items: [Item]) {
    self.operation = operation
    self.items = items
  }
}
