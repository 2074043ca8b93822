internal import FoundationEssentials

/// The rows of one key space in memory, in insertion order.
struct MemoryRows: Sendable {
  struct Row: Sendable {
    var data: Data
    let position: Int
    /// The time of the first write.
    let createdAt: Date
    var updatedAt: Date
  }

  private var rows: [CacheKey: Row] = [:]
  private var nextPosition = 0

  var count: Int { rows.count }

  subscript(key: CacheKey) -> Row? { rows[key] }

  /// Writes a row; an existing one keeps its position and its `createdAt`.
  ///
  /// - Returns: the position of a new row.
  mutating func put(_ data: Data, key: CacheKey, at time: Date) -> Int? {
    if rows[key] != nil {
      rows[key]?.data = data
      rows[key]?.updatedAt = time
      return nil
    }
    defer { nextPosition += 1 }
    rows[key] = Row(data: data, position: nextPosition, createdAt: time, updatedAt: time)
    return nextPosition
  }

  mutating func remove(_ key: CacheKey) { rows[key] = nil }

  mutating func removeAll() { rows = [:] }

  func row(_ key: CacheKey) -> StorageRow? {
    rows[key].map { StorageRow(key: key, data: $0.data, position: $0.position) }
  }

  /// The rows in insertion order.
  ///
  /// - Complexity: O(n log n): they are sorted.
  var ordered: [StorageRow] { rows.keys.compactMap(row).sorted { $0.position < $1.position } }
}
