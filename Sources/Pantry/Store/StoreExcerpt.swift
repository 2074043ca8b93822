/// The newest items of a ``Store`` that is still loading, and how many there are.
public struct StoreExcerpt<Item: StorableItem>: Equatable, Sendable {
  /// The newest items in insertion order, as many as the store was asked for.
  ///
  /// A row among them that cannot be made an item is left out.
  public let items: [Item]
  /// The number of all rows, those included that cannot be made items.
  public let count: Int

  /// Describes an excerpt.
  ///
  /// - Parameters:
  ///   - items: the newest items in insertion order.
  ///   - count: the number of all rows.
  public init(items: [Item], count: Int) {
    self.items = items
    self.count = count
  }
}

extension Store {
  /// The first page of a store that is still loading: the newest items and the count; observed.
  ///
  /// It is there soon after the store was created, however many items there are, and never at the
  /// same time as ``items``: nil from the moment at which the store has loaded, and nil if it could
  /// not. Always nil for a store that was given no `excerptLimit`, or an engine that is no
  /// ``PagedStorage``. Operations do not change it: they wait until the store has loaded.
  ///
  /// The rest is read after it, on one core, so that the others are free to draw it.
  /// - Complexity: O(1).
  public var excerpt: StoreExcerpt<Item>? {
    core.loadGate.access()
    return core.excerpt
  }

  /// Returns when there is an ``excerpt``, or when the items have been loaded if there is to be none.
  ///
  /// - Throws: the engine's error if the storage cannot be read.
  public func excerptHasLoaded() async throws {
    try await core.loadExcerpt()
  }
}
