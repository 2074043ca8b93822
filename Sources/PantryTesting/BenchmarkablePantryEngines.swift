public import Foundation
public import Pantry

// Pantry's engines, as references for comparison.

extension SQLiteStorageEngine: BenchmarkableEngine {
  /// Opens the engine in `place`.
  ///
  /// - Throws: the engine's error.
  public static func opened(at place: URL) async throws -> SQLiteStorageEngine {
    try SQLiteStorageEngine(directory: StorageDirectory(url: place))
  }
}

extension DiskStorageEngine: BenchmarkableEngine {
  /// Opens the engine in `place`.
  ///
  /// - Throws: the engine's error.
  public static func opened(at place: URL) async throws -> DiskStorageEngine {
    try DiskStorageEngine(directory: StorageDirectory(url: place))
  }
}

extension MemoryStorageEngine: BenchmarkableEngine {
  /// Opens the engine in `place`.
  ///
  /// - Throws: the engine's error.
  public static func opened(at place: URL) async throws -> MemoryStorageEngine {
    MemoryStorageEngine()
  }
}
