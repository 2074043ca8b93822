extension Store {
  /// Saves `item`, like ``add(_:)-(Item)->()``, under the name that Boutique 3 uses.
  ///
  /// - Throws: the encoder's or the engine's error; then nothing has changed.
  public func insert(_ item: Item) async throws { try await add(item) }

  /// Saves many items in one transaction, like `add(_:)`.
  ///
  /// - Throws: the encoder's or the engine's error; then nothing has changed.
  public func insert(_ items: [Item]) async throws { try await add(items) }

  /// Begins a chain that saves one item, like `add(_:)`.
  @_disfavoredOverload
  public func insert(_ item: Item) async -> Operation { await add(item) }

  /// Begins a chain that saves many items, like `add(_:)`.
  @_disfavoredOverload
  public func insert(_ items: [Item]) async -> Operation { await add(items) }
}

extension Store.Operation {
  /// Appends a step that saves one item, like `add(_:)`.
  public func insert(_ item: Item) -> Store.Operation { add(item) }

  /// Appends a step that saves many items, like `add(_:)`.
  public func insert(_ items: [Item]) -> Store.Operation { add(items) }
}
