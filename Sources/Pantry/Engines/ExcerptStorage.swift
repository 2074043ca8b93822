public import FoundationEssentials

/// An engine that can read its newest rows without reading all of them.
///
/// A ``Store`` that was asked for an excerpt shows these while it loads. On any other engine it has
/// none.
public protocol ExcerptStorage: StorageEngine {
  /// Reads at most `limit` rows, those that were inserted last, in insertion order, and counts all
  /// rows at the same moment.
  ///
  /// - Throws: the engine's error.
  func newestDataAndKeys(limit: Int) async throws -> (
    rows: [(key: CacheKey, data: Data)], count: Int
  )
}
