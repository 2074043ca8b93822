import Foundation
import PandaTestSupport
import Pantry

/// An engine on a SQLite file whose newest rows can be read at once, while all of them can not
/// until they are let go.
actor ExcerptEngine: ExcerptStorage {
  private let engine: SQLiteStorageEngine
  private var isHeld = true
  private var failure: OutOfOrder?
  private var waiting: [CheckedContinuation<Void, Never>] = []
  /// Whether the newest rows cannot be read.
  private let hasNoExcerpt: Bool

  init(_ engine: SQLiteStorageEngine, hasNoExcerpt: Bool = false) {
    self.engine = engine
    self.hasNoExcerpt = hasNoExcerpt
  }

  /// Lets all rows be read, or throws `failure` where they were to be read.
  func letReadsGo(_ failure: OutOfOrder? = nil) {
    isHeld = false
    self.failure = failure
    for continuation in waiting { continuation.resume() }
    waiting = []
  }

  func newestDataAndKeys(
    limit: Int
  ) async throws -> (rows: [(key: CacheKey, data: Data)], count: Int) {
    if hasNoExcerpt { throw OutOfOrder() }
    return try await engine.newestDataAndKeys(limit: limit)
  }

  func readAllDataAndKeys() async throws -> [(key: CacheKey, data: Data)] {
    if isHeld { await withCheckedContinuation { waiting.append($0) } }
    if let failure { throw failure }
    return try await engine.readAllDataAndKeys()
  }

  func write(_ data: Data, key: CacheKey) async throws { try await engine.write(data, key: key) }
  func read(key: CacheKey) async throws -> Data? { try await engine.read(key: key) }
  func remove(key: CacheKey) async throws { try await engine.remove(key: key) }
  func removeAllData() async throws { try await engine.removeAllData() }
  func createdAt(key: CacheKey) async throws -> Date? { try await engine.createdAt(key: key) }
  func updatedAt(key: CacheKey) async throws -> Date? { try await engine.updatedAt(key: key) }
  func allKeys() async throws -> [CacheKey] { try await engine.allKeys() }
  func commit(_ changes: [StorageChange]) async throws { try await engine.commit(changes) }
}
