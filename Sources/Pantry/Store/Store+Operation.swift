extension Store {
  /// Several steps that happen together or not at all.
  ///
  /// Nothing happens before ``run()``. Then it is one transaction on disk, one change of memory and
  /// one notification: `try await store.removeAll().add(items).run()`.
  @MainActor
  public final class Operation {
    private let store: Store
    var steps: [StoreCore<Item>.Step]
    private var hasRun = false

    init(_ store: Store, _ step: StoreCore<Item>.Step) {
      self.store = store
      steps = [step]
    }

    /// Appends the saving of one item.
    public func add(_ item: Item) -> Operation { appending(.add([item])) }

    /// Appends the saving of many.
    public func add(_ items: [Item]) -> Operation { appending(.add(items)) }

    /// Appends the removal of one item.
    public func remove(_ item: Item) -> Operation { remove([item]) }

    /// Appends the removal of many.
    public func remove(_ items: [Item]) -> Operation {
      appending(.remove(items.map(store.core.identifier)))
    }

    /// Appends the removal of everything.
    public func removeAll() -> Operation { appending(.removeAll) }

    /// Appends the merging of rows: see ``Store/merge(_:removing:policy:)->()``.
    public func merge(
      _ rows: [Item], removing identifiers: [String] = [], policy: Store.MergePolicy? = nil
    ) -> Operation {
      appending(.merge(rows, removing: identifiers.map(CacheKey.init(verbatim:)), policy: policy))
    }

    /// Appends a change of one item: see ``Store/update(_:_:)->()``.
    public func update(
      _ identifier: String, _ change: @escaping @MainActor (inout Item) throws -> Void
    ) -> Operation {
      appending(.update(CacheKey(verbatim: identifier), change))
    }

    /// Performs the steps; a second call does nothing.
    ///
    /// - Throws: what made a step fail; disk and memory are then as they were.
    public func run() async throws {
      guard !hasRun else { return }
      hasRun = true
      try await store.core.perform(steps)
    }

    private func appending(_ step: StoreCore<Item>.Step) -> Operation {
      steps.append(step)
      return self
    }
  }

  // Disfavored, so that `try await store.add(item)` picks the verb that acts at once. Async, since
  // at the top level of main.swift Swift would pick a synchronous one all the same, and save
  // nothing.

  /// Begins a chain with the saving of one item.
  @_disfavoredOverload
  public func add(_ item: Item) async -> Operation { Operation(self, .add([item])) }

  /// Begins a chain with the saving of many.
  @_disfavoredOverload
  public func add(_ items: [Item]) async -> Operation { Operation(self, .add(items)) }

  /// Begins a chain with the removal of one item.
  @_disfavoredOverload
  public func remove(_ item: Item) async -> Operation {
    Operation(self, .remove([core.identifier(item)]))
  }

  /// Begins a chain with the removal of many.
  @_disfavoredOverload
  public func remove(_ items: [Item]) async -> Operation {
    Operation(self, .remove(items.map(core.identifier)))
  }

  /// Begins a chain with the removal of everything.
  @_disfavoredOverload
  public func removeAll() async -> Operation { Operation(self, .removeAll) }
}
