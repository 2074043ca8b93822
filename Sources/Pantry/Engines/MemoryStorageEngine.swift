public import FoundationEssentials

/// An engine that keeps everything in memory and writes no file.
///
/// Its methods are `async` like the protocol's: otherwise Swift would pick the protocol's defaults
/// for a caller that knows the type.
public actor MemoryStorageEngine: StorageEngine {
  private struct Entry {
    var data: Data
    let position: Int
    let createdAt: Date
    var updatedAt: Date
  }

  private var entries: [CacheKey: Entry] = [:]
  private var nextPosition = 0
  private let now: @Sendable () -> Date

  /// Creates an empty engine.
  ///
  /// - Parameter now: the clock of `createdAt` and `updatedAt`.
  public init(now: @escaping @Sendable () -> Date = { Date() }) {
    self.now = now
  }

  /// Writes `data` under `key`; never fails.
  public func write(_ data: Data, key: CacheKey) async { put(data, key: key) }

  private func put(_ data: Data, key: CacheKey) {
    let time = now()
    if entries[key] != nil {
      entries[key]?.data = data
      entries[key]?.updatedAt = time
    } else {
      entries[key] = Entry(
        data: data, position: nextPosition, createdAt: time, updatedAt: time)
      nextPosition += 1
    }
  }

  /// Reads the data of `key`, or nil.
  public func read(key: CacheKey) async -> Data? { entries[key]?.data }

  /// Reads everything with its keys in insertion order.
  ///
  /// - Complexity: O(n log n): the entries are sorted.
  public func readAllDataAndKeys() async -> [(key: CacheKey, data: Data)] {
    ordered().map { (key: $0.key, data: $0.value.data) }
  }

  /// Removes `key` and its data.
  public func remove(key: CacheKey) async { entries[key] = nil }

  /// Removes everything.
  public func removeAllData() async { entries = [:] }

  /// Returns whether `key` exists.
  public func keyExists(_ key: CacheKey) async -> Bool { entries[key] != nil }

  /// Returns the number of keys.
  public func keyCount() async -> Int { entries.count }

  /// Returns every key in insertion order.
  ///
  /// - Complexity: O(n log n): the entries are sorted.
  public func allKeys() async -> [CacheKey] { ordered().map(\.key) }

  /// Returns the time at which `key` was first written, or nil.
  public func createdAt(key: CacheKey) async -> Date? { entries[key]?.createdAt }

  /// Returns the time at which `key` was last written, or nil.
  public func updatedAt(key: CacheKey) async -> Date? { entries[key]?.updatedAt }

  /// Applies all changes without suspending: no caller sees a part, and none can fail.
  public func commit(_ changes: [StorageChange]) async {
    for change in changes {
      switch change {
      case .write(let data, let key, _): put(data, key: key)
      case .remove(let key): entries[key] = nil
      case .removeAll: entries = [:]
      }
    }
  }

  private func ordered() -> [(key: CacheKey, value: Entry)] {
    entries.sorted { $0.value.position < $1.value.position }
  }
}
