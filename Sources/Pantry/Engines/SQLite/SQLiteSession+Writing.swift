internal import FoundationEssentials

extension SQLiteSession {
  /// Applies `changes` in the caller's transaction.
  ///
  /// - Parameters:
  ///   - attachments: the attachments of all writes, as returned by ``store(_:bytes:)``.
  ///   - rowGuard: judges each row that is overwritten or removed by its key.
  ///   - references: collects what becomes of the attachments.
  /// - Returns: for each change, the position of the inserted row.
  func apply(
    _ changes: [StorageChange], attachments: [ContentDigest: Int64], at time: Date,
    admittedBy rowGuard: RowGuard?, recording references: inout ReferenceChanges
  ) throws -> [Int?] {
    guard !changes.isEmpty else { return [] }
    var positions: [Int?] = []
    positions.reserveCapacity(changes.count)
    let former = try self.newest()
    var newest = former.cursor.item
    var lastRemoved = former.removed
    var mayHaveReferences = former.hasReferences
    var noted: Int64 = 0
    func note(_ key: CacheKey?) throws {
      // More entries than are kept would only be pruned again: one for all rows replaces them.
      if noted < Database.keptChanges {
        try self.note(key)
      } else if noted == Database.keptChanges {
        try self.note(nil)
      }
      noted += 1
    }
    for change in changes {
      switch change {
      case .write(let data, let key, let refersTo):
        let row = try write(data, key: key, number: newest + 1, at: time, admittedBy: rowGuard)
        let isNew = row > newest
        if isNew { newest = row } else { try note(key) }
        positions.append(isNew ? Int(row) : nil)
        if mayHaveReferences || !refersTo.isEmpty {
          mayHaveReferences = true
          try refer(
            row, isNew: isNew, to: Set(refersTo.compactMap { attachments[$0.digest] }),
            recording: &references)
        }
      case .remove(let key):
        positions.append(nil)
        guard let row = try number(of: key, admittedBy: rowGuard) else { continue }
        if mayHaveReferences { try refer(row, to: [], recording: &references) }
        try database.statement("DELETE FROM item WHERE id = ?1").run(.integer(row))
        try database.requireOneChanged()
        try note(key)
        lastRemoved = max(lastRemoved, row)
      case .removeAll:
        positions.append(nil)
        if mayHaveReferences { try dropReferences(recording: &references) }
        try removeRows()
        try note(nil)
        lastRemoved = newest
      }
    }
    if lastRemoved > former.removed {
      try database.statement("UPDATE namespace SET lastItem = ?2 WHERE id = ?1")
        .run(.integer(namespace), .integer(lastRemoved))
    }
    return positions
  }

  /// Writes a row; returns its number, which is `number` if it is new.
  // Not ON CONFLICT DO UPDATE, but OR FAIL: with the former, or with the default OR ABORT, every
  // row may have a statement journal, which copies each touched page to a temporary file
  // (sqlite.org/tempfiles.html#stmtjrnl). Any failure rolls the whole transaction back.
  private func write(
    _ data: Data, key: CacheKey, number: Int64, at time: Date, admittedBy rowGuard: RowGuard?
  ) throws -> Int64 {
    let time = Statement.Value.real(time.timeIntervalSince1970)
    assert(numbers.contains(number), "a new row gets the number of another namespace")
    let insert = try database.statement(
      """
      INSERT OR FAIL INTO item (namespace, key, data, createdAt, updatedAt, id)
      VALUES (?1, ?2, ?3, ?4, ?4, ?5)
      """)
    let isNew = try insert.runUnlessTaken([
      .integer(namespace), .text(key.rawValue), .readable(data), time, .integer(number),
    ])
    if isNew { return number }
    // The index refused the key. If it has no row for it, or the table has none, it is damaged.
    let row = try self.number(of: key, admittedBy: rowGuard) ?? 0
    assert(row == 0 || numbers.contains(row), "a row has the number of another namespace")
    try database.statement("UPDATE OR FAIL item SET data = ?2, updatedAt = ?3 WHERE id = ?1")
      .run(.integer(row), .readable(data), time)
    try database.requireOneChanged()
    return row
  }

  /// The number of the row under `key`, which is about to be overwritten or removed.
  private func number(of key: CacheKey, admittedBy rowGuard: RowGuard?) throws -> Int64? {
    guard let rowGuard else { return try position(of: key) }
    let former = try database.statement(
      "SELECT id, data FROM item WHERE namespace = ?1 AND key = ?2")
    defer { former.reset() }
    try former.bind(.integer(namespace), .text(key.rawValue))
    guard try former.step() else { return nil }
    try rowGuard.admit(key, over: former.data(1))
    return former.integer(0)
  }

  private func removeRows() throws {
    // The whole table is truncated at once (https://sqlite.org/lang_delete.html#trucateopt).
    let others = try database.statement("SELECT 1 FROM item WHERE id < ?1 OR id > ?2 LIMIT 1")
    try others.bind(.integer(numbers.lowerBound), .integer(numbers.upperBound))
    let hasOthers = try others.step()
    others.reset()
    if hasOthers {
      try database.statement("DELETE FROM item WHERE id > ?1 AND id < ?2")
        .run(.integer(numbers.lowerBound), .integer(numbers.upperBound))
    } else {
      try database.statement("DELETE FROM item").run()
    }
  }

  /// Logs that a row was updated or removed.
  ///
  /// - Parameter key: nil if any row may have been.
  private func note(_ key: CacheKey?) throws {
    try database.statement("INSERT INTO change (namespace, key) VALUES (?1, ?2)")
      .run(.integer(namespace), key.map { .text($0.rawValue) } ?? .null)
  }
}

extension Database {
  /// The number of entries kept in the log of changes: a follower further behind reads everything.
  static var keptChanges: Int64 { WorkSizes.current.keptChanges }

  /// Prunes the log of changes once it is a tenth over its limit.
  func pruneChanges(_ newest: SQLiteNewest) throws {
    let change = newest.cursor.change
    guard change - newest.oldestChange > Self.keptChanges + Self.keptChanges / 10 else { return }
    try statement("DELETE FROM change WHERE seq <= ?1").run(.integer(change - Self.keptChanges))
  }
}
