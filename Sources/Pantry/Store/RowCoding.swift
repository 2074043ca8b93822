public import FoundationEssentials

/// Replaces JSON as the row format of a store: another format, or encryption.
///
/// Pantry adds nothing to the bytes and does not inspect them. So `decode` has to recognize rows of
/// older models by itself, without `ModelUpgrade`, and your encoder decides how an ``Attachment``
/// is written to the row.
///
///     let coding = RowCoding<Note> { note in
///       try PropertyListEncoder().encode(note)
///     } decode: { data in
///       try PropertyListDecoder().decode(Note.self, from: data)
///     }
public struct RowCoding<Item: StorableItem>: Sendable {
  let encode: @Sendable (Item) throws -> Data
  let decode: @Sendable (Data) throws -> Item

  /// Creates a coding; both closures are called off the main actor, on several threads at once.
  ///
  /// - Parameters:
  ///   - encode: makes the row of an item. The operation throws its errors.
  ///   - decode: makes the item of a row. If it throws, the row is reported as a ``LoadIssue``.
  public init(
    encode: @escaping @Sendable (Item) throws -> Data,
    decode: @escaping @Sendable (Data) throws -> Item
  ) {
    self.encode = encode
    self.decode = decode
  }
}

extension Store {
  /// Creates a store with a custom row format, and returns when it has loaded.
  ///
  /// - Parameters:
  ///   - storage: the engine that keeps the items, on a namespace with this row format only.
  ///   - cacheIdentifier: the path of an item's identifier; it must not change with the item's
  ///     content.
  ///   - coding: the row format.
  /// - Throws: the engine's error if the storage cannot be read.
  public convenience init(
    storage: any StorageEngine, cacheIdentifier: any KeyPath<Item, String> & Sendable,
    coding: RowCoding<Item>
  ) async throws {
    self.init(storage, StoreDefinition(path: cacheIdentifier).coded(by: coding))
    try await itemsHaveLoaded()
  }

  /// Creates a store with a custom row format that loads in the background.
  ///
  /// - Parameters:
  ///   - storage: the engine that keeps the items, on a namespace with this row format only.
  ///   - cacheIdentifier: the path of an item's identifier; it must not change with the item's
  ///     content.
  ///   - coding: the row format.
  ///   - excerptLimit: the number of newest items that ``excerpt`` has before the others are asked
  ///     for; 0 loads all at once.
  public static func loadingInBackground(
    storage: any StorageEngine, cacheIdentifier: any KeyPath<Item, String> & Sendable,
    coding: RowCoding<Item>, excerptLimit: Int = 0
  ) -> Store {
    Store(
      storage, StoreDefinition(path: cacheIdentifier).coded(by: coding),
      excerptLimit: excerptLimit)
  }
}
