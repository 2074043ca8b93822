/// A change of a ``Store``, delivered by ``Store/events``.
public struct StoreEvent<Item: StorableItem>: Equatable, Sendable {
  /// The kind of event.
  public enum Operation: Equatable, Sendable {
    /// The store exists; it may not have loaded yet. The event has no items.
    case initialized
    /// The store has loaded, or the reader has fallen too far behind; the event has all items.
    case loaded
    /// The items are new, or replaced others with the same identifiers.
    case insert
    /// The items are no longer in the store.
    case remove
  }

  /// The kind of event.
  public let operation: Operation
  /// The affected items; removed items as they were in the store.
  public let items: [Item]

  /// Creates an event.
  public init(operation: Operation, items: [Item]) {
    self.operation = operation
    self.items = items
  }
}
