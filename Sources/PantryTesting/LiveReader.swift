package import Foundation
internal import SystemSupport
package import Pantry
internal import Synchronization

/// Follows an engine like a store, and knows its rows.
package final class LiveReader: Sendable {
  private let engine: any StorageEngine
  private let follower: StorageFollower
  private let notifications: Notifications
  private let rows = Lock<[CacheKey: StorageRow]>([:])

  private final class Notifications: Sendable {
    let count = Atomic(0)
  }

  /// Reads everything, and follows from then on.
  package init(_ engine: any StorageEngine) async throws {
    let notifications = Notifications()
    self.engine = engine
    self.notifications = notifications
    follower = StorageFollower { notifications.count.add(1, ordering: .relaxed) }
    engine.add(follower)
    take(StorageUpdate(rows: try await engine.rows(for: follower), isEverything: true))
  }

  package var notificationCount: Int { notifications.count.load(ordering: .relaxed) }

  /// The known rows, in the order of their positions.
  package var known: [(key: CacheKey, data: Data)] {
    rows.withLock { rows in
      rows.values.sorted { $0.position < $1.position }.map { (key: $0.key, data: $0.data) }
    }
  }

  @discardableResult
  package func catchUp() async throws -> StorageUpdate {
    let update = try await engine.changes(for: follower)
    take(update)
    return update
  }

  /// Commits, and adds its own writes to the known rows.
  @discardableResult
  package func commit(
    _ changes: [StorageChange], basedOn basis: ReadSet = .nothing
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
