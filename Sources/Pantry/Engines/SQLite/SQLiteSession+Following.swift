/// Up to where somebody has read in a namespace.
///
/// The numbers are those of one file: another one that takes its place has a history of its own.
struct SQLiteCursor: Hashable, Sendable {
  /// The number of the last entry in the log of changes.
  var change: Int64
  /// The largest number that a row of the namespace has had.
  var item: Int64
}

extension SQLiteSession {
  /// Where the namespace is now; call it in a transaction with what it belongs to.
  func newestCursor() throws -> SQLiteCursor {
    try SQLiteCursor(change: newestChange(), item: newestNumber())
  }

  /// The largest number that a row of the namespace has had.
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

  /// Reads what has changed in the namespace since `cursor`, in a transaction of the caller's.
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

  /// Whether something has been written in the namespace since `cursor`.
  func hasChanged(since cursor: SQLiteCursor) throws -> Bool {
    if try newestNumber() != cursor.item { return true }
    let changed = try database.statement(
      "SELECT 1 FROM change WHERE seq > ?1 AND namespace = ?2 LIMIT 1")
    defer { changed.reset() }
    try changed.bind(.integer(cursor.change), .integer(namespace))
    return try changed.step() || newestChange() < cursor.change
  }

  /// Whether what has changed since `cursor` can be told.
  ///
  /// It cannot be if the log does not go back so far, if all rows have been removed since, and if
  /// there has never been such a number, so that the cursor belongs to another file.
  private func reaches(_ cursor: SQLiteCursor) throws -> Bool {
    guard try newestChange() >= cursor.change, try newestNumber() >= cursor.item else {
      return false
    }
    let oldest = try database.integer("SELECT min(seq) FROM change") ?? 0
    guard oldest <= cursor.change + 1 else { return false }
    let cleared = try database.statement(
      "SELECT 1 FROM change WHERE seq > ?1 AND namespace = ?2 AND key IS NULL LIMIT 1")
    defer { cleared.reset() }
    try cleared.bind(.integer(cursor.change), .integer(namespace))
    return try !cleared.step()
  }

  /// The number of the last entry in the log of changes.
  private func newestChange() throws -> Int64 {
    try database.integer("SELECT max(seq) FROM change") ?? 0
  }
}
