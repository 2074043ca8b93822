internal import FoundationEssentials

/// An engine whose rows can be read without ever being in memory all together.
protocol FoldingStorage: StorageEngine {
  /// Gives all rows in insertion order, as of one moment, to `body` in batches of at most
  /// `batchSize`, and returns what it made of them.
  ///
  /// `body` runs on the engine's own thread.
  func foldDataAndKeys<Result: Sendable>(
    into initial: Result, batchSize: Int,
    _ body: @Sendable (inout Result, [(key: CacheKey, data: Data)]) -> Void
  ) async throws -> Result
}
