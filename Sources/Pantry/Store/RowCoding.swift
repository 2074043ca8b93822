public import FoundationEssentials

/// Replaces JSON as the row format of a store: another format, or encryption.
///
/// Pantry adds nothing to the bytes and does not inspect them. So `decode` has to recognize rows of
/// older models by itself, without `ModelUpgrade`.
///
/// An ``Attachment`` is written to the row with its bytes; those of a stored one are read first,
/// and then `encode` is called again. Before a row is written, `decode` must give an item with the
/// same identifier. Bytes decide whether an item has changed: with an encoder that adds random
/// bytes, such as an encryption, every item that is written counts as changed.
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
  ///   - encode: makes the row of an item on the calling thread. The operation throws its errors.
  ///   - decode: makes the item of a row. If it throws, the row is reported as a ``LoadIssue``.
  public init(
    encode: @escaping @Sendable (Item) throws -> Data,
    decode: @escaping @Sendable (Data) throws -> Item
  ) {
    self.encode = encode
    self.decode = decode
  }

  /// Makes the row of an item with the bytes of its attachments.
  func row(of item: Item) async throws -> Data {
    let writer = AttachmentWriter()
    return try await writer.inlining { bytes in
      writer.beginItem(inlining: bytes)
      return try AttachmentWriter.$current.withValue(writer) { try encode(item) }
    }
  }

  /// The bytes by which items are compared: attachments count by their digests.
  func comparedBytes(of item: Item) throws -> Data {
    try AttachmentWriter.$current.withValue(AttachmentWriter()) { try encode(item) }
  }

  /// Makes the item of a row; references to attachments are read from `origin`.
  func item(of row: Data, origin: AttachmentOrigin?) throws -> Item {
    // Pantry 0.2.0 wrote references, to bytes that another row may still keep.
    try AttachmentOrigin.$current.withValue(origin) { try decode(row) }
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
  ///   - formerNames: the former full names of `Item`, newest first.
  /// - Throws: the engine's error if the storage cannot be read.
  public convenience init(
    storage: any StorageEngine, cacheIdentifier: any KeyPath<Item, String> & Sendable,
    coding: RowCoding<Item>, formerNames: [String] = []
  ) async throws {
    self.init(
      storage, StoreDefinition(path: cacheIdentifier).coded(by: coding, formerNames: formerNames))
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
  ///   - formerNames: the former full names of `Item`, newest first.
  public static func loadingInBackground(
    storage: any StorageEngine, cacheIdentifier: any KeyPath<Item, String> & Sendable,
    coding: RowCoding<Item>, excerptLimit: Int = 0, formerNames: [String] = []
  ) -> Store {
    Store(
      storage, StoreDefinition(path: cacheIdentifier).coded(by: coding, formerNames: formerNames),
      excerptLimit: excerptLimit)
  }
}
