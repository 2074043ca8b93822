import Foundation
import SystemSupport
import PandaTestSupport
import Pantry
import PantryTesting
import Testing

@testable import PantryPostgres

/// Servers and connections that end in the middle of something.
@Suite(.enabled(if: PostgresCluster.programs != nil, "\(PostgresCluster.advice)"))
struct PostgresFaultTests {
  private func key(_ name: String) -> CacheKey { CacheKey(verbatim: name) }

  @Test func `a follower is notified of a lost connection, reconnects, and misses nothing`()
    async throws
  {
    let cluster = try PostgresCluster.shared.get()
    let address = try cluster.newDatabase()
    let engine = try PostgresStorageEngine(address + " application_name=victim", namespace: "notes")
    let states = Lock<[StorageConnection]>([])
    let follower = StorageFollower(
      onConnection: { state in states.withLock { $0.append(state) } }, onChange: {})
    engine.add(follower)
    _ = try await engine.rows(for: follower)
    try cluster.sql(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'victim'")
    try await PostgresStorageEngine(address, namespace: "notes")
      .write(Data("1".utf8), key: key("a"))
    try await eventually("the connection") { states.withLock { $0.last == .connected } }
    guard case .cutOff(let reason) = states.withLock({ $0.first }) else {
      Issue.record("It was not told.")
      return
    }
    #expect(reason.contains("cannot be reached"))
    // It may be another server now: a follower reads everything.
    let update = try await engine.changes(for: follower)
    #expect(update.isEverything && update.rows.map(\.key.rawValue) == ["a"])
    #expect(try await engine.changes(for: follower).isEmpty)
  }

  @Test func `a connection that was lost while idle fails no call`() async throws {
    let cluster = try PostgresCluster.shared.get()
    let address = try cluster.newDatabase() + " application_name=idle"
    let engine = try PostgresStorageEngine(address, namespace: "notes")
    for round in 1...10 {
      try await engine.write(Data(), key: key("\(round)"))
      try cluster.sql(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'idle'")
      if round % 2 == 0 { #expect(try await engine.keyCount() == round) }
    }
  }

  @Test func `a transaction counts if only the reply to its commit was lost`() async throws {
    // On a server of its own, where every commit waits.
    let cluster = try PostgresCluster()
    for kind in ["write", "remove", "remove all"] {
      try await loseReply(of: kind, cluster, cluster.newDatabase() + " application_name=victim")
    }
  }

  private func loseReply(of kind: String, _ cluster: PostgresCluster, _ address: String)
    async throws
  {
    let engine = try PostgresStorageEngine(address, namespace: "notes")
    try await engine.write(Data("0".utf8), key: key("first"))
    // A commit is on the disk, and waits for a standby that never answers.
    try cluster.sql("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
    try cluster.sql("SELECT pg_reload_conf()")
    try await eventually("the setting") {
      try cluster.sql("SHOW synchronous_standby_names") == "nobody"
    }
    let change: StorageChange =
      switch kind {
      case "write": .write(Data("1".utf8), key: key("second"))
      case "remove": .remove(key: key("first"))
      default: .removeAll
      }
    async let writing: Void = engine.commit([change])
    try await eventually("the commit waits") {
      try cluster.sql(
        "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'") == "1"
    }
    try cluster.sql("ALTER SYSTEM RESET synchronous_standby_names")
    try cluster.sql(
      """
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'victim' AND wait_event = 'SyncRep'
      """)
    try cluster.sql("SELECT pg_reload_conf()")
    try await writing
    #expect(
      try await engine.allKeys().map(\.rawValue) == (kind == "write" ? ["first", "second"] : []))
  }

  @Test func `acknowledged writes survive crashes of the server`() async throws {
    let cluster = try PostgresCluster(settings: ["fsync=on"])
    let engine = try PostgresStorageEngine(cluster.address(), namespace: "notes")
    let cycles = Torture.rounds(3, orTorture: 1_000)
    let acknowledged = Lock<Set<String>>([])
    let isOver = Lock(false)
    let writer = Task {
      var number = 0
      while !isOver.withLock(\.self) {
        number += 1
        let name = "\(number)"
        do {
          try await engine.write(Data(name.utf8), key: CacheKey(verbatim: name))
          acknowledged.withLock { _ = $0.insert(name) }
        } catch {
          await Task.yield()
        }
      }
    }
    for _ in 1...cycles {
      let before = acknowledged.withLock(\.count)
      try await eventually("20 more notes") { acknowledged.withLock(\.count) >= before + 20 }
      try cluster.crash()
    }
    isOver.withLock { $0 = true }
    await writer.value
    let there = Set(try await engine.allKeys().map(\.rawValue))
    #expect(acknowledged.withLock { $0.subtracting(there) }.isEmpty)
    #expect(acknowledged.withLock(\.count) >= 20 * cycles)
  }
}
