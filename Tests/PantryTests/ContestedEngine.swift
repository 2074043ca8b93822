import Foundation

@testable import Pantry

/// An engine in memory with a conflicting write before a given number of commits.
actor ContestedEngine: StorageEngine {
  // So that single changes are encoded in the engine's turn.
  nonisolated let liveAttachments: AttachmentsInUse? = AttachmentsInUse()
  private let engine = MemoryStorageEngine()
  private let check: @Sendable ([StorageChange]) throws -> Void
  private var conflictsLeft = 0
  /// The number of commits that depended on stored rows.
  private(set) var attempts = 0

  /// - Parameter check: throws in the task of a commit, before it.
  init(_ check: @escaping @Sendable ([StorageChange]) throws -> Void = { _ in }) {
    self.check = check
  }

  func conflict(times: Int) {
    conflictsLeft = times
    attempts = 0
  }

  func commit(
    _ changes: [StorageChange], basedOn basis: ReadSet, for follower: StorageFollower
  ) async throws -> StorageCommit {
    if case .nothing = basis {
      // A commit without a basis has no conflict.
    } else {
      attempts += 1
      if conflictsLeft > 0 {
        conflictsLeft -= 1
        return StorageCommit(update: StorageUpdate(), positions: nil)
      }
    }
    await Task.yield()
    try check(changes)
    await engine.commit(changes)
    return StorageCommit(update: StorageUpdate(), positions: changes.map { _ in nil })
  }

  func write(_ data: Data, key: CacheKey) async throws { await engine.write(data, key: key) }
  func read(key: CacheKey) async throws -> Data? { await engine.read(key: key) }
  func remove(key: CacheKey) async throws { await engine.remove(key: key) }
  func removeAllData() async throws { await engine.removeAllData() }
  func allKeys() async throws -> [CacheKey] { await engine.allKeys() }
  func createdAt(key: CacheKey) async throws -> Date? { await engine.createdAt(key: key) }
  func updatedAt(key: CacheKey) async throws -> Date? { await engine.updatedAt(key: key) }
}
