public import FoundationEssentials
internal import SystemSupport

/// Typed access to an engine without a ``Store``, under keys of your choice.
///
/// It keeps nothing in memory. Objects are stored as JSON, like the items of a Store, attachments
/// included. The engine's guarantees about order, overwriting and errors apply; an object that
/// cannot be decoded is an error that names its key, never an absent object. Every method throws
/// the engine's error if the engine fails, and those with objects a ``StorageError`` if the key
/// space belongs to another type. Where version 0.2.0 left rows of several types, those that cannot
/// be read as an `Object` are neither replaced nor removed
/// (``StorageError/otherRow(namespace:key:asks:)``).
///
/// It can be used from any isolation; JSON is encoded and decoded off the main actor. The costs are
/// the engine's, and those of JSON for the objects of the call.
public struct ObjectStorage<Object: Codable & Sendable>: Sendable {
  /// The engine that keeps the objects.
  public let storage: any StorageEngine

  private let upgrades: [ModelUpgrade]
  private let claim: ObjectClaim<Object>

  /// Creates a typed view of `storage`.
  ///
  /// - Parameters:
  ///   - storage: the engine that keeps the objects.
  ///   - upgrades: the upgrades of the objects' model, as for a ``Store``; older rows are upgraded
  ///     in memory each time they are read.
  ///   - formerNames: the former full names of `Object`, newest first.
  public init(
    storage: any StorageEngine, upgrades: [ModelUpgrade] = [], formerNames: [String] = []
  ) {
    self.storage = storage
    self.upgrades = upgrades
    claim = ObjectClaim(
      RowType(.objects, of: TypeName(Object.self), formerNames: formerNames) { key, data in
        do throws(LoadIssue) {
          _ = try RowCoder(storage: storage, upgrades: upgrades)
            .decode(Object.self, from: data, key: key)
          return true
        } catch {
          return false
        }
      })
  }

  // MARK: Writing

  /// Writes `object` under `key`; an existing object is replaced in its place.
  ///
  /// - Throws: `EncodingError` before anything is written if `object` cannot be encoded, or not be
  ///   decoded again; the errors of ``removeObjects(forKeys:)``.
  public func store(_ object: Object, forKey key: CacheKey) async throws {
    try await store([(key: key, object: object)])
  }

  /// Writes many objects, all or nothing where the engine can.
  ///
  /// If a key repeats, the last object wins, at the first position.
  ///
  /// - Throws: `EncodingError` before anything is written; the errors of
  ///   ``removeObjects(forKeys:)``.
  @concurrent
  public func store(_ objectsAndKeys: [(key: CacheKey, object: Object)]) async throws {
    let coder = RowCoder(storage: storage, upgrades: upgrades)
    var changes: [StorageChange] = []
    changes.reserveCapacity(objectsAndKeys.count)
    for (key, object) in objectsAndKeys {
      let change = try await coder.change(writing: object, key: key, among: objectsAndKeys.count)
      if let change { changes.append(change) }
    }
    try await commit(changes)
    storage.noteStored(changes)
  }

  private func commit(_ changes: [StorageChange]) async throws {
    try await claim.take(storage)
    guard !changes.isEmpty else { return }
    let rowGuard = claim.rowGuard(of: storage, version: upgrades.count)
    _ = try await storage.commit([
      StoragePart(storage: storage, changes: changes, rowGuard: rowGuard)
    ])
  }

  // MARK: Reading

  /// Reads the object under `key`, or nil.
  ///
  /// - Throws: ``LoadIssue`` if it cannot be decoded, or the engine's error.
  @concurrent
  public func object(forKey key: CacheKey) async throws -> Object? {
    try await claim.take(storage)
    guard let data = try await storage.read(key: key) else { return nil }
    return try RowCoder(storage: storage, upgrades: upgrades)
      .decode(Object.self, from: data, key: key).value
  }

  /// Reads many in the order of `keys`, skipping absent ones.
  ///
  /// - Throws: ``LoadIssue`` for the first object that cannot be decoded, or the engine's error.
  public func objects(forKeys keys: [CacheKey]) async throws -> [Object] {
    try await objectsAndKeys(keys: keys).map(\.object)
  }

  /// Reads many with their keys in the order of `keys`, skipping absent ones.
  ///
  /// - Throws: ``LoadIssue`` for the first object that cannot be decoded, or the engine's error.
  @concurrent
  public func objectsAndKeys(keys: [CacheKey]) async throws -> [(key: CacheKey, object: Object)] {
    try await claim.take(storage)
    return try await decode(storage.readDataAndKeys(keys: keys))
  }

  /// Reads every object in insertion order.
  ///
  /// - Throws: ``LoadIssue`` for the first object that cannot be decoded, or the engine's error.
  public func allObjects() async throws -> [Object] {
    try await allObjectsAndKeys().map(\.object)
  }

  /// Reads every object with its key in insertion order.
  ///
  /// - Throws: ``LoadIssue`` for the first object that cannot be decoded, or the engine's error.
  @concurrent
  public func allObjectsAndKeys() async throws -> [(key: CacheKey, object: Object)] {
    try await claim.take(storage)
    return try await decode(storage.readAllDataAndKeys())
  }

  /// Reads at most `limit` objects in insertion order, from after `key`, or from the start if nil.
  ///
  /// This shows a list of any length page by page, without loading all of it.
  ///
  /// - Throws: ``LoadIssue`` for the first object that cannot be decoded, or the engine's error.
  /// - Complexity: on SQLite O(`limit`), wherever the page is.
  @concurrent
  public func objectsAndKeys(
    after key: CacheKey? = nil, limit: Int
  ) async throws -> [(key: CacheKey, object: Object)] {
    try await claim.take(storage)
    return try await decode(storage.readDataAndKeys(after: key, limit: limit))
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

  /// Removes the object under `key`; no error if absent.
  ///
  /// - Throws: the errors of ``removeObjects(forKeys:)``.
  public func removeObject(forKey key: CacheKey) async throws {
    try await removeObjects(forKeys: [key])
  }

  /// Removes many, all or nothing where the engine can.
  ///
  /// - Throws: the engine's error; ``StorageError/newerModel(type:version:supported:)`` for a row
  ///   of a newer program, ``StorageError/otherRow(namespace:key:asks:)`` for one that may be
  ///   another type's, ``StorageError/otherType(namespace:wrote:asks:)`` or
  ///   ``StorageError/otherDefinition(namespace:type:)`` if all are. Then nothing is changed; the
  ///   `remove(key:)` of the engine itself removes any row.
  public func removeObjects(forKeys keys: [CacheKey]) async throws {
    try await commit(keys.map { .remove(key: $0) })
  }

  /// Removes everything in the engine's key space, except rows that may be another type's.
  ///
  /// - Throws: the errors of ``removeObjects(forKeys:)``: one row of a newer program makes it fail.
  public func removeAllObjects() async throws {
    guard try await claim.take(storage) else { return try await commit([.removeAll]) }
    try await removeObjects(forKeys: claim.keys(in: storage))
  }

  // MARK: Keys and times

  /// Returns whether `key` exists.
  ///
  /// - Throws: the engine's error.
  public func keyExists(_ key: CacheKey) async throws -> Bool {
    try await storage.keyExists(key)
  }

  /// Returns the existing ones of `keys`, in the order given.
  ///
  /// - Throws: the engine's error.
  public func keysExist(_ keys: [CacheKey]) async throws -> [CacheKey] {
    try await storage.keysExist(keys)
  }

  /// Returns the number of keys.
  ///
  /// - Throws: the engine's error.
  public func keyCount() async throws -> Int {
    try await storage.keyCount()
  }

  /// Returns every key in insertion order.
  ///
  /// - Throws: the engine's error.
  public func allKeys() async throws -> [CacheKey] {
    try await storage.allKeys()
  }

  /// Returns the time at which `key` was first written, or nil; overwriting keeps it.
  ///
  /// - Throws: the engine's error.
  public func createdAt(forKey key: CacheKey) async throws -> Date? {
    try await storage.createdAt(key: key)
  }

  /// Returns the time at which `key` was last written, or nil.
  ///
  /// - Throws: the engine's error.
  public func updatedAt(forKey key: CacheKey) async throws -> Date? {
    try await storage.updatedAt(key: key)
  }
}

/// The claim of an ``ObjectStorage`` to its key space, which its copies make once.
private final class ObjectClaim<Object>: Sendable {
  private let claim: RowType
  /// Whether the key space may have rows of others; nil before the claim is made.
  private let isShared = Lock<Bool?>(nil)

  init(_ claim: RowType) { self.claim = claim }

  /// Makes the claim.
  ///
  /// - Returns: whether the key space may have rows of others.
  @discardableResult
  func take(_ storage: any StorageEngine) async throws -> Bool {
    if let known = isShared.withLock(\.self) { return known }
    let found = try await claim.take(storage)
    isShared.withLock { $0 = found }
    return found
  }

  /// Judges the rows that changes overwrite or remove, once the claim is made.
  func rowGuard(of storage: any StorageEngine, version: Int) -> RowGuard {
    claim.rowGuard(
      of: Object.self, in: storage, version: version, isShared: isShared.withLock(\.self) == true)
  }

  /// The keys of the rows that are the type's.
  func keys(in storage: any StorageEngine) async throws -> [CacheKey] {
    try await storage.readAllDataAndKeys().filter { claim.canRead($0.key, $0.data) }.map(\.key)
  }
}
