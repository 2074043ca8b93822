extension Store {
  /// Saves `item`: what ``add(_:)-(Item)->()`` does, by the name that Boutique 3 has for it.
  ///
  /// - Throws: the encoder's or the engine's error; then nothing has changed.
  public func insert(_ item: Item) async throws { try await add(item) }

  /// Saves many in one transaction, as `add(_:)` does.
  ///
  /// - Throws: the encoder's or the engine's error; then nothing has changed.
  public func insert(_ items: [Item]) async throws { try await add(items) }

  /// Begins a chain with the saving of one item, as `add(_:)` does.
  @_disfavoredOverload
  public func insert(_ item: Item) async -> Operation { await add(item) }

  /// Begins a chain with the saving of many, as `add(_:)` does.
  @_disfavoredOverload
  public func insert(_ items: [Item]) async -> Operation { await add(items) }
}

extension Store.Operation {
  /// Appends the saving of one item, as `add(_:)` does.
  public func insert(_ item: Item) -> Store.Operation { add(item) }

  /// Appends the saving of many, as `add(_:)` does.
  public func insert(_ items: [Item]) -> Store.Operation { add(items) }
}
