extension Store where Item: Identifiable, Item.ID: ItemIdentifier {
  /// Creates a store that identifies items by their `id`, and loads it in the background.
  ///
  /// - Parameters:
  ///   - storage: the engine that keeps the items; by default
  ///     ``SQLiteStorageEngine/default(for:formerNames:fileID:)``.
  ///   - excerptLimit: the number of newest items that ``excerpt`` has before the others are asked
  ///     for; 0 loads all at once.
  ///   - formerNames: the former full names of `Item`, newest first.
  ///   - upgrades: the upgrades of the model, in order; empty as long as older rows still decode.
  ///   - fileID: the calling file; its module names the directory of the default storage.
  public static func loadingInBackground(
    storage: (any StorageEngine)? = nil, excerptLimit: Int = 0,
    formerNames: [String] = [], upgrades: [ModelUpgrade] = [], fileID: String = #fileID
  ) -> Store {
    Store(
      storage ?? defaultStorage(formerNames, fileID),
      .id.upgraded(by: upgrades, formerNames: formerNames),
      excerptLimit: excerptLimit)
  }

  /// Creates a store that identifies items by their `id`, and returns when it has loaded.
  ///
  /// - Parameters:
  ///   - storage: the engine that keeps the items; by default
  ///     ``SQLiteStorageEngine/default(for:formerNames:fileID:)``.
  ///   - formerNames: the former full names of `Item`, newest first.
  ///   - upgrades: the upgrades of the model, in order; empty as long as older rows still decode.
  ///   - fileID: the calling file; its module names the directory of the default storage.
  /// - Throws: the engine's error if the storage cannot be read.
  public convenience init(
    storage: (any StorageEngine)? = nil,
    formerNames: [String] = [], upgrades: [ModelUpgrade] = [], fileID: String = #fileID
  ) async throws {
    self.init(
      storage ?? Self.defaultStorage(formerNames, fileID),
      .id.upgraded(by: upgrades, formerNames: formerNames))
    try await itemsHaveLoaded()
  }
}
