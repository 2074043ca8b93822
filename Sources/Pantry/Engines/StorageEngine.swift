public import FoundationEssentials

/// The storage of a ``Store``: one key space of data, in insertion order.
///
/// Overwriting a key keeps its position and its `createdAt`. Reads throw when they fail; an absent
/// key gives nil, or is left out. Methods that others can express have defaults, so an engine of
/// your own needs only the single-key methods, ``allKeys()`` and ``removeAllData()``; implement
/// ``commit(_:)`` too if your database has transactions.
///
/// Every method throws the database's own error if the operation fails.
///
/// An engine is an actor, so that any isolation can call it. A ``Store`` expects a call on some
/// keys to take time for these and not for all, and counting not to read the data; the defaults
/// promise neither.
public protocol StorageEngine: Actor {
  /// The key space of the rows; nil if no other engine object has them.
  nonisolated var keySpace: StorageKeySpace? { get }

  /// Writes `data` under `key`.
  ///
  /// - Throws: the database's error.
  func write(_ data: Data, key: CacheKey) async throws
  /// Writes many, all or nothing where the engine can. If a key repeats, the last data wins.
  ///
  /// - Throws: the database's error.
  func write(_ dataAndKeys: [(key: CacheKey, data: Data)]) async throws

  /// Reads the data of `key`, or nil.
  ///
  /// - Throws: the database's error.
  func read(key: CacheKey) async throws -> Data?
  /// Reads many in the order of `keys`, skipping absent ones.
  ///
  /// - Throws: the database's error.
  func read(keys: [CacheKey]) async throws -> [Data]
  /// Reads many with their keys in the order of `keys`, skipping absent ones.
  ///
  /// - Throws: the database's error.
  func readDataAndKeys(keys: [CacheKey]) async throws -> [(key: CacheKey, data: Data)]
  /// Reads everything in insertion order.
  ///
  /// - Throws: the database's error.
  func readAllData() async throws -> [Data]
  /// Reads everything with its keys in insertion order.
  ///
  /// - Throws: the database's error.
  func readAllDataAndKeys() async throws -> [(key: CacheKey, data: Data)]

  /// Reads at most `limit` rows in insertion order, from after `key`, or from the start if nil.
  ///
  /// Returns none if there is no such key.
  ///
  /// - Throws: the database's error.
  func readDataAndKeys(after key: CacheKey?, limit: Int) async throws
    -> [(key: CacheKey, data: Data)]

  /// Removes `key`; no error if it is absent.
  ///
  /// - Throws: the database's error.
  func remove(key: CacheKey) async throws
  /// Removes many, all or nothing where the engine can.
  ///
  /// - Throws: the database's error.
  func remove(keys: [CacheKey]) async throws
  /// Removes everything.
  ///
  /// - Throws: the database's error.
  func removeAllData() async throws

  /// Returns whether `key` exists.
  ///
  /// - Throws: the database's error.
  func keyExists(_ key: CacheKey) async throws -> Bool
  /// Returns the existing ones of `keys`, in the order given.
  ///
  /// - Throws: the database's error.
  func keysExist(_ keys: [CacheKey]) async throws -> [CacheKey]
  /// Returns the number of keys.
  ///
  /// - Throws: the database's error.
  func keyCount() async throws -> Int
  /// Returns every key in insertion order.
  ///
  /// - Throws: the database's error.
  func allKeys() async throws -> [CacheKey]

  /// Returns the time at which `key` was first written, or nil; overwriting keeps it.
  ///
  /// - Throws: the database's error.
  func createdAt(key: CacheKey) async throws -> Date?
  /// Returns the time at which `key` was last written, or nil.
  ///
  /// - Throws: the database's error.
  func updatedAt(key: CacheKey) async throws -> Date?

  /// Applies changes in order, all or nothing where the engine can.
  ///
  /// The default applies them one after another, so an error may leave the earlier ones applied.
  ///
  /// - Throws: the database's error.
  func commit(_ changes: [StorageChange]) async throws

  /// Finishes what is left to do before the program ends; a later call may open the storage again.
  ///
  /// The default does nothing.
  ///
  /// - Throws: the database's error; then nothing is lost that an earlier call has kept.
  func close() async throws
}

extension StorageEngine {
  /// Nil: the rows are this engine object's only.
  public nonisolated var keySpace: StorageKeySpace? { nil }

  /// Writes many by ``commit(_:)``, and throws what it throws.
  public func write(_ dataAndKeys: [(key: CacheKey, data: Data)]) async throws {
    try await commit(dataAndKeys.map { .write($0.data, key: $0.key) })
  }

  /// Reads many by ``readDataAndKeys(keys:)``, and throws what it throws.
  public func read(keys: [CacheKey]) async throws -> [Data] {
    try await readDataAndKeys(keys: keys).map(\.data)
  }

  /// Reads one key after another, and throws the first error.
  public func readDataAndKeys(keys: [CacheKey]) async throws -> [(key: CacheKey, data: Data)] {
    var found: [(key: CacheKey, data: Data)] = []
    for key in keys {
      if let data = try await read(key: key) { found.append((key, data)) }
    }
    return found
  }

  /// Reads everything by ``readAllDataAndKeys()``, and throws what it throws.
  public func readAllData() async throws -> [Data] {
    try await readAllDataAndKeys().map(\.data)
  }

  /// Reads the data of ``allKeys()``, and throws what reading throws.
  public func readAllDataAndKeys() async throws -> [(key: CacheKey, data: Data)] {
    try await readDataAndKeys(keys: allKeys())
  }

  /// Finds the page in ``allKeys()`` and reads its data, and throws what reading throws.
  public func readDataAndKeys(after key: CacheKey?, limit: Int) async throws
    -> [(key: CacheKey, data: Data)]
  {
    let keys = try await allKeys()
    guard let key else { return try await readDataAndKeys(keys: Array(keys.prefix(limit))) }
    guard let place = keys.firstIndex(of: key) else { return [] }
    return try await readDataAndKeys(keys: Array(keys[(place + 1)...].prefix(limit)))
  }

  /// Removes many by ``commit(_:)``, and throws what it throws.
  public func remove(keys: [CacheKey]) async throws {
    try await commit(keys.map { .remove(key: $0) })
  }

  /// Returns whether ``read(key:)`` finds data, and throws what it throws.
  public func keyExists(_ key: CacheKey) async throws -> Bool {
    try await read(key: key) != nil
  }

  /// Looks each key up in ``allKeys()``, and throws what that throws.
  public func keysExist(_ keys: [CacheKey]) async throws -> [CacheKey] {
    let existing = try await Set(allKeys())
    return keys.filter(existing.contains)
  }

  /// Counts ``allKeys()``, and throws what that throws.
  public func keyCount() async throws -> Int {
    try await allKeys().count
  }

  /// Applies one change after another, and throws the first error; earlier changes stay applied.
  public func commit(_ changes: [StorageChange]) async throws {
    for change in changes {
      switch change {
      case .write(let data, let key, _): try await write(data, key: key)
      case .remove(let key): try await remove(key: key)
      case .removeAll: try await removeAllData()
      }
    }
  }

  /// Does nothing.
  public func close() async throws {}
}
