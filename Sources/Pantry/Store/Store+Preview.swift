extension Store {
  /// Creates a store of `items` for previews and tests, without loading or writing a file.
  ///
  /// If an identifier repeats, the last item wins, at the first position. The store's operations
  /// change memory only.
  public static func previewStore(
    items: [Item], cacheIdentifier: any KeyPath<Item, String> & Sendable
  ) -> Store {
    Store(preview: items, StoreDefinition(path: cacheIdentifier))
  }
}

extension Store where Item: Identifiable, Item.ID: ItemIdentifier {
  /// Creates a store of `items` for previews and tests, without loading or writing a file.
  public static func previewStore(items: [Item]) -> Store {
    Store(preview: items, .id)
  }
}
