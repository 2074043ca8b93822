extension Store {
  /// Returns the item with this identifier; nil if there is none, or before the store has loaded.
  ///
  /// Observed per item: a reader is notified when this item changes, is added or is removed, and of
  /// no other item.
  /// - Complexity: O(log n).
  public subscript(_ identifier: some ItemIdentifier) -> Item? {
    let key = CacheKey(of: identifier)
    core.visible.entityGates.access(key)
    return core.visible.table.item(key)
  }

  /// Returns the items with these identifiers in the order given, skipping missing ones.
  ///
  /// Observed per item.
  /// - Complexity: O(k log n) for k identifiers.
  public subscript(_ identifiers: some Sequence<some ItemIdentifier>) -> [Item] {
    identifiers.compactMap { self[$0] }
  }

  /// Returns whether the store has an item with this identifier; observed per item.
  ///
  /// - Complexity: O(1).
  public func contains(identifier: some ItemIdentifier) -> Bool {
    let key = CacheKey(of: identifier)
    core.visible.entityGates.access(key)
    return core.visible.table.holdsItem(key)
  }

  // MARK: Merging and updating

  /// Combines an existing item with a new one; called on the main actor.
  public typealias MergePolicy = @MainActor (_ old: Item, _ new: Item) -> Item

  /// Writes the rows that are new or different, and removes items, in one transaction.
  ///
  /// Use it for the answers of a server, and for changes from another part of the program.
  ///
  /// Rows with the same bytes as the existing items are not written, and observers are not notified
  /// of them. `==` does not matter.
  ///
  /// - Parameters:
  ///   - rows: the new items. If an identifier repeats, each is merged with the one before.
  ///   - identifiers: the identifiers of the items to remove.
  ///   - policy: combines the old and the new item, field by field; without it the new item
  ///     replaces the old one. It is called again if another process changes the old item in the
  ///     same moment, so it never works with stale items.
  /// - Throws: ``StorageError/unreadable(type:key:reason:)`` if the row of one exists and cannot be
  ///   read, the encoder's or the engine's error; then nothing has changed.
  public func merge(
    _ rows: [Item], removing identifiers: [any ItemIdentifier] = [], policy: MergePolicy? = nil
  ) async throws {
    try await core.perform([
      .merge(rows, removing: identifiers.map { CacheKey(of: $0) }, policy: policy)
    ])
  }

  /// Reads, changes and writes one item as one operation; does nothing if there is none.
  ///
  /// No change by another caller or process is lost between reading and writing: if one comes in
  /// between, `change` is called again with the newer item.
  ///
  /// Updates that wait together are one transaction of the engine. So `change` should look at its
  /// item only: the store may not show the ones before it yet. A
  /// ``transaction(with:body:)`` sees all.
  ///
  /// - Returns: the changed item; nil if there is none.
  /// - Throws: what `change` throws, ``StorageError/identifierChanged(type:from:to:)`` if it
  ///   changes the identifier, ``StorageError/unreadable(type:key:reason:)`` if the row exists and
  ///   cannot be read, or the encoder's or the engine's error; then nothing has changed.
  @discardableResult
  public func update(
    _ identifier: some ItemIdentifier,
    _ change: @escaping @MainActor (inout Item) throws -> Void
  ) async throws -> Item? {
    try await core.perform([.update(CacheKey(of: identifier), change)])
  }

  /// Changes one item, or adds `newItem` as it is if there is none, as one operation.
  ///
  /// Use it in place of a check and then an `add`, between which another caller may add the item:
  ///
  /// ```swift
  /// try await counters.update(word, orAdd: Counter(id: word, count: 1)) { $0.count += 1 }
  /// ```
  ///
  /// - Returns: the changed item, or the new one.
  /// - Throws: as ``update(_:_:)->Item?`` does, also if `newItem` has another identifier.
  @discardableResult
  public func update(
    _ identifier: some ItemIdentifier, orAdd newItem: Item,
    _ change: @escaping @MainActor (inout Item) throws -> Void
  ) async throws -> Item {
    try await core.perform([.update(CacheKey(of: identifier), orAdd: newItem, change)]) ?? newItem
  }

  // MARK: Optimistic changes

  /// Shows a change now, and writes it once `commit` has succeeded.
  ///
  /// `commit` does the work that may fail and take time: a request to a server, or a write
  /// elsewhere. If it throws, or writing does, the change is rolled back: the rows it left
  /// untouched since return to their former content and place. A row that was written meanwhile, by
  /// `commit` or by any other writer, keeps what was written. Changes may overlap: one that fails
  /// is removed from between the others.
  ///
  /// ```swift
  /// try await posts.optimistically(posts.update(id) { $0.isFavorite = true }) {
  ///   try await server.favorite(id)
  /// }
  /// ```
  ///
  /// It is shown in the same turn of the main actor; one of more than 1,000 items is prepared in
  /// slices that let the main actor run in between, and shown in one step after them.
  ///
  /// If the process is killed before the end, the disk is unchanged.
  ///
  /// - Parameters:
  ///   - operation: the change to show. Do not run it yourself.
  ///   - commit: the work that must succeed before the change is written.
  /// - Returns: what `commit` returns.
  /// - Throws: what `commit` throws, what a change of `operation` throws, or the encoder's or the
  ///   engine's error.
  public func optimistically<Result>(
    _ operation: Operation, commit: @MainActor () async throws -> Result
  ) async throws -> Result {
    try await core.optimistically(operation.steps, commit: commit)
  }

  /// Shows a change now and writes it; rolls it back if writing fails.
  ///
  /// - Throws: what a change of `operation` throws, or the encoder's or the engine's error.
  public func optimistically(_ operation: Operation) async throws {
    try await core.optimistically(operation.steps) {}
  }

  /// Begins a chain that merges rows: see ``merge(_:removing:policy:)->()``.
  @_disfavoredOverload
  public func merge(
    _ rows: [Item], removing identifiers: [any ItemIdentifier] = [], policy: MergePolicy? = nil
  ) async -> Operation {
    Operation(self, .merge(rows, removing: identifiers.map { CacheKey(of: $0) }, policy: policy))
  }

  /// Begins a chain that changes one item: see ``update(_:_:)->Item?``.
  ///
  /// - Parameters:
  ///   - identifier: the identifier of the item.
  ///   - change: changes the item; an error it throws is thrown by ``Operation/run()``.
  @_disfavoredOverload
  public func update(
    _ identifier: some ItemIdentifier,
    _ change: @escaping @MainActor (inout Item) throws -> Void
  ) async -> Operation {
    Operation(self, .update(CacheKey(of: identifier), change))
  }
}
