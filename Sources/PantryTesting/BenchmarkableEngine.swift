public import Foundation
public import Pantry

/// An engine that ``EngineBenchmark`` can open.
///
/// Conform your own engine, and time it:
///
///     extension MyEngine: BenchmarkableEngine {
///       static func opened(at place: URL) async throws -> MyEngine { try MyEngine(at: place) }
///     }
///
///     for benchmark in EngineBenchmark.allCases {
///       let time = try await benchmark.medianTime(of: MyEngine.self)
///       print(benchmark, time)
///     }
///
/// Build with `-c release`. `make bench ARGS=engines` does this with Pantry's own engines.
public protocol BenchmarkableEngine: StorageEngine {
  /// Opens an engine at `place`: an empty directory at first, and the same one for a relaunch.
  ///
  /// - Throws: the engine's error.
  static func opened(at place: URL) async throws -> Self
}
