import FoundationEssentials
import Pantry
import SystemSupport

/// A storage in memory that several processes write to, as on a server.
final class SimulatedServer: @unchecked Sendable {
  struct Row {
    var data: Data
    let position: Int
  }

  /// The rows of one namespace, and all changes of them in their order.
  struct Table {
    var rows: [CacheKey: Row] = [:]
    var changes: [CacheKey?] = []
    var nextPosition = 0
  }

  fileprivate var tables: [String: Table] = [:]
  /// The followers of each process, by its name.
  private var followers: [(process: SimulatedProcess, followers: StorageFollowers)] = []

  fileprivate func insert(_ follower: StorageFollower, of process: SimulatedProcess) {
    if let known = followers.first(where: { $0.process === process }) {
      return known.followers.insert(follower)
    }
    let new = StorageFollowers()
    new.insert(follower)
    followers.append((process, new))
  }

  /// Notifies all followers, late and now and then twice.
  fileprivate func notify() {
    for (process, followers) in followers {
      for follower in followers.all {
        for _ in 0..<(Scheduler.current.random.oneIn(8) ? 2 : 1) {
          let delay = Scheduler.current.random.pick([0, 0, 1, 20])
          // As code of the process; one that has ended is told nothing.
          Scheduler.current.addTimer(after: .milliseconds(delay)) {
            process.context?.run { follower.tell() }
          }
        }
      }
    }
  }
}

/// An engine on such a server, as an adopter of Pantry would write one.
actor ServerEngine: StorageEngine {
  private let server: SimulatedServer
  private let namespace: String
  private let process: SimulatedProcess
  private let executor: QueueExecutor

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  nonisolated var joint: ObjectIdentifier { ObjectIdentifier(server) }

  init(_ server: SimulatedServer, namespace: String, process: SimulatedProcess) {
    self.server = server
    self.namespace = namespace
    self.process = process
    executor = QueueExecutor(process.queue(label: "server", isUrgent: true))
  }

  nonisolated func add(_ follower: StorageFollower) {
    server.insert(follower, of: process)
  }

  func rows(for follower: StorageFollower) async throws -> [StorageRow] {
    try reach()
    follower.cursor = table.changes.count
    return Self.rows(of: table) { _ in true }
  }

  func changes(for follower: StorageFollower) async throws -> StorageUpdate {
    try reach()
    defer { follower.cursor = table.changes.count }
    return update(since: follower)
  }

  func commit(
    _ changes: [StorageChange], basedOn basis: ReadSet, for follower: StorageFollower
  ) async throws -> StorageCommit {
    let part = StoragePart(storage: self, changes: changes, basis: basis, follower: follower)
    return try await commit([part])[0]
  }

  func commit(_ parts: [StoragePart]) async throws -> [StorageCommit] {
    try reach()
    for part in parts { try await part.admitChanges() }
    let fate = process.takeFate()
    if fate == .lost { throw StorageError.outcomeUnknown(reason: "the line was cut") }
    let engines = parts.map { $0.storage as? ServerEngine ?? self }
    let updates = zip(engines, parts).map { engine, part in
      engine.update(of: engine.namespace, since: part.follower)
    }
    let isConflict = zip(parts, updates).contains { $1.concerns($0.basis) }
    var commits: [StorageCommit] = []
    for (index, part) in parts.enumerated() {
      let namespace = engines[index].namespace
      let positions = isConflict ? nil : part.changes.map { apply($0, to: namespace) }
      // A follower that gets no answer reads its own changes as those of others.
      if fate == .answered {
        part.follower.cursor = server.tables[namespace, default: .init()].changes.count
      }
      commits.append(StorageCommit(update: updates[index], positions: positions))
    }
    if !isConflict { server.notify() }
    if fate == .madeAndAnswerLost {
      throw StorageError.outcomeUnknown(reason: "the line was cut")
    }
    return commits
  }

  func commit(_ changes: [StorageChange]) async throws {
    _ = try await commit([
      StoragePart(storage: self, changes: changes, basis: .nothing, follower: StorageFollower {})
    ])
  }

  func write(_ data: Data, key: CacheKey) async throws {
    try await commit([.write(data, key: key)])
  }

  func remove(key: CacheKey) async throws { try await commit([.remove(key: key)]) }

  func removeAllData() async throws { try await commit([.removeAll]) }

  func read(key: CacheKey) async throws -> Data? {
    try reach()
    return table.rows[key]?.data
  }

  func allKeys() async throws -> [CacheKey] {
    try reach()
    return Self.rows(of: table) { _ in true }.map(\.key)
  }

  func createdAt(key: CacheKey) async throws -> Date? { nil }

  func updatedAt(key: CacheKey) async throws -> Date? { nil }

  // MARK: Tables

  private var table: SimulatedServer.Table { server.tables[namespace, default: .init()] }

  private func reach() throws {
    if process.isDead { throw StorageError.inUse(path: "the server") }
  }

  private func update(since follower: StorageFollower) -> StorageUpdate {
    update(of: namespace, since: follower)
  }

  /// Also called for the engines of a joint commit, whose tables are one server's.
  private nonisolated func update(
    of namespace: String, since follower: StorageFollower
  ) -> StorageUpdate {
    let table = server.tables[namespace, default: .init()]
    guard let last = follower.cursor as? Int else {
      return StorageUpdate(rows: Self.rows(of: table) { _ in true }, isEverything: true)
    }
    let changed = table.changes[last...]
    if changed.contains(nil) {
      return StorageUpdate(rows: Self.rows(of: table) { _ in true }, isEverything: true)
    }
    let keys = Set(changed.compactMap(\.self))
    return StorageUpdate(
      rows: Self.rows(of: table) { keys.contains($0) },
      removed: keys.filter { table.rows[$0] == nil }.sorted { $0.rawValue < $1.rawValue })
  }

  private func apply(_ change: StorageChange, to namespace: String) -> Int? {
    var table = server.tables[namespace, default: .init()]
    defer { server.tables[namespace] = table }
    switch change {
    case .write(let data, let key, _):
      table.changes.append(key)
      guard let old = table.rows[key] else {
        table.nextPosition += 1
        table.rows[key] = SimulatedServer.Row(data: data, position: table.nextPosition)
        return table.nextPosition
      }
      table.rows[key] = SimulatedServer.Row(data: data, position: old.position)
    case .remove(let key):
      table.changes.append(key)
      table.rows[key] = nil
    case .removeAll:
      table.changes.append(nil)
      table.rows = [:]
    }
    return nil
  }

  private static func rows(
    of table: SimulatedServer.Table, where isWanted: (CacheKey) -> Bool
  ) -> [StorageRow] {
    table.rows.filter { isWanted($0.key) }
      .map { StorageRow(key: $0.key, data: $0.value.data, position: $0.value.position) }
      .sorted { $0.position < $1.position }
  }
}
