import Foundation
import Pantry
import PantryTesting

// snippet: own-engine
actor DictionaryEngine: StorageEngine {
  private struct Row {
    var data: Data
    let created: Date
    var updated: Date
  }

  private var rows: [CacheKey: Row] = [:]
  private var order: [CacheKey] = []

  func write(_ data: Data, key: CacheKey) async throws {
    let now = Date()
    if rows[key] == nil { order.append(key) }
    rows[key] = Row(data: data, created: rows[key]?.created ?? now, updated: now)
  }

  func read(key: CacheKey) async throws -> Data? { rows[key]?.data }

  func remove(key: CacheKey) async throws {
    if rows.removeValue(forKey: key) != nil { order.removeAll { $0 == key } }
  }

  func removeAllData() async throws { (rows, order) = ([:], []) }

  func allKeys() async throws -> [CacheKey] { order }

  func createdAt(key: CacheKey) async throws -> Date? { rows[key]?.created }

  func updatedAt(key: CacheKey) async throws -> Date? { rows[key]?.updated }
}
// end

// snippet: benchmarkable-engine
extension DictionaryEngine: BenchmarkableEngine {
  static func opened(at place: URL) async throws -> DictionaryEngine {
    DictionaryEngine()
  }
}
// end

enum EngineSnippets {
  static func check() async throws {
    // snippet: contract
    try await EngineContract.check(
      EngineUnderTest(isPersistent: false) { _ in DictionaryEngine() })
    // end
  }

  static func time() async throws {
    // snippet: time-engine
    for benchmark in EngineBenchmark.allCases {
      let own = try await benchmark.medianTime(of: DictionaryEngine.self)
      let reference = try await benchmark.medianTime(of: MemoryStorageEngine.self)
      print(benchmark, own, reference, own / reference)
    }
    // end
  }
}
