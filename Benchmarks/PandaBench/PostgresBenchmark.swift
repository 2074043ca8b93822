internal import CPlainPostgres
public import Foundation
internal import SystemSupport
internal import PandaTestSupport
internal import Pantry
public import PantryPostgres
public import PantryTesting

/// Pantry on a real PostgreSQL server beside plain C on libpq, on the same server.
///
/// The server is on this machine, with `fsync` on; each figure is of alternating runs.
@MainActor
struct PostgresBenchmark {
  let report: Report

  private static let runs = Extent.runs(5)

  func run() async throws {
    guard PostgresCluster.programs != nil else { return report.note("\(PostgresCluster.advice)") }
    let cluster = try PostgresCluster(settings: ["max_connections=260"])
    try await operations(on: cluster)
    let network = try FaultyNetwork(to: cluster.directory.path(".s.PGSQL.5432"))
    network.turn(.slow(.milliseconds(1)))
    try await operations(on: cluster, through: network)
    network.stop()
    try await engine(on: cluster)
    try await latency(on: cluster)
    for count in Extent.some([100, 1_000_000]) { try await follower(of: count, on: cluster) }
    for rate in Extent.some([200, 800, 1_600, 3_200]) { try await load(rate, on: cluster) }
  }

  // MARK: The engine alone

  private func engine(on cluster: PostgresCluster) async throws {
    let database = try cluster.createDatabase()
    PostgresStorageEngine.benchmarkAddress.withLock { $0 = cluster.uri(database: database) }
    report.note("The engine without a Store, median of 7 runs; times in ms")
    report.header(["PostgreSQL"])
    for benchmark in Extent.some(EngineBenchmark.allCases) {
      let time = try await benchmark.medianTime(
        of: PostgresStorageEngine.self, runs: Extent.runs(7))
      report.row(
        "\(benchmark)", of: "postgres", [("postgres_ms", time / .milliseconds(1), 2)])
    }
  }

  // MARK: Beside plain C

  /// - Parameter network: delays what is sent and what is answered; nil for a local socket.
  private func operations(
    on cluster: PostgresCluster, through network: FaultyNetwork? = nil
  ) async throws {
    let way = network == nil ? "" : ", with 1 ms of delay each way"
    func place(_ database: String, machine: String = "one") -> String {
      guard let network else { return cluster.uri(database: database, machine: machine) }
      return "postgresql://pantry@127.0.0.1:\(network.port)/\(database)?application_name=\(machine)"
    }
    report.note(
      "PostgreSQL: a Store beside plain C on libpq, median of \(Self.runs) runs; nested notes\(way)"
    )
    report.header(["Pantry ms", "plain ms", "ratio"])
    let one = try NestedNote.notes(Extent.isShort ? 3 : 101, from: 0)
    let many = try NestedNote.notes(StoreOperation.many, from: 0)
    let rows = try PlainRows(many)
    var times: [String: (ours: [Double], plain: [Double])] = [:]
    func add(_ name: String, ours: Double? = nil, plain: Double? = nil) {
      if let ours { times[name, default: ([], [])].ours.append(ours) }
      if let plain { times[name, default: ([], [])].plain.append(plain) }
    }
    for _ in 0..<Self.runs {
      let database = try cluster.createDatabase()
      let address = place(database)
      let plain = plain_postgres_open(address)
      defer { plain_postgres_close(plain) }
      let engine = try PostgresStorageEngine(address, namespace: "notes")
      let store = try await Store<NestedNote>(storage: engine, cacheIdentifier: \.id)

      var each: [Double] = []
      for note in one { try await each.append(milliseconds { try await store.add(note) }) }
      add("commit 1", ours: medianAfterFirst(each))
      each = []
      for index in one.indices {
        each.append(milliseconds { rows.write(index, to: plain) })
      }
      add("commit 1", plain: medianAfterFirst(each))

      try await store.removeAll()
      plain_postgres_run(plain, "TRUNCATE plain")
      try settle(database, on: cluster)
      add("write 10,000", plain: milliseconds { rows.writeAll(to: plain) })
      try settle(database, on: cluster)
      add("write 10,000", ours: try await milliseconds { try await store.add(many) })

      try settle(database, on: cluster)
      add("load 10,000, bytes", plain: milliseconds { Self.read(plain) })
      var kept: [Any] = []
      add(
        "load 10,000, bytes",
        ours: try await milliseconds { kept.append(try await engine.readAllDataAndKeys()) })
      add(
        "load 10,000, items",
        plain: try milliseconds { kept.append(try Self.readItems(plain)) })
      let fresh = try PostgresStorageEngine(
        place(database, machine: "fresh"), namespace: "notes")
      _ = try await fresh.keyCount()
      add(
        "load 10,000, items",
        ours: try await milliseconds {
          kept.append(try await Store<NestedNote>(storage: fresh, cacheIdentifier: \.id))
        })
    }
    for name in ["commit 1", "write 10,000", "load 10,000, bytes", "load 10,000, items"] {
      guard let (ours, plain) = times[name] else { continue }
      report.row(
        name, of: network == nil ? "postgres" : "postgres_1ms",
        [
          ("pantry_ms", median(ours), 2), ("plain_ms", median(plain), 2),
          ("ratio", median(ours) / median(plain), 2),
        ])
    }
  }

  /// The rows that the plain program writes: encoded beforehand, as a Store encodes in the call.
  private struct PlainRows {
    let keys: [[CChar]]
    let data: [Data]

    init(_ notes: [NestedNote]) throws {
      let encoder = JSONEncoder()
      keys = notes.map { Array($0.id.utf8CString) }
      data = try notes.map { try encoder.encode($0) }
    }

    func write(_ index: Int, to plain: UnsafeMutableRawPointer?) {
      keys[index].withUnsafeBufferPointer { key in
        data[index].withUnsafeBytes { bytes in
          var row = plain_row(key: key.baseAddress, data: bytes.baseAddress, count: bytes.count)
          plain_postgres_write(plain, &row)
        }
      }
    }

    func writeAll(to plain: UnsafeMutableRawPointer?) {
      var rows: [plain_row] = []
      for (key, bytes) in zip(keys, data) {
        let name = strdup(key)
        let copy = UnsafeMutableRawPointer.allocate(byteCount: bytes.count, alignment: 1)
        bytes.copyBytes(to: UnsafeMutableRawBufferPointer(start: copy, count: bytes.count))
        rows.append(plain_row(key: name, data: copy, count: bytes.count))
      }
      var positions = [Int64](repeating: 0, count: rows.count)
      plain_postgres_write_many(plain, rows, rows.count, &positions)
      precondition(positions.allSatisfy { $0 > 0 }, "Each row has a position.")
      for row in rows {
        free(UnsafeMutablePointer(mutating: row.key))
        UnsafeMutableRawPointer(mutating: row.data)?.deallocate()
      }
    }
  }

  /// Leaves no work of earlier runs to the one that is measured.
  private func settle(_ database: String, on cluster: PostgresCluster) throws {
    try cluster.sql("VACUUM ANALYZE", database: database)
    try cluster.sql("CHECKPOINT", database: database)
  }

  private static func read(_ plain: UnsafeMutableRawPointer?) {
    var total = 0
    let count = withUnsafeMutablePointer(to: &total) { total in
      plain_postgres_read_all(
        plain, { $0?.assumingMemoryBound(to: Int.self).pointee += $3 }, total)
    }
    precondition(count == StoreOperation.many && total > 0, "All rows are there.")
  }

  private static func readItems(_ plain: UnsafeMutableRawPointer?) throws -> [NestedNote] {
    final class Rows { var data: [Data] = [] }
    let rows = Rows()
    _ = plain_postgres_read_all(
      plain,
      { context, _, bytes, count in
        guard let context, let bytes else { return }
        Unmanaged<Rows>.fromOpaque(context).takeUnretainedValue().data.append(
          Data(bytes: bytes, count: count))
      }, Unmanaged.passUnretained(rows).toOpaque())
    let decoder = JSONDecoder()
    return try rows.data.map { try decoder.decode(NestedNote.self, from: $0) }
  }

  // MARK: Followers

  /// From a commit in another process to this one's items.
  private func latency(on cluster: PostgresCluster) async throws {
    report.note("Two processes on one PostgreSQL server: to the other's items")
    report.header(["median ms", "p99 ms", "worst ms", "commits"])
    let address = cluster.uri(database: try cluster.createDatabase())
    let store = try await LiveWriter.store(at: address)
    let count = Extent.count(2_000)
    let arrivals = Task { await LiveBenchmark.arrivals(in: store, count: count) }
    let times = try await LiveBenchmark.write("w", count: count, pause: 2_000, at: address)
    let arrived = try await withDeadline(.seconds(60)) { await arrivals.value }
    var fromReturn: [Double] = []
    for (id, time) in times {
      guard let arrival = arrived[id] else {
        throw BenchmarkFailure(description: "\(id) was missed.")
      }
      fromReturn.append(arrival > time.returned ? Double(arrival - time.returned) / 1e6 : 0)
    }
    row("from the return", fromReturn)
    row("the call itself", times.values.map { Double($0.returned - $0.called) / 1e6 })
  }

  private func row(_ name: String, _ values: [Double]) {
    let sorted = values.sorted()
    report.row(
      name, of: "postgres",
      [
        ("median", median(values), 2), ("p99", sorted[sorted.count * 99 / 100], 2),
        ("worst", sorted.last ?? .nan, 2), ("commits", Double(values.count), 0),
      ])
  }

  /// Measures the cost of one change to a follower beside so many rows.
  private func follower(of count: Int, on cluster: PostgresCluster) async throws {
    let database = try cluster.createDatabase()
    let engine = try PostgresStorageEngine(cluster.uri(database: database), namespace: "notes")
    _ = try await engine.keyCount()
    let store = try await Store<LiveWriter.Message>(storage: engine)
    let filler = plain_postgres_open(cluster.uri(database: database))
    defer { plain_postgres_close(filler) }
    plain_postgres_run(
      filler,
      """
      SET pantry.client = '3';
      INSERT INTO pantry.item (namespace, digest, key, data)
      SELECT namespace.id, sha256(('n' || n)::bytea), ('n' || n)::bytea,
        ('{"id":"n' || n || '","text":"panda"}')::bytea
      FROM pantry.namespace, generate_series(1, \(count)) AS n
      """)
    try settle(database, on: cluster)
    try await eventually("all rows", deadline: .seconds(120)) { store.items.count == count }
    let plain = plain_postgres_open(cluster.uri(database: database))
    defer { plain_postgres_close(plain) }
    var times: [Double] = []
    let arrivals = store.events
    for number in 0..<Extent.runs(101) {
      // Another client changes a row in the middle.
      plain_postgres_run(
        plain,
        """
        UPDATE pantry.item SET data = '{"id":"n\(count / 2)","text":"\(number)"}'
        WHERE digest = sha256('n\(count / 2)')
        """)
      let committed = LiveWriter.now
      for await event in arrivals where event.items.contains(where: { $0.text == "\(number)" }) {
        break
      }
      times.append(Double(LiveWriter.now - committed) / 1e6)
    }
    if count == 100 {
      report.note("A change by psql, from its commit to the follower's items")
      report.header(["median ms", "p99 ms", "worst ms", "commits"])
    }
    row("beside \(count) rows", times)
  }

  // MARK: Load

  /// 200 connections of which 20 follow one namespace, with so many changes a second in all.
  private func load(_ rate: Int, on cluster: PostgresCluster) async throws {
    let (clients, followers) = Extent.isShort ? (10, 2) : (200, 20)
    let seconds = Extent.isShort ? 1 : rate == 200 ? 60 : 15
    let database = try cluster.createDatabase()
    var shared: [Store<LiveWriter.Message>] = []
    var others: [PostgresStorageEngine] = []
    for number in 0..<clients {
      let engine = try PostgresStorageEngine(
        cluster.uri(database: database, machine: "c\(number)"),
        namespace: number < followers ? "shared" : "own\(number)")
      if number < followers {
        shared.append(try await Store<LiveWriter.Message>(storage: engine))
      } else {
        _ = try await engine.keyCount()
        others.append(engine)
      }
    }
    let lag = LoadLag()
    let watchers = shared.map { store in
      Task {
        for await event in store.events where event.operation == .insert {
          for item in event.items { lag.note(item) }
        }
      }
    }
    let pause = Duration.seconds(Double(clients) / Double(rate))
    let start = ContinuousClock.now
    let end = start + .seconds(seconds)
    let writers = (0..<clients).map { number in
      let store = number < followers ? shared[number] : nil
      let engine = number < followers ? nil : others[number - followers]
      return Task {
        await Self.change(number, store: store, engine: engine, every: pause, until: end)
      }
    }
    var counts = 0
    for writer in writers { counts += await writer.value }
    // Clients that fall behind make up for it at the end.
    let elapsed = (ContinuousClock.now - start) / .seconds(1)
    let written = try await Store<LiveWriter.Message>(
      storage: PostgresStorageEngine(cluster.uri(database: database), namespace: "shared"))
    try await eventually("all of the shared namespace", deadline: .seconds(60)) {
      shared.allSatisfy { $0.items.count == written.items.count }
    }
    for watcher in watchers { watcher.cancel() }
    if rate == 200 {
      report.note("200 connections, 20 of them follow one namespace; how far behind they are")
      report.header(["asked/s", "done/s", "median ms", "p99 ms", "worst ms"])
    }
    let lags = lag.milliseconds.sorted()
    report.row(
      "\(rate) changes a second", of: "postgres",
      [
        ("asked", Double(rate), 0), ("done", Double(counts) / elapsed, 0),
        ("median", median(lags), 1), ("p99", lags.isEmpty ? .nan : lags[lags.count * 99 / 100], 1),
        ("worst", lags.last ?? .nan, 1),
      ])
  }

  /// Changes something at an even pace; returns how often.
  @concurrent
  private static func change(
    _ client: Int, store: Store<LiveWriter.Message>?, engine: PostgresStorageEngine?,
    every pause: Duration, until end: ContinuousClock.Instant
  ) async -> Int {
    // Not all at the same moment.
    var next = ContinuousClock.now + pause * Double(client) / 200
    var count = 0
    while next < end {
      try? await Task.sleep(until: next, clock: .continuous)  // never canceled
      let message = LiveWriter.Message(id: "\(client)-\(count)", text: "\(LiveWriter.now)")
      do {
        if let store {
          try await store.add(message)
        } else if let engine {
          try await engine.write(
            try JSONEncoder().encode(message), key: CacheKey(verbatim: message.id))
        }
        count += 1
      } catch {
        FileHandle.standardError.write(Data("\(error)\n".utf8))
        return count
      }
      next += pause
    }
    return count
  }
}

/// The delays with which followers saw additions.
@MainActor
private final class LoadLag {
  private(set) var milliseconds: [Double] = []

  /// The text of an item is the time just before the call that added it.
  func note(_ item: LiveWriter.Message) {
    guard let sent = UInt64(item.text) else { return }
    milliseconds.append(Double(LiveWriter.now - sent) / 1e6)
  }
}

extension PostgresStorageEngine: BenchmarkableEngine {
  /// The database of the benchmark.
  fileprivate static let benchmarkAddress = Lock("")

  /// Opens the engine of a namespace that is named after `place`.
  public static func opened(at place: URL) async throws -> PostgresStorageEngine {
    try PostgresStorageEngine(
      benchmarkAddress.withLock(\.self), namespace: place.path(percentEncoded: false))
  }
}
