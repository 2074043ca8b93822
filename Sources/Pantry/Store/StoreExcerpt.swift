/// What a ``Store`` that is still loading can show of itself: the newest items, and how many there are.
public struct StoreExcerpt<Item: StorableItem>: Equatable, Sendable {
  /// The newest items in insertion order, as many as the store was asked for.
  ///
  /// A row among them that cannot be made an item is left out.
  public let items: [Item]
  /// The number of all rows, those included that cannot be made items.
  public let count: Int

  /// Describes an excerpt.
  public init(items: [Item], count: Int) {
    self.items = items
    self.count = count
  }
}
