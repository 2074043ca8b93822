extension Store {
  /// Creates a store with a name in the program's default file, and returns when it has loaded.
  ///
  /// The file is `pantry.sqlite` in ``StorageDirectory/programData(fileID:)``.
  ///
  /// - Parameters:
  ///   - name: the namespace; stores with different names do not see each other's items.
  ///   - cacheIdentifier: the path of an item's identifier; it must not change with the item's
  ///     content.
  ///   - formerNames: the former full names of `Item`, newest first.
  ///   - upgrades: the upgrades of the model, in order; empty as long as older rows still decode.
  ///   - fileID: the calling file; its module is the program's.
  /// - Throws: the engine's error if the storage cannot be read, or a ``StorageError`` if the
  ///   namespace belongs to another type or definition, or the module is not the program's.
  public convenience init(
    named name: String, cacheIdentifier: any KeyPath<Item, String> & Sendable,
    formerNames: [String] = [], upgrades: [ModelUpgrade] = [], fileID: String = #fileID
  ) async throws {
    self.init(
      Self.storage(named: name, formerNames, fileID),
      StoreDefinition(path: cacheIdentifier).upgraded(by: upgrades, formerNames: formerNames))
    try await itemsHaveLoaded()
  }

  /// Creates a store with a name in the program's default file, and loads it in the background.
  ///
  /// - Parameters:
  ///   - name: the namespace; stores with different names do not see each other's items.
  ///   - cacheIdentifier: the path of an item's identifier; it must not change with the item's
  ///     content.
  ///   - excerptLimit: the number of newest items that ``excerpt`` has before the others are asked
  ///     for; 0 loads all at once.
  ///   - formerNames: the former full names of `Item`, newest first.
  ///   - upgrades: the upgrades of the model, in order; empty as long as older rows still decode.
  ///   - fileID: the calling file; its module is the program's.
  public static func loadingInBackground(
    named name: String, cacheIdentifier: any KeyPath<Item, String> & Sendable,
    excerptLimit: Int = 0, formerNames: [String] = [], upgrades: [ModelUpgrade] = [],
    fileID: String = #fileID
  ) -> Store {
    Store(
      storage(named: name, formerNames, fileID),
      StoreDefinition(path: cacheIdentifier).upgraded(by: upgrades, formerNames: formerNames),
      excerptLimit: excerptLimit)
  }

  fileprivate static func storage(
    named name: String, _ formerNames: [String], _ fileID: String
  ) -> SQLiteStorageEngine {
    .program(fileID, formerNames) { SQLiteNamespace(name, module: $0) }
  }
}

extension Store where Item: Identifiable, Item.ID: ItemIdentifier {
  /// Creates a store with a name in the program's default file, and returns when it has loaded.
  ///
  /// The file is `pantry.sqlite` in ``StorageDirectory/programData(fileID:)``.
  ///
  /// - Parameters:
  ///   - name: the namespace; stores with different names do not see each other's items.
  ///   - formerNames: the former full names of `Item`, newest first.
  ///   - upgrades: the upgrades of the model, in order; empty as long as older rows still decode.
  ///   - fileID: the calling file; its module is the program's.
  /// - Throws: the engine's error if the storage cannot be read, or a ``StorageError`` if the
  ///   namespace belongs to another type or definition, or the module is not the program's.
  public convenience init(
    named name: String, formerNames: [String] = [], upgrades: [ModelUpgrade] = [],
    fileID: String = #fileID
  ) async throws {
    self.init(
      Self.storage(named: name, formerNames, fileID),
      .id.upgraded(by: upgrades, formerNames: formerNames))
    try await itemsHaveLoaded()
  }

  /// Creates a store with a name in the program's default file, and loads it in the background.
  ///
  /// - Parameters:
  ///   - name: the namespace; stores with different names do not see each other's items.
  ///   - excerptLimit: the number of newest items that ``excerpt`` has before the others are asked
  ///     for; 0 loads all at once.
  ///   - formerNames: the former full names of `Item`, newest first.
  ///   - upgrades: the upgrades of the model, in order; empty as long as older rows still decode.
  ///   - fileID: the calling file; its module is the program's.
  public static func loadingInBackground(
    named name: String, excerptLimit: Int = 0, formerNames: [String] = [],
    upgrades: [ModelUpgrade] = [], fileID: String = #fileID
  ) -> Store {
    Store(
      storage(named: name, formerNames, fileID),
      .id.upgraded(by: upgrades, formerNames: formerNames), excerptLimit: excerptLimit)
  }
}
