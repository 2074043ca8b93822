public import FoundationEssentials

/// Typed use of an engine without a ``Store``: objects go in and come out under keys of your
/// choice.
///
/// It keeps nothing in memory. Objects are stored as JSON, as a Store does it, their attachments
/// included. What the engine promises about order, overwriting and errors holds here; an object
/// that cannot be decoded is an error that names its key, never an absent one. Every method throws
/// the engine's error if the engine fails.
public struct ObjectStorage<Object: Codable & Sendable>: Sendable {
  /// The engine that keeps the objects.
  public let storage: any StorageEngine

  private let upgrades: [ModelUpgrade]

  /// Creates a typed view of `storage`.
  ///
  /// - Parameters:
  ///   - storage: the engine that keeps the objects.
  ///   - upgrades: those of the objects' model, as a ``Store`` has them; a row that is older is
  ///     upgraded in memory each time it is read.
  public init(storage: any StorageEngine, upgrades: [ModelUpgrade] = []) {
    self.storage = storage
    self.upgrades = upgrades
  }

  // MARK: Writing

  /// Writes `object` under `key`, replacing the one that is there in its place.
  public func store(_ object: Object, forKey key: CacheKey) async throws {
    try await store([(key: key, object: object)])
  }

  /// Writes many, all or nothing where the engine can.
  ///
  /// Of a repeated key the last object wins, in the first position.
  ///
  /// - Throws: `EncodingError` before anything is written, or the engine's error.
  @concurrent
  public func store(_ objectsAndKeys: [(key: CacheKey, object: Object)]) async throws {
    let coder = RowCoder(storage: storage, upgrades: upgrades)
    var changes: [StorageChange] = []
    changes.reserveCapacity(objectsAndKeys.count)
    for (key, object) in objectsAndKeys {
      let (data, attachments) = try await coder.encode(object)
      changes.append(.write(data, key: key, attachments: attachments))
    }
    try await storage.commit(changes)
    guard let engine = storage as? any AttachmentStorage else { return }
    for case .write(_, _, let attachments) in changes {
      for attachment in attachments { attachment.content.didStore(in: engine) }
    }
  }

  // MARK: Reading

  /// Reads the object under `key`, or nil.
  ///
  /// - Throws: ``LoadIssue`` if it cannot be decoded, or the engine's error.
  @concurrent
  public func object(forKey key: CacheKey) async throws -> Object? {
    guard let data = try await storage.read(key: key) else { return nil }
    return try RowCoder(storage: storage, upgrades: upgrades)
      .decode(Object.self, from: data, key: key).value
  }

  /// Reads many in the order of `keys`, leaving out those that are absent.
  ///
  /// - Throws: ``LoadIssue`` for the first that cannot be decoded, or the engine's error.
  public func objects(forKeys keys: [CacheKey]) async throws -> [Object] {
    try await objectsAndKeys(keys: keys).map(\.object)
  }

  /// Reads many with their keys in the order of `keys`, leaving out those that are absent.
  ///
  /// - Throws: ``LoadIssue`` for the first that cannot be decoded, or the engine's error.
  @concurrent
  public func objectsAndKeys(keys: [CacheKey]) async throws -> [(key: CacheKey, object: Object)] {
    try await decode(storage.readDataAndKeys(keys: keys))
  }

  /// Reads every object in insertion order.
  ///
  /// - Throws: ``LoadIssue`` for the first that cannot be decoded, or the engine's error.
  public func allObjects() async throws -> [Object] {
    try await allObjectsAndKeys().map(\.object)
  }

  /// Reads every object with its key in insertion order.
  ///
  /// - Throws: ``LoadIssue`` for the first that cannot be decoded, or the engine's error.
  @concurrent
  public func allObjectsAndKeys() async throws -> [(key: CacheKey, object: Object)] {
    try await decode(storage.readAllDataAndKeys())
  }

  /// Reads at most `limit` objects with their keys in insertion order, beginning after `key`; nil
  /// begins at the start.
  ///
  /// So a list of any length is shown a page at a time, without being in memory as a whole.
  ///
  /// - Throws: ``LoadIssue`` for the first that cannot be decoded, or the engine's error.
  /// - Complexity: on SQLite O(`limit`), wherever the page is.
  @concurrent
  public func objectsAndKeys(
    after key: CacheKey? = nil, limit: Int
  ) async throws -> [(key: CacheKey, object: Object)] {
    try await decode(storage.readDataAndKeys(after: key, limit: limit))
  }

  private func decode(_ rows: [(key: CacheKey, data: Data)]) throws
    -> [(key: CacheKey, object: Object)]
  {
    let coder = RowCoder(storage: storage, upgrades: upgrades)
    return try rows.map { row in
      (key: row.key, object: try coder.decode(Object.self, from: row.data, key: row.key).value)
    }
  }

  // MARK: Removing

  /// Removes the object under `key`; no error if there is none.
  public func removeObject(forKey key: CacheKey) async throws {
    try await storage.remove(key: key)
  }

  /// Removes many, all or nothing where the engine can.
  public func removeObjects(forKeys keys: [CacheKey]) async throws {
    try await storage.remove(keys: keys)
  }

  /// Removes everything in the engine's key space.
  public func removeAllObjects() async throws {
    try await storage.removeAllData()
  }

  // MARK: Keys and times

  /// Tells whether something is under `key`.
  public func keyExists(_ key: CacheKey) async throws -> Bool {
    try await storage.keyExists(key)
  }

  /// Returns those of `keys` that exist, in the order given.
  public func keysExist(_ keys: [CacheKey]) async throws -> [CacheKey] {
    try await storage.keysExist(keys)
  }

  /// Counts the keys.
  public func keyCount() async throws -> Int {
    try await storage.keyCount()
  }

  /// Returns every key in insertion order.
  public func allKeys() async throws -> [CacheKey] {
    try await storage.allKeys()
  }

  /// Tells when `key` was first written, or nil; overwriting keeps it.
  public func createdAt(forKey key: CacheKey) async throws -> Date? {
    try await storage.createdAt(key: key)
  }

  /// Tells when `key` was last written, or nil.
  public func updatedAt(forKey key: CacheKey) async throws -> Date? {
    try await storage.updatedAt(key: key)
  }
}
