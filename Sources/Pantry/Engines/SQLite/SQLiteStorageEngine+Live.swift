internal import FoundationEssentials

extension SQLiteStorageEngine: PagedStorage {
  /// Tells the follower of what other engines and other processes write to the namespace.
  public nonisolated func add(_ follower: StorageFollower) { file.followers.insert(follower) }

  /// Reads all rows of the namespace, as of one moment.
  public func rows(for follower: StorageFollower) async throws -> [StorageRow] {
    try reading(for: follower) { try $0.allRows() }
  }

  /// Reads a page of rows by the table's index.
  ///
  /// - Complexity: O(`limit`), wherever the page is.
  public func page(
    after position: Int?, limit: Int, for follower: StorageFollower
  ) async throws -> [StorageRow]? {
    guard let position else {
      return try reading(for: follower) { try $0.page(after: .min, limit: limit) }
    }
    let session = try openSession()
    // Another file has taken the place of the one that the first pages are of.
    guard cursor(of: follower) != nil else { return nil }
    return try session.page(after: Int64(position), limit: limit)
  }

  /// Reads the newest rows and the count, both by an index of the table.
  ///
  /// - Complexity: O(`limit`), and the index is walked for the count: 10,000 rows are ten pages.
  public func newestPage(limit: Int) async throws -> (rows: [StorageRow], count: Int) {
    let session = try openSession()
    return try session.reading { try (session.newestPage(limit: limit), session.keyCount()) }
  }

  /// Reads what others have written to the namespace.
  ///
  /// - Complexity: O(changed).
  public func changes(for follower: StorageFollower) async throws -> StorageUpdate {
    try reading(for: follower) { try $0.update(since: cursor(of: follower)) }
  }

  /// Reads what others have written, and writes, in one transaction.
  public func commit(
    _ changes: [StorageChange], basedOn basis: StorageBasis, for follower: StorageFollower
  ) async throws -> StorageCommit {
    let part = StoragePart(storage: self, changes: changes, basis: basis, follower: follower)
    return try await commit([part])[0]
  }

  /// Reads on one snapshot, at which the follower is then.
  private func reading<Result>(
    for follower: StorageFollower, _ body: (SQLiteSession) throws -> Result
  ) throws -> Result {
    let session = try openSession()
    let result = try session.reading {
      let result = try body(session)
      follower.cursor = SQLitePlace(
        file: file.writer.fileNumber, namespace: session.namespace,
        cursor: try session.newestCursor())
      return result
    }
    file.watcher.start()
    return result
  }

  /// Up to where a follower has read in this file; nil if it has read nothing in it.
  func cursor(of follower: StorageFollower) -> SQLiteCursor? {
    guard let place = follower.place, place.file == file.writer.fileNumber else { return nil }
    return place.cursor
  }
}

/// Up to where a follower has read, and in what.
struct SQLitePlace: Sendable {
  /// Which file it was: one that takes the place of another has a history of its own.
  let file: Int
  /// The number of the namespace, whatever it is called.
  let namespace: Int64
  var cursor: SQLiteCursor
}

extension StorageFollower {
  /// Up to where it has read in a database file.
  var place: SQLitePlace? { cursor as? SQLitePlace }
}
