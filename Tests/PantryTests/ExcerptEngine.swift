import Foundation
import PandaTestSupport
import Pantry

/// An engine on a SQLite file whose newest page is readable immediately, and the others when
/// released.
actor ExcerptEngine: StorageEngine {
  private let engine: SQLiteStorageEngine
  private var isHeld = true
  private var failure: OutOfOrder?
  private var waiting: [CheckedContinuation<Void, Never>] = []
  /// Whether the newest page cannot be read.
  private let hasNoExcerpt: Bool

  init(_ engine: SQLiteStorageEngine, hasNoExcerpt: Bool = false) {
    self.engine = engine
    self.hasNoExcerpt = hasNoExcerpt
  }

  /// Whether a page is waited for.
  var hasReaders: Bool { !waiting.isEmpty }

  /// Lets the pages be read, or throws `failure` once where they were to be read.
  func letReadsGo(_ failure: OutOfOrder? = nil) {
    isHeld = false
    self.failure = failure
    for continuation in waiting { continuation.resume() }
    waiting = []
  }

  func newestPage(limit: Int) async throws -> (rows: [StorageRow], count: Int)? {
    if hasNoExcerpt { throw OutOfOrder() }
    return try await engine.newestPage(limit: limit)
  }

  func page(
    after position: Int?, limit: Int, for follower: StorageFollower
  ) async throws -> [StorageRow]? {
    if isHeld { await withCheckedContinuation { waiting.append($0) } }
    if let failure {
      self.failure = nil
      isHeld = true
      throw failure
    }
    return try await engine.page(after: position, limit: limit, for: follower)
  }

  nonisolated func add(_ follower: StorageFollower) { engine.add(follower) }
  func rows(for follower: StorageFollower) async throws -> [StorageRow] {
    try await engine.rows(for: follower)
  }
  func changes(for follower: StorageFollower) async throws -> StorageUpdate {
    try await engine.changes(for: follower)
  }
  func commit(
    _ changes: [StorageChange], basedOn basis: ReadSet, for follower: StorageFollower
  ) async throws -> StorageCommit {
    try await engine.commit(changes, basedOn: basis, for: follower)
  }

  func write(_ data: Data, key: CacheKey) async throws { try await engine.write(data, key: key) }
  func read(key: CacheKey) async throws -> Data? { try await engine.read(key: key) }
  func remove(key: CacheKey) async throws { try await engine.remove(key: key) }
  func removeAllData() async throws { try await engine.removeAllData() }
  func createdAt(key: CacheKey) async throws -> Date? { try await engine.createdAt(key: key) }
  func updatedAt(key: CacheKey) async throws -> Date? { try await engine.updatedAt(key: key) }
  func allKeys() async throws -> [CacheKey] { try await engine.allKeys() }
}
