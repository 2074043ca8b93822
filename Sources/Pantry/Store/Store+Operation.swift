extension Store {
  /// A chain of steps that happen together or not at all.
  ///
  /// Nothing happens before ``run()``. Then the chain is one transaction on disk, one change of
  /// memory and one notification: `try await store.removeAll().add(items).run()`.
  @MainActor
  public final class Operation {
    private let store: Store
    var steps: [StoreStep<Item>]
    private var isRunning = false

    init(_ store: Store, _ step: StoreStep<Item>) {
      self.store = store
      steps = [step]
    }

    /// Appends a step that saves one item.
    public func add(_ item: Item) -> Operation { appending(.add([item])) }

    /// Appends a step that saves many items.
    public func add(_ items: [Item]) -> Operation { appending(.add(items)) }

    /// Appends a step that removes one item.
    public func remove(_ item: Item) -> Operation { remove([item]) }

    /// Appends a step that removes many items.
    public func remove(_ items: [Item]) -> Operation {
      appending(.remove(items.map(store.core.visible.identifier)))
    }

    /// Appends a step that removes everything.
    public func removeAll() -> Operation { appending(.removeAll) }

    /// Appends a step that merges rows: see ``Store/merge(_:removing:policy:)->()``.
    public func merge(
      _ rows: [Item], removing identifiers: [any ItemIdentifier] = [],
      policy: Store.MergePolicy? = nil
    ) -> Operation {
      appending(.merge(rows, removing: identifiers.map { CacheKey(of: $0) }, policy: policy))
    }

    /// Appends a step that changes one item: see ``Store/update(_:_:)->Item?``.
    ///
    /// - Parameters:
    ///   - identifier: the identifier of the item.
    ///   - change: changes the item; an error it throws is thrown by ``run()``.
    public func update(
      _ identifier: some ItemIdentifier,
      _ change: @escaping @MainActor (inout Item) throws -> Void
    ) -> Operation {
      appending(.update(CacheKey(of: identifier), change))
    }

    /// Performs the steps; a call after one that has returned does nothing.
    ///
    /// After an error it can be called again: the steps are performed then. A call during another
    /// one waits for it, and performs the steps if that one fails.
    ///
    /// - Throws: the error of the failed step, or the engine's; then disk and memory are as they
    ///   were.
    public func run() async throws {
      while isRunning { await store.operationsHaveEnded() }
      isRunning = true
      defer { isRunning = false }
      let count = steps.count
      try await store.core.perform(steps)
      steps.removeFirst(count)
    }

    private func appending(_ step: StoreStep<Item>) -> Operation {
      steps.append(step)
      return self
    }
  }

  // Disfavored, so that `try await store.add(item)` picks the verb that acts at once. Async, since
  // at the top level of main.swift Swift would still pick a synchronous overload, which saves
  // nothing.

  /// Begins a chain that saves one item.
  @_disfavoredOverload
  public func add(_ item: Item) async -> Operation { Operation(self, .add([item])) }

  /// Begins a chain that saves many items.
  @_disfavoredOverload
  public func add(_ items: [Item]) async -> Operation { Operation(self, .add(items)) }

  /// Begins a chain that removes one item.
  @_disfavoredOverload
  public func remove(_ item: Item) async -> Operation {
    Operation(self, .remove([core.visible.identifier(item)]))
  }

  /// Begins a chain that removes many items.
  @_disfavoredOverload
  public func remove(_ items: [Item]) async -> Operation {
    Operation(self, .remove(items.map(core.visible.identifier)))
  }

  /// Begins a chain that removes everything.
  @_disfavoredOverload
  public func removeAll() async -> Operation { Operation(self, .removeAll) }
}
