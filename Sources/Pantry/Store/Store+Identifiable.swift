public import FoundationEssentials

extension Store where Item: Identifiable, Item.ID == String {
  /// Creates a store whose items are told apart by their `id`; it loads in the background.
  ///
  /// - Parameters:
  ///   - storage: where the items are kept.
  ///   - excerptLimit: how many of the newest items ``excerpt`` has while the store loads.
  public static func loadingInBackground(
    storage: any StorageEngine = SQLiteStorageEngine.default(for: Item.self),
    excerptLimit: Int = 0
  ) -> Store {
    Store(storage: storage, excerptLimit: excerptLimit) { $0.id }
  }

  /// Creates a store whose items are told apart by their `id`, and returns when it has loaded.
  ///
  /// - Throws: the engine's error if the storage cannot be read.
  public convenience init(
    storage: any StorageEngine = SQLiteStorageEngine.default(for: Item.self)
  ) async throws {
    self.init(storage: storage) { $0.id }
    try await itemsHaveLoaded()
  }
}

extension Store where Item: Identifiable, Item.ID == UUID {
  /// Creates a store whose items are told apart by their `id`; it loads in the background.
  ///
  /// - Parameters:
  ///   - storage: where the items are kept.
  ///   - excerptLimit: how many of the newest items ``excerpt`` has while the store loads.
  public static func loadingInBackground(
    storage: any StorageEngine = SQLiteStorageEngine.default(for: Item.self),
    excerptLimit: Int = 0
  ) -> Store {
    Store(storage: storage, excerptLimit: excerptLimit) { $0.id.uuidString }
  }

  /// Creates a store whose items are told apart by their `id`, and returns when it has loaded.
  ///
  /// - Throws: the engine's error if the storage cannot be read.
  public convenience init(
    storage: any StorageEngine = SQLiteStorageEngine.default(for: Item.self)
  ) async throws {
    self.init(storage: storage) { $0.id.uuidString }
    try await itemsHaveLoaded()
  }
}
