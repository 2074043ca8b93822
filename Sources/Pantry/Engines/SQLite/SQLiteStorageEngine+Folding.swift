internal import FoundationEssentials

extension SQLiteStorageEngine: FoldingStorage {
  func foldDataAndKeys<Result: Sendable>(
    into initial: Result, batchSize: Int,
    _ body: @Sendable (inout Result, [(key: CacheKey, data: Data)]) -> Void
  ) async throws -> Result {
    var result = initial
    // One statement is one snapshot.
    try openSession().forEachBatch(of: batchSize) { body(&result, $0) }
    return result
  }
}
