extension Store {
  /// Finds the item with this identifier; observed like ``items``.
  ///
  /// Nil until the store has loaded, like an identifier that is not there.
  /// - Complexity: O(log n).
  public func item(withIdentifier identifier: String) -> Item? {
    core.gate.access()
    return core.table.item(identifier)
  }

  /// Tells whether there is an item with this identifier; observed like ``items``.
  ///
  /// - Complexity: O(1).
  public func contains(identifier: String) -> Bool {
    core.gate.access()
    return core.table.holdsItem(identifier)
  }
}
