import Foundation
import PandaTestSupport
import Pantry
import SystemSupport
import Testing

@testable import PantryPostgres

/// A network that is slow, silent, deaf or cut.
@MainActor
@Suite(
  .enabled(if: PostgresCluster.programs != nil, "\(PostgresCluster.advice)"),
  .timeLimit(.minutes(60)))
struct PostgresNetworkTests {
  private struct Note: Codable, Equatable, Identifiable, Sendable {
    var id: String
  }

  @Test func `stores survive any network fault, losing and repeating nothing`() async throws {
    let cluster = try PostgresCluster.shared.get()
    let database = try cluster.createDatabase()
    let network = try FaultyNetwork(to: cluster.directory.path(".s.PGSQL.5432"))
    defer { network.stop() }
    let address = "host=127.0.0.1 port=\(network.port) user=pantry dbname=\(database)"
    let busy = try await BusyStores(
      at: [address, address, cluster.address(database: database)], silence: .seconds(1),
      countInterval: 10)
    busy.start()
    let harms = [FaultyNetwork.Harm.cut(after: 0), .cut(after: 40), .cut(after: 400), .deafen]
    for round in 0..<Torture.rounds(1, orTorture: 50) {
      for harm in harms {
        try await busy.progress(3, of: 0)
        network.harm(harm)
      }
      network.turn(.slow(.milliseconds(10 + round)))
      try await busy.progress(3, of: 0)
      network.turn(.silent)
      for store in busy.stores.prefix(2) {
        try await eventually("it is told", seen: { busy.description }) {
          store.connection != .connected
        }
      }
      // Clients that are not behind this network continue.
      try await busy.progress(3, of: 2)
      network.turn(.fair)
      try await busy.progress(3, of: 1)
      network.harm(.forget)
    }
    try await busy.progress(3, of: 0)
    try await busy.finish()
  }

  @Test func `callers of a server that is cut off do not wait for an attempt each`() async throws {
    let cluster = try PostgresCluster.shared.get()
    let database = try cluster.createDatabase()
    let network = try FaultyNetwork(to: cluster.directory.path(".s.PGSQL.5432"))
    defer { network.stop() }
    let engine = try PostgresStorageEngine(
      "host=127.0.0.1 port=\(network.port) user=pantry dbname=\(database)", namespace: "notes")
    #expect(try await engine.keyCount() == 0)
    await engine.limitSilence(to: .milliseconds(300))
    network.turn(.silent)
    // The first finds the silence out, then one attempt to connect is made for all.
    let attempts = await engine.attemptCount
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<20 {
        group.addTask {
          await #expect(throws: PostgresError.self) { try await engine.keyCount() }
        }
      }
    }
    #expect(await engine.attemptCount <= attempts + 2)
    await engine.limitSilence(to: .seconds(60))
    network.turn(.fair)
    #expect(try await engine.keyCount() == 0)
  }

  @Test func `an attempt to connect that began before a call and fails does not answer it`()
    async throws
  {
    let cluster = try PostgresCluster.shared.get()
    let database = try cluster.createDatabase()
    let network = try FaultyNetwork(to: cluster.directory.path(".s.PGSQL.5432"))
    defer { network.stop() }
    network.turn(.silent)
    let engine = try PostgresStorageEngine(
      "host=127.0.0.1 port=\(network.port) user=pantry dbname=\(database)", namespace: "notes")
    let early = Task { try await engine.keyCount() }
    try await eventually("it connects") { await engine.attemptCount == 1 }
    let later = Task { try await engine.keyCount() }
    try await eventually("the other waits") { await engine.server.isContended }
    network.harm(.refuse)
    await #expect(throws: PostgresError.self) { try await early.value }
    network.turn(.fair)
    #expect(try await later.value == 0)
  }

  @Test func `a copy is shown while it is not known yet that the server is gone`() async throws {
    let cluster = try PostgresCluster.shared.get()
    let database = try cluster.createDatabase()
    let network = try FaultyNetwork(to: cluster.directory.path(".s.PGSQL.5432"))
    defer { network.stop() }
    let engine = try PostgresStorageEngine(
      "host=127.0.0.1 port=\(network.port) user=pantry dbname=\(database)", namespace: "notes",
      copies: Copies())
    try await Store<Note>(storage: engine).add(Note(id: "a"))
    await engine.keepNewestRows(limit: 5)
    await engine.limitSilence(to: .milliseconds(300))
    network.turn(.silent)
    #expect(await engine.server.isConnected)
    let later = Store<Note>.loadingInBackground(
      storage: engine.engine(namespace: "notes"), excerptLimit: 5)
    try await later.excerptHasLoaded()
    #expect(later.excerpt?.items.map(\.id) == ["a"])
  }

  @Test func `fault 107: a server that is silent after the handshake is reported`()
    async throws
  {
    let server = try MutePostgres()
    defer { server.stop() }
    let engine = try PostgresStorageEngine(server.address, namespace: "notes")
    let start = ContinuousClock.now
    let error = await #expect(throws: PostgresError.self) { try await engine.keyCount() }
    #expect(error?.kind == .cutOff)
    // A server that is at work has a minute.
    #expect(ContinuousClock.now - start < .seconds(40))
  }

  @Test func `fault 97: a dead network is reported within seconds`() async throws {
    let cluster = try PostgresCluster.shared.get()
    let database = try cluster.createDatabase()
    let network = try FaultyNetwork(to: cluster.directory.path(".s.PGSQL.5432"))
    defer { network.stop() }
    let engine = try PostgresStorageEngine(
      "host=127.0.0.1 port=\(network.port) user=pantry dbname=\(database)", namespace: "notes")
    let states = Lock<[StorageConnection]>([])
    let follower = StorageFollower(
      onConnection: { state in states.withLock { $0.append(state) } }, onChange: {})
    engine.add(follower)
    _ = try await engine.rows(for: follower)
    network.turn(.silent)
    let error = await #expect(throws: PostgresError.self) { try await engine.keyCount() }
    #expect(error?.kind == .cutOff)
    // The limit for a server that is at work is a minute.
    try await eventually("it is told", deadline: .seconds(40)) {
      states.withLock { $0.contains { if case .cutOff = $0 { true } else { false } } }
    }
    network.turn(.fair)
    try await eventually("it is back") { states.withLock { $0.last == .connected } }
  }

  @Test func `a server that is at work, or waits for a lock, is not given up`() async throws {
    let cluster = try PostgresCluster.shared.get()
    let database = try cluster.createDatabase()
    let network = try FaultyNetwork(to: cluster.directory.path(".s.PGSQL.5432"))
    defer { network.stop() }
    let engine = try PostgresStorageEngine(
      "host=127.0.0.1 port=\(network.port) user=pantry dbname=\(database)", namespace: "notes")
    try await engine.write(Data(), key: CacheKey(verbatim: "a"))
    let attempts = await engine.attemptCount
    let session = try cluster.session(
      "BEGIN; LOCK TABLE pantry.item IN EXCLUSIVE MODE", database: database)
    async let writing: Void = engine.write(Data("2".utf8), key: CacheKey(verbatim: "a"))
    try await eventually("it was asked") { await engine.server.probeCount > 0 }
    session.end()
    try await writing
    #expect(try await engine.read(key: CacheKey(verbatim: "a")) == Data("2".utf8))
    #expect(await engine.attemptCount == attempts)
  }
}

/// Copies in memory.
private actor Copies: PostgresCopies {
  private var rows: [String: PostgresNewestRows] = [:]

  func attachment(_ digest: ContentDigest) -> Data? { nil }
  func keep(_ attachment: Data, as digest: ContentDigest) {}
  func newestRows(of namespace: String) -> PostgresNewestRows? { rows[namespace] }
  func keep(_ rows: PostgresNewestRows, of namespace: String) { self.rows[namespace] = rows }
}
