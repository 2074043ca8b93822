public import FoundationEssentials

/// An engine that keeps everything in memory and writes no file.
///
/// Its methods are `async` like the protocol's: otherwise Swift would pick the protocol's defaults
/// for a caller that knows the type.
///
/// The engine is an actor on the default executor. A call on one key is O(1); one on all rows sorts
/// them, in O(n log n).
public actor MemoryStorageEngine: StorageEngine {
  private var rows = MemoryRows()
  private var definition: String?
  private let now: @Sendable () -> Date

  /// Creates an empty engine.
  ///
  /// - Parameter now: the clock of `createdAt` and `updatedAt`.
  public init(now: @escaping @Sendable () -> Date = { Date() }) {
    self.now = now
  }

  /// The same for all engines in memory, whose commits cannot fail.
  public nonisolated var joint: ObjectIdentifier { ObjectIdentifier(MemoryStorageEngine.self) }

  /// Writes `data` under `key`; never fails.
  public func write(_ data: Data, key: CacheKey) async { rows.put(data, key: key, at: now()) }

  /// Reads the data of `key`, or nil.
  public func read(key: CacheKey) async -> Data? { rows[key]?.data }

  /// Reads everything with its keys in insertion order.
  ///
  /// - Complexity: O(n log n): the entries are sorted.
  public func readAllDataAndKeys() async -> [(key: CacheKey, data: Data)] { rows.ordered }

  /// Removes `key` and its data.
  public func remove(key: CacheKey) async { rows.remove(key) }

  /// Removes everything.
  public func removeAllData() async { rows.removeAll() }

  /// Returns whether `key` exists.
  public func keyExists(_ key: CacheKey) async -> Bool { rows[key] != nil }

  /// Returns the number of keys.
  public func keyCount() async -> Int { rows.count }

  /// Returns every key in insertion order.
  ///
  /// - Complexity: O(n log n): the entries are sorted.
  public func allKeys() async -> [CacheKey] { rows.ordered.map(\.key) }

  /// Returns the time at which `key` was first written, or nil.
  public func createdAt(key: CacheKey) async -> Date? { rows[key]?.createdAt }

  /// Returns the time at which `key` was last written, or nil.
  public func updatedAt(key: CacheKey) async -> Date? { rows[key]?.updatedAt }

  /// Returns the recorded definition of the rows, or nil.
  public func definition(for claim: RowType) async -> String? { definition }

  /// Records the definition of `claim` if the recorded one still is `known`.
  public func record(_ claim: RowType, replacing known: String?) async -> String? {
    if definition == known { definition = claim.definition }
    return definition
  }

  /// Applies all changes without suspending: no caller sees a part, and none can fail.
  public func commit(_ changes: [StorageChange]) async {
    for change in changes {
      switch change {
      case .write(let data, let key, _): rows.put(data, key: key, at: now())
      case .remove(let key): rows.remove(key)
      case .removeAll: rows.removeAll()
      }
    }
  }
}
