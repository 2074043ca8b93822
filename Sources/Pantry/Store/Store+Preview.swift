extension Store {
  /// Makes a store of `items` for previews and tests: they are there at once, and no file is
  /// written.
  ///
  /// Of a repeated identifier the last item wins, in the first place. Its operations change memory
  /// only.
  public static func previewStore(
    items: [Item], cacheIdentifier: any KeyPath<Item, String> & Sendable
  ) -> Store {
    Store(preview: items, StoreDefinition(path: cacheIdentifier))
  }
}

extension Store where Item: Identifiable, Item.ID: ItemIdentifier {
  /// Makes a store of `items` for previews and tests: they are there at once, and no file is
  /// written.
  public static func previewStore(items: [Item]) -> Store {
    Store(preview: items, .id)
  }
}
