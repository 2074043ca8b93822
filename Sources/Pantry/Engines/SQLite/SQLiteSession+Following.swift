/// The position up to which a follower has read a namespace.
///
/// The numbers belong to one file: a replacement has its own history.
struct SQLiteCursor: Hashable, Sendable {
  /// The number of the last entry in the log of changes.
  var change: Int64
  /// The largest row number in the namespace so far.
  var item: Int64
}

extension SQLiteSession {
  /// The current cursor of the namespace; call it in the transaction that it belongs to.
  func newestCursor() throws -> SQLiteCursor {
    try SQLiteCursor(change: newestChange(), item: newestNumber())
  }

  /// The largest row number in the namespace so far.
  func newestNumber() throws -> Int64 {
    let newest = try database.statement(
      "SELECT max(id) FROM item WHERE id > ?1 AND id < ?2")
    defer { newest.reset() }
    try newest.bind(.integer(numbers.lowerBound), .integer(numbers.upperBound))
    let number = try newest.step() ? newest.integer(0) : 0
    return try max(number, lastRemovedNumber(), numbers.lowerBound)
  }

  /// The largest number of a row that was removed; 0 if none was.
  func lastRemovedNumber() throws -> Int64 {
    let removed = try database.statement("SELECT lastItem FROM namespace WHERE id = ?1")
    defer { removed.reset() }
    try removed.bind(.integer(namespace))
    return try removed.step() ? removed.integer(0) : 0
  }

  /// Reads the changes in the namespace since `cursor`, in the caller's transaction.
  ///
  /// - Parameter cursor: nil reads everything.
  func update(since cursor: SQLiteCursor?) throws -> StorageUpdate {
    guard let cursor, try reaches(cursor) else {
      return StorageUpdate(rows: try allRows(), isEverything: true)
    }
    var update = StorageUpdate(rows: try page(after: cursor.item, limit: .max))
    let changed = try database.statement(
      """
      SELECT DISTINCT change.key, item.data, item.id FROM change
      LEFT JOIN item ON item.namespace = change.namespace AND item.key = change.key
      WHERE change.seq > ?1 AND change.namespace = ?2
      """)
    defer { changed.reset() }
    try changed.bind(.integer(cursor.change), .integer(namespace))
    while try changed.step() {
      let key = CacheKey(verbatim: changed.text(0))
      if changed.isNull(2) {
        update.removed.append(key)
      } else if changed.integer(2) <= cursor.item {
        update.rows.append(
          StorageRow(key: key, data: changed.data(1), position: Int(changed.integer(2))))
      }
    }
    update.rows.sort { $0.position < $1.position }
    return update
  }

  func hasChanged(since cursor: SQLiteCursor) throws -> Bool {
    if try newestNumber() != cursor.item { return true }
    let changed = try database.statement(
      "SELECT 1 FROM change WHERE seq > ?1 AND namespace = ?2 LIMIT 1")
    defer { changed.reset() }
    try changed.bind(.integer(cursor.change), .integer(namespace))
    // Entries that were pruned may have been of this namespace.
    return try changed.step() || newestChange() < cursor.change
      || oldestChange() > cursor.change + 1
  }

  /// Whether the changes since `cursor` are known.
  ///
  /// They are unknown if the log does not go back so far, if all rows have been removed since, or
  /// if the number never existed, so that the cursor belongs to another file.
  private func reaches(_ cursor: SQLiteCursor) throws -> Bool {
    guard try newestChange() >= cursor.change, try newestNumber() >= cursor.item else {
      return false
    }
    guard try oldestChange() <= cursor.change + 1 else { return false }
    let cleared = try database.statement(
      "SELECT 1 FROM change WHERE seq > ?1 AND namespace = ?2 AND key IS NULL LIMIT 1")
    defer { cleared.reset() }
    try cleared.bind(.integer(cursor.change), .integer(namespace))
    return try !cleared.step()
  }

  /// The number of the first entry in the log of changes.
  private func oldestChange() throws -> Int64 {
    try database.integer("SELECT min(seq) FROM change") ?? 0
  }

  /// The number of the last entry in the log of changes.
  private func newestChange() throws -> Int64 {
    try database.integer("SELECT max(seq) FROM change") ?? 0
  }
}
