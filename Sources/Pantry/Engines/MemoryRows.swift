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
  mutating func put(_ data: Data, key: CacheKey, at time: Date) {
    if rows[key] != nil {
      rows[key]?.data = data
      rows[key]?.updatedAt = time
    } else {
      rows[key] = Row(data: data, position: nextPosition, createdAt: time, updatedAt: time)
      nextPosition += 1
    }
  }

  mutating func remove(_ key: CacheKey) { rows[key] = nil }

  mutating func removeAll() { rows = [:] }

  /// The rows in insertion order.
  ///
  /// - Complexity: O(n log n): they are sorted.
  var ordered: [(key: CacheKey, data: Data)] {
    rows.sorted { $0.value.position < $1.value.position }.map { ($0.key, $0.value.data) }
  }
}
