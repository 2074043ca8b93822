import Foundation
import Synchronization

@testable import Pantry

/// The rows of an engine as one who follows it knows them.
final class FollowedRows: Sendable {
  private let engine: any LiveStorage
  private let follower: StorageFollower
  private let told: Told
  private let rows = Mutex<[String: StorageRow]>([:])

  private final class Told: Sendable {
    let count = Atomic(0)
  }

  init(_ engine: any LiveStorage) async throws {
    let told = Told()
    self.engine = engine
    self.told = told
    follower = StorageFollower { told.count.add(1, ordering: .relaxed) }
    engine.add(follower)
    take(StorageUpdate(rows: try await engine.rows(for: follower), isEverything: true))
  }

  /// How often it was told that there may be something to read.
  var tellings: Int { told.count.load(ordering: .relaxed) }

  /// Each key and what is under it, in insertion order.
  var content: [String] {
    rows.withLock { $0.values.sorted { $0.position < $1.position } }
      .map { "\($0.key.rawValue)=\(String(decoding: $0.data, as: UTF8.self))" }
  }

  @discardableResult
  func catchUp() async throws -> StorageUpdate {
    let update = try await engine.changes(for: follower)
    take(update)
    return update
  }

  @discardableResult
  func commit(
    _ changes: [StorageChange], basedOn basis: Set<CacheKey> = []
  ) async throws -> StorageCommit {
    let commit = try await engine.commit(changes, basedOn: .keys(basis), for: follower)
    take(commit.update)
    if let positions = commit.positions { take(changes, positions) }
    return commit
  }

  private func take(_ changes: [StorageChange], _ positions: [Int?]) {
    rows.withLock { rows in
      for (change, position) in zip(changes, positions) {
        switch change {
        case .write(let data, let key, _):
          let place = position ?? rows[key.rawValue]?.position ?? .max
          rows[key.rawValue] = StorageRow(key: key, data: data, position: place)
        case .remove(let key): rows[key.rawValue] = nil
        case .removeAll: rows = [:]
        }
      }
    }
  }

  private func take(_ update: StorageUpdate) {
    rows.withLock { rows in
      if update.isEverything { rows = [:] }
      for key in update.removed { rows[key.rawValue] = nil }
      for row in update.rows { rows[row.key.rawValue] = row }
    }
  }
}
