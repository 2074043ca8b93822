package import Foundation
package import Pantry
internal import Synchronization

/// Follows an engine as a store does, and knows its rows.
package final class LiveReader: Sendable {
  private let engine: any LiveStorage
  private let follower: StorageFollower
  private let tellings: Tellings
  private let rows = Mutex<[CacheKey: StorageRow]>([:])

  private final class Tellings: Sendable {
    let count = Atomic(0)
  }

  /// Reads everything, and follows from then on.
  package init(_ engine: any LiveStorage) async throws {
    let tellings = Tellings()
    self.engine = engine
    self.tellings = tellings
    follower = StorageFollower { tellings.count.add(1, ordering: .relaxed) }
    engine.add(follower)
    take(StorageUpdate(rows: try await engine.rows(for: follower), isEverything: true))
  }

  /// How often it was told that there may be something to read.
  package var tellingCount: Int { tellings.count.load(ordering: .relaxed) }

  /// What it knows, in the order of the positions.
  package var known: [(key: CacheKey, data: Data)] {
    rows.withLock { rows in
      rows.values.sorted { $0.position < $1.position }.map { (key: $0.key, data: $0.data) }
    }
  }

  /// Reads what others have changed.
  @discardableResult
  package func catchUp() async throws -> StorageUpdate {
    let update = try await engine.changes(for: follower)
    take(update)
    return update
  }

  /// Commits, and knows what it has written.
  @discardableResult
  package func commit(
    _ changes: [StorageChange], basedOn basis: StorageBasis = .nothing
  ) async throws -> StorageCommit {
    let commit = try await engine.commit(changes, basedOn: basis, for: follower)
    take(commit.update)
    if let positions = commit.positions { take(changes, positions) }
    return commit
  }

  private func take(_ changes: [StorageChange], _ positions: [Int?]) {
    rows.withLock { rows in
      for (change, position) in zip(changes, positions) {
        switch change {
        case .write(let data, let key, _):
          let place = position ?? rows[key]?.position ?? .max
          rows[key] = StorageRow(key: key, data: data, position: place)
        case .remove(let key): rows[key] = nil
        case .removeAll: rows = [:]
        }
      }
    }
  }

  private func take(_ update: StorageUpdate) {
    rows.withLock { rows in
      if update.isEverything { rows = [:] }
      for key in update.removed { rows[key] = nil }
      for row in update.rows { rows[row.key] = row }
    }
  }
}
