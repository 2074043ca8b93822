/// The position up to which a follower has read a namespace.
///
/// The numbers belong to one file: a replacement has its own history.
struct SQLiteCursor: Hashable, Sendable {
  /// The number of the last entry in the log of changes.
  var change: Int64
  /// The largest row number in the namespace so far.
  var item: Int64
}

/// What a namespace and the log of changes have come to, at one moment.
struct SQLiteNewest {
  /// After all changes.
  let cursor: SQLiteCursor
  /// The largest number of a row that was removed; 0 if none was.
  let removed: Int64
  /// The number of the oldest entry in the log of changes; 0 if there is none.
  let oldestChange: Int64
  /// Whether any item in the file refers to an attachment.
  let hasReferences: Bool
}

extension SQLiteSession {
  /// What there is now, in the caller's transaction.
  ///
  /// One statement, since each commit asks: running one takes longer than what it looks up.
  func newest() throws -> SQLiteNewest {
    let newest = try database.statement(
      """
      SELECT (SELECT max(id) FROM item WHERE id > ?1 AND id < ?2),
        (SELECT lastItem FROM namespace WHERE id = ?3),
        (SELECT max(seq) FROM change), (SELECT min(seq) FROM change),
        EXISTS (SELECT 1 FROM item_attachment)
      """)
    defer { newest.reset() }
    try newest.bind(
      .integer(numbers.lowerBound), .integer(numbers.upperBound), .integer(namespace))
    _ = try newest.step()
    let removed = newest.integer(1)
    return SQLiteNewest(
      cursor: SQLiteCursor(
        change: newest.integer(2), item: max(newest.integer(0), removed, numbers.lowerBound)),
      removed: removed, oldestChange: newest.integer(3), hasReferences: newest.integer(4) != 0)
  }

  /// Reads the changes in the namespace since `cursor`, in the caller's transaction.
  ///
  /// - Parameter cursor: nil reads everything.
  func update(since cursor: SQLiteCursor?) throws -> StorageUpdate {
    let newest = try newest()
    if cursor == newest.cursor { return StorageUpdate() }
    guard let cursor, try reaches(cursor, newest) else {
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
    let newest = try newest()
    if newest.cursor.item != cursor.item { return true }
    let changed = try database.statement(
      "SELECT 1 FROM change WHERE seq > ?1 AND namespace = ?2 LIMIT 1")
    defer { changed.reset() }
    try changed.bind(.integer(cursor.change), .integer(namespace))
    // Entries that were pruned may have been of this namespace.
    return try changed.step() || newest.cursor.change < cursor.change
      || newest.oldestChange > cursor.change + 1
  }

  /// Whether the changes since `cursor` are known.
  ///
  /// They are unknown if the log does not go back so far, if all rows have been removed since, or
  /// if the number never existed, so that the cursor belongs to another file.
  private func reaches(_ cursor: SQLiteCursor, _ newest: SQLiteNewest) throws -> Bool {
    guard newest.cursor.change >= cursor.change, newest.cursor.item >= cursor.item,
      newest.oldestChange <= cursor.change + 1
    else { return false }
    let cleared = try database.statement(
      "SELECT 1 FROM change WHERE seq > ?1 AND namespace = ?2 AND key IS NULL LIMIT 1")
    defer { cleared.reset() }
    try cleared.bind(.integer(cursor.change), .integer(namespace))
    return try !cleared.step()
  }
}
