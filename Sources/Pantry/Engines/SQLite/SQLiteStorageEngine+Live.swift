internal import FoundationEssentials

extension SQLiteStorageEngine {
  /// Notifies the follower of writes of other engines and processes to the namespace.
  public nonisolated func add(_ follower: StorageFollower) { file.followers.insert(follower) }

  /// Reads all rows of the namespace, as of one moment, or throws ``SQLiteError``.
  public func rows(for follower: StorageFollower) async throws -> [StorageRow] {
    try reading(for: follower) { try $0.allRows() }
  }

  /// Reads a page of rows by the table's index, or throws ``SQLiteError``.
  ///
  /// - Complexity: O(`limit`), wherever the page is.
  public func page(
    after position: Int?, limit: Int, for follower: StorageFollower
  ) async throws -> [StorageRow]? {
    guard let position else {
      let rows = try reading(for: follower) { session in
        let rows = try session.page(after: .min, limit: limit)
        if rows.count < limit { try session.requireAll(rows.count) }
        return rows
      }
      follower.countRows(rows.count)
      return rows
    }
    let session = try openSession()
    // The file of the first pages was replaced.
    guard cursor(of: follower) != nil else { return nil }
    return try session.reading {
      let rows = try session.page(after: Int64(position), limit: limit)
      let count = follower.countRows(rows.count)
      // Unless others have written meanwhile, this is the number of all.
      if rows.count < limit { try session.requireAll(count) }
      return rows
    }
  }

  /// Reads the newest rows and the count by indexes, or throws ``SQLiteError``.
  ///
  /// - Complexity: O(`limit`), plus a walk of the index for the count: 10,000 rows are ten pages.
  public func newestPage(limit: Int) async throws -> (rows: [StorageRow], count: Int)? {
    let session = try openSession()
    return try session.reading {
      let (rows, count) = try (session.newestPage(limit: limit), session.keyCount())
      if rows.count != min(limit, count) { try session.requireAll(rows.count) }
      return (rows, count)
    }
  }

  /// Reads the writes of others to the namespace, or throws ``SQLiteError``.
  ///
  /// - Complexity: O(k) for k changed rows.
  public func changes(for follower: StorageFollower) async throws -> StorageUpdate {
    try reading(for: follower) { try $0.update(since: cursor(of: follower)) }
  }

  /// Reads the writes of others, and commits, in one transaction; throws ``SQLiteError``, or
  /// ``StorageError/outcomeUnknown(reason:)`` if the disk fails to flush the commit.
  public func commit(
    _ changes: [StorageChange], basedOn basis: ReadSet, for follower: StorageFollower
  ) async throws -> StorageCommit {
    let part = StoragePart(storage: self, changes: changes, basis: basis, follower: follower)
    return try await commit([part])[0]
  }

  /// Reads on one snapshot, and advances the follower to it.
  private func reading<Result>(
    for follower: StorageFollower, _ body: (SQLiteSession) throws -> Result
  ) throws -> Result {
    let session = try openSession()
    let result = try session.reading {
      let result = try body(session)
      follower.cursor = FollowerPosition(
        file: file.writer.fileNumber, namespace: session.namespace,
        cursor: try session.newest().cursor)
      return result
    }
    file.watcher.start()
    return result
  }

  /// The cursor of a follower in this file; nil if it has not read this file.
  func cursor(of follower: StorageFollower) -> SQLiteCursor? {
    guard let place = follower.place, place.file == file.writer.fileNumber else { return nil }
    return place.cursor
  }
}

/// The cursor of a follower, with its file and namespace.
struct FollowerPosition: Sendable {
  /// The number of the file: a replacement has its own history.
  let file: Int
  /// The number of the namespace, whatever its name.
  let namespace: Int64
  var cursor: SQLiteCursor
  /// The number of rows read page by page since then.
  var rowsRead = 0
}

extension StorageFollower {
  /// The place up to which it has read a database file.
  var place: FollowerPosition? { cursor as? FollowerPosition }

  /// Adds to the rows read page by page; returns their number.
  @discardableResult
  fileprivate func countRows(_ count: Int) -> Int {
    guard var place else { return count }
    place.rowsRead += count
    cursor = place
    return place.rowsRead
  }
}
