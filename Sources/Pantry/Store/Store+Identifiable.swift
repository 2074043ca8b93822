extension Store where Item: Identifiable, Item.ID: ItemIdentifier {
  /// Creates a store whose items are told apart by their `id`; it loads in the background.
  ///
  /// - Parameters:
  ///   - storage: where the items are kept; by default
  ///     ``SQLiteStorageEngine/default(for:formerNames:fileID:)``.
  ///   - excerptLimit: how many of the newest items ``excerpt`` has while the store loads.
  ///   - formerNames: what `Item` was called before, for the default storage.
  ///   - upgrades: those of the model, in order; none if it has not changed in a way that its rows
  ///     could not be read.
  ///   - fileID: the code whose module names the directory of the default storage.
  public static func loadingInBackground(
    storage: (any StorageEngine)? = nil, excerptLimit: Int = 0,
    formerNames: [String] = [], upgrades: [ModelUpgrade] = [], fileID: String = #fileID
  ) -> Store {
    Store(
      storage ?? defaultStorage(formerNames, fileID), .id.upgraded(by: upgrades),
      excerptLimit: excerptLimit)
  }

  /// Creates a store whose items are told apart by their `id`, and returns when it has loaded.
  ///
  /// - Parameters:
  ///   - storage: where the items are kept; by default
  ///     ``SQLiteStorageEngine/default(for:formerNames:fileID:)``.
  ///   - formerNames: what `Item` was called before, for the default storage.
  ///   - upgrades: those of the model, in order; none if it has not changed in a way that its rows
  ///     could not be read.
  ///   - fileID: the code whose module names the directory of the default storage.
  /// - Throws: the engine's error if the storage cannot be read.
  public convenience init(
    storage: (any StorageEngine)? = nil,
    formerNames: [String] = [], upgrades: [ModelUpgrade] = [], fileID: String = #fileID
  ) async throws {
    self.init(storage ?? Self.defaultStorage(formerNames, fileID), .id.upgraded(by: upgrades))
    try await itemsHaveLoaded()
  }

  // Disfavored: of an `id` that is a String, the subscript with a String is meant.

  /// The item with this `id`; nil if there is none, or the store has not loaded yet.
  ///
  /// Observed by itself.
  @_disfavoredOverload
  public subscript(_ id: Item.ID) -> Item? { self[id.itemIdentifierText] }

  /// The items with these ids in the order given, without those that are not there.
  ///
  /// Observed each by itself.
  @_disfavoredOverload
  public subscript(_ ids: some Sequence<Item.ID>) -> [Item] {
    ids.compactMap { self[$0.itemIdentifierText] }
  }
}
