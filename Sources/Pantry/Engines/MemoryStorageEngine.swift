public import FoundationEssentials

/// An engine that keeps everything in memory and writes no file.
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

  /// Creates an empty engine. `now` tells the time that `createdAt` and `updatedAt` report.
  public init(now: @escaping @Sendable () -> Date = { Date() }) {
    self.now = now
  }

  public func write(_ data: Data, key: CacheKey) {
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

  public func read(key: CacheKey) -> Data? { entries[key]?.data }

  public func readAllDataAndKeys() -> [(key: CacheKey, data: Data)] {
    ordered().map { (key: $0.key, data: $0.value.data) }
  }

  public func remove(key: CacheKey) { entries[key] = nil }

  public func removeAllData() { entries = [:] }

  public func keyExists(_ key: CacheKey) -> Bool { entries[key] != nil }

  public func keyCount() -> Int { entries.count }

  public func allKeys() -> [CacheKey] { ordered().map(\.key) }

  public func createdAt(key: CacheKey) -> Date? { entries[key]?.createdAt }

  public func updatedAt(key: CacheKey) -> Date? { entries[key]?.updatedAt }

  /// Applies all changes without a suspension between them: nobody sees a part, and none can fail.
  public func commit(_ changes: [StorageChange]) {
    for change in changes {
      switch change {
      case .write(let data, let key, _): write(data, key: key)
      case .remove(let key): remove(key: key)
      case .removeAll: removeAllData()
      }
    }
  }

  private func ordered() -> [(key: CacheKey, value: Entry)] {
    entries.sorted { $0.value.position < $1.value.position }
  }
}
