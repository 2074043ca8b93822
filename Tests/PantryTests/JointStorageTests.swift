import Foundation
import Pantry
import Testing

/// An adopter's engine: one key space of a database that can write several at once.
private actor GuestEngine: StorageEngine {
  final class Database: Sendable {}

  private let database: Database
  private let rows = MemoryStorageEngine()

  init(in database: Database) { self.database = database }

  nonisolated var joint: ObjectIdentifier { ObjectIdentifier(database) }

  func commit(_ parts: [StoragePart]) async throws -> [StorageCommit] {
    for part in parts {
      try await part.admitChanges()
      if let engine = part.storage as? GuestEngine { await engine.rows.commit(part.changes) }
    }
    return parts.map { _ in StorageCommit(update: StorageUpdate(), positions: []) }
  }

  func write(_ data: Data, key: CacheKey) async throws { await rows.write(data, key: key) }
  func read(key: CacheKey) async throws -> Data? { await rows.read(key: key) }
  func remove(key: CacheKey) async throws { await rows.remove(key: key) }
  func removeAllData() async throws { await rows.removeAllData() }
  func allKeys() async throws -> [CacheKey] { await rows.allKeys() }
  func createdAt(key: CacheKey) async throws -> Date? { await rows.createdAt(key: key) }
  func updatedAt(key: CacheKey) async throws -> Date? { await rows.updatedAt(key: key) }
}

@MainActor
@Suite struct JointStorageTests {
  @Test func `stores on an adopter's engines of one database share a transaction`() async throws {
    let database = GuestEngine.Database()
    let engines = (0..<2).map { _ in GuestEngine(in: database) }
    let one = try await Store<Note>(storage: engines[0])
    let other = try await Store<Note>(storage: engines[1])
    try await one.add(Note(id: "a"))
    try await one.transaction(with: other) { t in
      t.remove(Note(id: "a"), from: one)
      t.add(Note(id: "a"), to: other)
    }
    #expect(one.items.isEmpty)
    #expect(other.items == [Note(id: "a")])
    #expect(try await engines[0].allKeys().isEmpty)
    #expect(try await engines[1].allKeys() == [CacheKey(verbatim: "a")])
    let stranger = try await Store<Note>(storage: GuestEngine(in: GuestEngine.Database()))
    await #expect(throws: StorageError.notJoint) {
      try await one.transaction(with: stranger) { t in t.add(Note(id: "b"), to: stranger) }
    }
  }
}
