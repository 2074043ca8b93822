internal import Foundation
internal import Pantry

typealias Row = (key: CacheKey, data: Data)

extension EngineContract {
  func expect<Value: Equatable>(_ what: String, _ found: Value, is expected: Value) throws {
    guard found == expected else {
      throw BrokenPromise(
        promise: self, detail: "\(what) is \(brief(found)) and not \(brief(expected)).")
    }
  }

  func expect(_ what: String, _ condition: Bool) throws {
    guard condition else { throw BrokenPromise(promise: self, detail: "\(what) is not so.") }
  }

  /// Throws unless each listing of the engine returns exactly `rows`, in order.
  func expect(_ engine: any StorageEngine, holds rows: [Row]) async throws {
    try await expect("allKeys()", engine.allKeys(), are: rows.map(\.key))
    try await expect("keyCount()", engine.keyCount(), is: rows.count)
    let all = try await engine.readAllDataAndKeys()
    try expect("the keys of readAllDataAndKeys()", all.map(\.key), are: rows.map(\.key))
    try expect("the data of readAllDataAndKeys()", all.map(\.data) == rows.map(\.data))
    try await expect("readAllData()", engine.readAllData() == rows.map(\.data))
  }

  /// Throws if `found` is not `expected`, byte for byte: to Swift, "é" and "e\u{301}" are equal.
  func expect(_ what: String, _ found: [CacheKey], are expected: [CacheKey]) throws {
    func bytes(_ keys: [CacheKey]) -> [[UInt8]] { keys.map { Array($0.rawValue.utf8) } }
    guard bytes(found) == bytes(expected) else {
      throw BrokenPromise(
        promise: self,
        detail: "\(what) is \(brief(found.map(\.rawValue))) "
          + "and not \(brief(expected.map(\.rawValue))).")
    }
  }

  private func brief(_ value: some Any) -> String {
    let text = String(reflecting: value)
    return text.count > 160 ? text.prefix(160) + "…" : text
  }
}

func key(_ text: String) -> CacheKey { CacheKey(verbatim: text) }

/// Returns rows under these keys, with different data.
func rows(_ keys: [String]) -> [Row] {
  keys.map { (key: key($0), data: Data("{\"id\":\"\($0)\"}".utf8)) }
}

/// Returns keys whose alphabetical order is unrelated to their insertion order.
func scatteredKeys(_ count: Int) -> [String] {
  (0..<count).map { "\(UInt32(truncatingIfNeeded: $0) &* 2_654_435_761)-\($0)" }
}
