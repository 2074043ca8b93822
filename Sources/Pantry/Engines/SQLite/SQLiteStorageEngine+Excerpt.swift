public import FoundationEssentials

extension SQLiteStorageEngine: ExcerptStorage {
  /// Reads the newest rows and the count, both by an index of the table.
  ///
  /// - Complexity: O(`limit`), and the index is walked for the count: 10,000 rows are ten pages.
  public func newestDataAndKeys(
    limit: Int
  ) async throws -> (rows: [(key: CacheKey, data: Data)], count: Int) {
    let session = try openSession()
    return try session.reading {
      try (session.newestDataAndKeys(limit: limit), session.keyCount())
    }
  }
}
