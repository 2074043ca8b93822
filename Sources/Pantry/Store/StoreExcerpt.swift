/// The newest items of a ``Store`` that is still loading, and the number of all rows.
public struct StoreExcerpt<Item: StorableItem>: Equatable, Sendable {
  /// The newest items in insertion order, at most `excerptLimit` of the store.
  ///
  /// Rows that cannot be decoded are left out.
  public let items: [Item]
  /// The number of all rows, including those that cannot be decoded.
  public let count: Int

  /// Creates an excerpt.
  ///
  /// - Parameters:
  ///   - items: the newest items in insertion order.
  ///   - count: the number of all rows.
  package init(items: [Item], count: Int) {
    self.items = items
    self.count = count
  }
}

extension Store {
  /// The newest items and the count while the store loads; observed.
  ///
  /// It is available soon after the store was created, however many items there are, and never
  /// together with ``items``: it becomes nil when the store has loaded, and stays if loading fails.
  /// Always nil without an `excerptLimit`, and on an engine without a
  /// ``StorageEngine/newestPage(limit:)``. Operations do not change it: they wait until the store
  /// has loaded.
  ///
  /// The rest is read once it is asked for, by ``itemsHaveLoaded()`` or an operation.
  /// - Complexity: O(1).
  public var excerpt: StoreExcerpt<Item>? {
    core.loadGate.access()
    return core.excerpt
  }

  /// Whether the first items after an excerpt are loaded on one core, which leaves others to
  /// drawing; true by default.
  ///
  /// The first 16,384, which take a fraction of a second, are; the rest is loaded on all cores. Set
  /// it to false before ``itemsHaveLoaded()`` where nothing is drawn: on two cores the first ones
  /// then take half the time, and less on more. Without an excerpt, all cores are always used.
  package var leavesCoresFree: Bool {
    get { core.leavesCoresFree }
    set { core.leavesCoresFree = newValue }
  }

  /// Returns when ``excerpt`` is available, or the items have been loaded if there is none.
  ///
  /// - Throws: the engine's error if the storage cannot be read.
  public func excerptHasLoaded() async throws {
    try await core.loadExcerpt()
  }
}
