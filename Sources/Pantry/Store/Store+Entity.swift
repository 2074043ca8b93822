extension Store {
  /// The item with this identifier; nil if there is none, or the store has not loaded yet.
  ///
  /// Observed by itself: who reads it is told when this item changes, comes or goes, and of no
  /// other.
  /// - Complexity: O(log n).
  public subscript(_ identifier: String) -> Item? {
    let key = CacheKey(verbatim: identifier)
    core.entityGates.access(key)
    return core.table.item(key)
  }

  /// The items with these identifiers in the order given, without those that are not there.
  ///
  /// Observed each by itself.
  /// - Complexity: O(k log n) for k identifiers.
  public subscript(_ identifiers: some Sequence<String>) -> [Item] {
    identifiers.compactMap { self[$0] }
  }

  /// Whether there is an item with this identifier; observed by itself.
  ///
  /// - Complexity: O(1).
  public func contains(identifier: String) -> Bool {
    let key = CacheKey(verbatim: identifier)
    core.entityGates.access(key)
    return core.table.holdsItem(key)
  }

  // MARK: Changing what is there

  /// Decides what is kept of an item that is there and one that comes; called on the main actor.
  public typealias MergePolicy = @MainActor (_ old: Item, _ new: Item) -> Item

  /// Takes in what a server, or another part of the program, says of items: writes those that are
  /// new or different and removes those that are to go, in one transaction.
  ///
  /// What is equal to what is there is not written, and nobody is told of it.
  ///
  /// - Parameters:
  ///   - rows: of a repeated identifier each is merged with the one before.
  ///   - identifiers: the items to remove.
  ///   - policy: makes, field by field, what is kept; without it the new item takes the place of
  ///     the old one. It is asked again if another process changes the old item in the same moment,
  ///     so it never works with an item that is no longer there.
  /// - Throws: the encoder's or the engine's error; then nothing has changed.
  public func merge(
    _ rows: [Item], removing identifiers: [String] = [], policy: MergePolicy? = nil
  ) async throws {
    try await core.perform([
      .merge(rows, removing: identifiers.map(CacheKey.init(verbatim:)), policy: policy)
    ])
  }

  /// Changes one item, if it is there: reads it, changes it and writes it as one operation.
  ///
  /// No change of another caller, and of another process, is lost between reading and writing; if
  /// one comes in between, `change` is called again with the newer item. If it throws, nothing
  /// happens.
  ///
  /// - Throws: what `change` throws, ``StorageError/identifierChanged(type:from:to:)`` if it makes
  ///   another item of it, or the encoder's or the engine's error.
  public func update(
    _ identifier: String, _ change: @escaping @MainActor (inout Item) throws -> Void
  ) async throws {
    try await core.perform([.update(CacheKey(verbatim: identifier), change)])
  }

  // MARK: Optimistic changes

  /// Shows a change now, and writes it when `commit` has succeeded.
  ///
  /// `commit` is what may fail and takes its time: asking a server, or writing somewhere else. If
  /// it throws, or the writing does, the rows that are still as this change has left them are put
  /// back to what they were, in their places, and the error is thrown. A row that was written
  /// meanwhile, by `commit` itself or by anybody else, stays as it was written. Changes may
  /// overlap: one that fails is taken out from between the others.
  ///
  /// ```swift
  /// try await posts.optimistically(posts.update(id) { $0.isFavorite = true }) {
  ///   try await server.favorite(id)
  /// }
  /// ```
  ///
  /// A kill before the end leaves the disk as it was.
  ///
  /// - Parameters:
  ///   - operation: what is shown. It is not run by itself.
  ///   - commit: by default nothing, which leaves the writing as what may fail.
  /// - Returns: what `commit` returns.
  /// - Throws: what `commit` throws, or the error of the writing.
  public func optimistically<Result>(
    _ operation: Operation, commit: @MainActor () async throws -> Result
  ) async throws -> Result {
    try await core.optimistically(operation.steps, commit: commit)
  }

  /// Shows a change now and writes it; puts it back if that fails.
  public func optimistically(_ operation: Operation) async throws {
    try await core.optimistically(operation.steps) {}
  }

  /// Begins a chain with the merging of rows: see ``merge(_:removing:policy:)->()``.
  @_disfavoredOverload
  public func merge(
    _ rows: [Item], removing identifiers: [String] = [], policy: MergePolicy? = nil
  ) async -> Operation {
    Operation(
      self, .merge(rows, removing: identifiers.map(CacheKey.init(verbatim:)), policy: policy))
  }

  /// Begins a chain with a change of one item: see ``update(_:_:)->()``.
  @_disfavoredOverload
  public func update(
    _ identifier: String, _ change: @escaping @MainActor (inout Item) throws -> Void
  ) async -> Operation {
    Operation(self, .update(CacheKey(verbatim: identifier), change))
  }
}
