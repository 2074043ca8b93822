import Foundation

@testable import Pantry

/// Another engine object on the items of an engine, as if that had been opened a second time.
actor ReopenedEngine: StorageEngine {
  private let engine: any StorageEngine

  init(_ engine: any StorageEngine) { self.engine = engine }

  func write(_ data: Data, key: CacheKey) async throws { try await engine.write(data, key: key) }
  func read(key: CacheKey) async throws -> Data? { try await engine.read(key: key) }
  func remove(key: CacheKey) async throws { try await engine.remove(key: key) }
  func removeAllData() async throws { try await engine.removeAllData() }
  func allKeys() async throws -> [CacheKey] { try await engine.allKeys() }
  func createdAt(key: CacheKey) async throws -> Date? { try await engine.createdAt(key: key) }
  func updatedAt(key: CacheKey) async throws -> Date? { try await engine.updatedAt(key: key) }
  func commit(_ changes: [StorageChange]) async throws { try await engine.commit(changes) }
}
