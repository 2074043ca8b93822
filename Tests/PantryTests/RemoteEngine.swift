import Foundation
import SystemSupport
import Pantry

/// A fake database server that many engines connect to; in memory, for one test.
final class TestServer: Sendable {
  struct Row {
    var data: Data
    let position: Int
    var version: Int
    let created: Date
    var updated: Date
  }

  struct Table {
    var rows: [CacheKey: Row] = [:]
    var removed: [CacheKey: Int] = [:]
    var version = 0
    var inserted = 0

    mutating func apply(_ change: StorageChange) -> Int? {
      switch change {
      case .write(let data, let key, _):
        removed[key] = nil
        if rows[key] != nil {
          rows[key]?.data = data
          rows[key]?.version = version
          rows[key]?.updated = Date()
          return nil
        }
        inserted += 1
        rows[key] = Row(
          data: data, position: inserted, version: version, created: Date(), updated: Date())
        return inserted
      case .remove(let key):
        if rows.removeValue(forKey: key) != nil { removed[key] = version }
      case .removeAll:
        for key in rows.keys { removed[key] = version }
        rows = [:]
      }
      return nil
    }
  }

  /// What happens to the next commit.
  enum Fate {
    case answered
    case madeAndAnswerLost
    case lost
  }

  private let tables = Lock<[String: Table]>([:])
  private let followers = StorageFollowers()
  private let state = Lock<(isDown: Bool, fate: Fate)>((false, .answered))

  /// Cuts all engines off, or connects them again.
  func setDown(_ isDown: Bool) {
    state.withLock { $0.isDown = isDown }
    for follower in followers.all {
      follower.tell(isDown ? .cutOff(reason: "the server is down") : .connected)
    }
  }

  func setFate(_ fate: Fate) { state.withLock { $0.fate = fate } }

  func add(_ follower: StorageFollower) { followers.insert(follower) }

  func reach<Result>(_ table: String, _ body: (inout Table) throws -> Result) throws -> Result {
    guard !state.withLock(\.isDown) else { throw RemoteEngine.Unreachable() }
    return try tables.withLock { try body(&$0[table, default: Table()]) }
  }

  func commit<Result>(_ table: String, _ body: (inout Table) throws -> Result) throws -> Result {
    let fate = state.withLock { state in
      defer { state.fate = .answered }
      return state.fate
    }
    if fate == .lost { throw StorageError.outcomeUnknown(reason: "the line was cut") }
    let result = try reach(table, body)
    for follower in followers.all { follower.tell() }
    if fate == .madeAndAnswerLost {
      throw StorageError.outcomeUnknown(reason: "the line was cut")
    }
    return result
  }
}

/// A custom engine for a database server, made with public API only.
///
/// It delivers rows again, like an engine that follows a server's transactions by their numbers.
actor RemoteEngine: StorageEngine {
  struct Unreachable: Error {}

  private let server: TestServer
  private let table: String

  init(_ server: TestServer, table: String) {
    self.server = server
    self.table = table
  }

  nonisolated func add(_ follower: StorageFollower) { server.add(follower) }

  func rows(for follower: StorageFollower) async throws -> [StorageRow] {
    try server.reach(table) { table in
      follower.cursor = table.version
      return Self.rows(of: table) { _ in true }
    }
  }

  func changes(for follower: StorageFollower) async throws -> StorageUpdate {
    try server.reach(table) { table in
      let update = Self.update(of: table, since: follower)
      follower.cursor = table.version
      return update
    }
  }

  func commit(
    _ changes: [StorageChange], basedOn basis: ReadSet, for follower: StorageFollower
  ) async throws -> StorageCommit {
    try server.commit(table) { table in
      let update = Self.update(of: table, since: follower)
      let last = follower.cursor as? Int ?? 0
      let changed =
        table.rows.filter { $0.value.version > last }.map(\.key)
        + table.removed.filter { $0.value > last }.map(\.key)
      let isConflict =
        switch basis {
        case .nothing: false
        case .keys(let keys): changed.contains(where: keys.contains)
        case .everything: !changed.isEmpty
        }
      guard !isConflict else {
        follower.cursor = table.version
        return StorageCommit(update: update, positions: nil)
      }
      table.version += 1
      let positions = changes.map { table.apply($0) }
      follower.cursor = table.version
      return StorageCommit(update: update, positions: positions)
    }
  }

  /// What has changed since some commits before the follower was here.
  private static func update(
    of table: TestServer.Table, since follower: StorageFollower
  ) -> StorageUpdate {
    guard let last = follower.cursor as? Int else {
      return StorageUpdate(rows: rows(of: table) { _ in true }, isEverything: true)
    }
    return StorageUpdate(
      rows: rows(of: table) { $0.version > last - 3 },
      removed: table.removed.filter { $0.value > last - 3 }.map(\.key))
  }

  private static func rows(
    of table: TestServer.Table, where isWanted: (TestServer.Row) -> Bool
  ) -> [StorageRow] {
    table.rows.filter { isWanted($0.value) }
      .map { StorageRow(key: $0.key, data: $0.value.data, position: $0.value.position) }
      .sorted { $0.position < $1.position }
  }

  // MARK: Without a follower

  func commit(_ changes: [StorageChange]) async throws {
    try server.commit(table) { table in
      table.version += 1
      for change in changes { _ = table.apply(change) }
    }
  }

  func write(_ data: Data, key: CacheKey) async throws {
    try await commit([.write(data, key: key)])
  }
  func remove(key: CacheKey) async throws { try await commit([.remove(key: key)]) }
  func removeAllData() async throws { try await commit([.removeAll]) }
  func read(key: CacheKey) async throws -> Data? { try server.reach(table) { $0.rows[key]?.data } }
  func allKeys() async throws -> [CacheKey] {
    try server.reach(table) { table in Self.rows(of: table) { _ in true }.map(\.key) }
  }
  func createdAt(key: CacheKey) async throws -> Date? {
    try server.reach(table) { $0.rows[key]?.created }
  }
  func updatedAt(key: CacheKey) async throws -> Date? {
    try server.reach(table) { $0.rows[key]?.updated }
  }
}
