internal import Foundation
internal import Pantry

/// A benchmark of a `StorageEngine`: the calls of a `Store`, without its JSON.
///
/// Each run has a fresh engine in a fresh directory in the system's directory for temporary files.
/// The data of an item is 1,460 bytes long.
public enum EngineBenchmark: String, CaseIterable, CustomStringConvertible, Sendable {
  /// Writes one item to an empty engine.
  case writeOne = "write 1"
  /// Ten thousand items, in one commit.
  case writeMany = "write 10,000 in one call"
  /// Opens an engine on the files of another one, and reads all 10,000 items.
  case readMany = "open and read 10,000"
  /// Adds one item to ten thousand others.
  case addToMany = "write 1 to 10,000"
  /// Removes one item of ten thousand.
  case removeOne = "remove 1 of 10,000"
  /// Ten thousand items, in one commit.
  case removeAll = "remove all 10,000"
  /// Writes 200 items of 200 KB in one commit.
  case writeLarge = "write 200 of 200 KB in one call"
  /// Opens an engine on the files of another one, and reads all 200 items of 200 KB.
  case readLarge = "open and read 200 of 200 KB"

  /// The benchmark in a few words.
  public var description: String { rawValue }

  /// Runs the benchmark and returns the median time.
  ///
  /// - Parameters:
  ///   - type: the engine.
  ///   - runs: the number of runs; preparation is not timed.
  /// - Throws: the engine's error, or ``BenchmarkMismatch`` if it does not return all items.
  public func medianTime<Engine: BenchmarkableEngine>(of type: Engine.Type, runs: Int = 7)
    async throws -> Duration
  {
    precondition(runs > 0, "A median needs a run.")
    var times: [Duration] = []
    for _ in 0..<runs {
      let place = FileManager.default.temporaryDirectory.appending(
        path: "pantry-bench-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: place) }  // else the system cleans up
      try await times.append(time(type, at: place))
    }
    return times.sorted()[times.count / 2]
  }

  private func time<Engine: BenchmarkableEngine>(_ type: Engine.Type, at place: URL)
    async throws -> Duration
  {
    let small = Self.items(10_000, byteCount: 1_460)
    switch self {
    case .writeOne:
      return try await single(Engine.opened(at: place)) { engine, number in
        try await engine.commit([small[number]])
      }
    case .writeMany:
      let engine = try await Engine.opened(at: place)
      return try await ContinuousClock().measure { try await engine.commit(small) }
    case .readMany: return try await read(type, at: place, small)
    case .addToMany:
      let added = Self.items(Self.singles, byteCount: 1_460, from: small.count)
      return try await single(filled(type, at: place, small)) { engine, number in
        try await engine.commit([added[number]])
      }
    case .removeOne:
      return try await single(filled(type, at: place, small)) { engine, number in
        try await engine.commit([.remove(key: Self.key(number))])
      }
    case .removeAll:
      let engine = try await filled(type, at: place, small)
      return try await ContinuousClock().measure { try await engine.commit([.removeAll]) }
    case .writeLarge:
      let large = Self.items(200, byteCount: 200_000)
      let engine = try await Engine.opened(at: place)
      return try await ContinuousClock().measure { try await engine.commit(large) }
    case .readLarge:
      return try await read(type, at: place, Self.items(200, byteCount: 200_000))
    }
  }

  private func filled<Engine: BenchmarkableEngine>(
    _ type: Engine.Type, at place: URL, _ items: [StorageChange]
  ) async throws -> Engine {
    let engine = try await Engine.opened(at: place)
    try await engine.commit(items)
    return engine
  }

  /// Times opening an engine on the files of another one and reading all items.
  ///
  /// An engine without files is read without being opened again.
  private func read<Engine: BenchmarkableEngine>(
    _ type: Engine.Type, at place: URL, _ items: [StorageChange]
  ) async throws -> Duration {
    let writer = try await filled(type, at: place, items)
    let isPersistent = try await Engine.opened(at: place).keyCount() == items.count
    var count = 0
    let time = try await ContinuousClock().measure {
      let reader = isPersistent ? try await Engine.opened(at: place) : writer
      count = try await reader.readAllDataAndKeys().count
    }
    guard count == items.count else {
      throw BenchmarkMismatch(benchmark: self, expected: items.count, found: count)
    }
    return time
  }

  /// The median of several calls on one engine, without the first.
  private func single<Engine: StorageEngine>(
    _ engine: Engine, _ body: (Engine, Int) async throws -> Void
  ) async throws -> Duration {
    var times: [Duration] = []
    for number in 0..<Self.singles {
      try await times.append(ContinuousClock().measure { try await body(engine, number) })
    }
    return times.dropFirst().sorted()[(Self.singles - 1) / 2]
  }

  private static let singles = 22

  private static func items(_ count: Int, byteCount: Int, from first: Int = 0) -> [StorageChange] {
    (first..<first + count).map { number in
      var data = Data("{\"number\":\(number),\"text\":\"".utf8)
      data.append(Data(repeating: UInt8(ascii: "p"), count: byteCount - data.count - 2))
      data.append(contentsOf: "\"}".utf8)
      return .write(data, key: key(number))
    }
  }

  private static func key(_ number: Int) -> CacheKey { CacheKey(verbatim: "item-\(number)") }
}

/// The error for an engine that returned the wrong number of items.
public struct BenchmarkMismatch: Error, CustomStringConvertible, Sendable {
  /// The benchmark.
  public let benchmark: EngineBenchmark
  /// The number of written items.
  public let expected: Int
  /// The number of returned items.
  public let found: Int

  /// A sentence with both numbers.
  public var description: String { "“\(benchmark)”: \(found) of \(expected) items were returned." }
}
