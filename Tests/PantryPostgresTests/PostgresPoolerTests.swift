import Foundation
import PandaTestSupport
import Pantry
import PantryTesting
import Testing

@testable import PantryPostgres

/// A pooler between, which gives each transaction another session.
@Suite(
  .enabled(if: PostgresCluster.programs != nil, "\(PostgresCluster.advice)"),
  .enabled(if: Pooler.isInstalled, "PgBouncer is not installed: apt-get install pgbouncer"))
struct PostgresPoolerTests {
  @Test(arguments: [
    EngineContract.othersChanges, .ownCommits, .conflicts, .othersOrder, .convergence,
    .concurrentWrites, .telling,
  ])
  func `the changes of others are followed through a pooler`(_ promise: EngineContract) async throws
  {
    let cluster = try PostgresCluster.shared.get()
    let pooler = try await Pooler(cluster)
    let database = try cluster.createDatabase()
    try await promise.check(
      EngineUnderTest(commitsAreAtomic: true, isLive: true) {
        // As two machines.
        let machine = UUID().uuidString
        return try PostgresStorageEngine(
          pooler.address(database) + " application_name=\(machine)",
          namespace: $0.lastPathComponent)
      })
  }

  @Test(arguments: ["transaction", "session"])
  func `a pooler is detected, and other users of its sessions are unaffected`(
    _ mode: String
  ) async throws {
    let cluster = try PostgresCluster.shared.get()
    let pooler = try await Pooler(cluster, mode: mode)
    let database = try cluster.createDatabase()
    let engine = try PostgresStorageEngine(pooler.address(database), namespace: "notes")
    try await engine.write(Data("1".utf8), key: CacheKey(verbatim: "a"))
    #expect(await engine.isPolled)
    let direct = try PostgresStorageEngine(
      cluster.address(database: database), namespace: "notes")
    let reader = try await LiveReader(direct)
    #expect(await !direct.isPolled)
    // Its triggers still work: they fill in the digest.
    try pooler.sql(
      """
      INSERT INTO pantry.item (namespace, key, data, digest)
      SELECT id, 'b', '2', '' FROM pantry.namespace
      """, database: database)
    #expect(try await engine.read(key: CacheKey(verbatim: "b")) == Data("2".utf8))
    try await reader.catchUp()
    #expect(reader.known.map(\.key.rawValue) == ["a", "b"])
    #expect(try pooler.sql("SHOW lock_timeout", database: database) == "0")
  }

  @Test func `a crash of the server that the pooler hides lets a follower read everything`()
    async throws
  {
    let cluster = try PostgresCluster()
    let pooler = try await Pooler(cluster)
    let engine = try PostgresStorageEngine(pooler.address("postgres"), namespace: "notes")
    let other = try PostgresStorageEngine(cluster.address(), namespace: "notes")
    try await other.write(Data(), key: CacheKey(verbatim: "a"))
    let reader = try await LiveReader(engine)
    #expect(try await reader.catchUp().isEmpty)
    try cluster.crash()
    try await eventually("the server") {
      // The pooler may have to notice first that its sessions are gone.
      (try? await other.write(Data(), key: CacheKey(verbatim: "b"))) != nil
    }
    try await eventually("everything") { (try? await reader.catchUp().isEverything) == true }
    #expect(reader.known.map(\.key.rawValue) == ["a", "b"])
    #expect(try await reader.catchUp().isEmpty)
  }
}

/// PgBouncer on a Unix socket of its own.
private final class Pooler: Sendable {
  private static let program = "/usr/sbin/pgbouncer"
  static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

  private let directory = TemporaryDirectory()
  private let process: ChildProcess

  init(_ cluster: PostgresCluster, mode: String = "transaction") async throws {
    try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
    try Data("\"pantry\" \"\"\n".utf8).write(to: directory.url.appending(path: "users"))
    try Data(
      """
      [databases]
      * = host=\(cluster.directory.path(""))
      [pgbouncer]
      listen_addr =
      unix_socket_dir = \(directory.path(""))
      auth_type = trust
      auth_file = users
      default_pool_size = 2
      server_login_retry = 1
      pool_mode = \(mode)
      """.utf8
    ).write(to: directory.url.appending(path: "settings"))
    // It refuses root, too.
    process = try ChildProcess(
      "/bin/sh",
      [
        "-c",
        """
        cd "$1" || exit 1
        as=
        if [ "$(id -u)" = 0 ]; then
          chown -R 65534:65534 .
          as="setpriv --reuid=65534 --regid=65534 --clear-groups"
        fi
        exec $as \(Self.program) -q settings >log 2>&1
        """, "sh", directory.path(""),
      ])
    try await eventually("the pooler") { [directory] in
      FileManager.default.fileExists(atPath: directory.path(".s.PGSQL.6432"))
    }
  }

  deinit {
    process.send(SIGTERM)
    process.waitForExit()
  }

  func address(_ database: String) -> String {
    "host=\(directory.path("")) port=6432 user=pantry dbname=\(database)"
  }

  /// Runs SQL as another program would, through the pooler.
  @discardableResult
  func sql(_ sql: String, database: String) throws -> String {
    let result = try Subprocess.run(
      [
        "psql", "-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1", "-h", directory.path(""), "-p",
        "6432", "-U", "pantry", "-d", database, "-c", sql,
      ], environment: ["PATH=/usr/bin:/bin"])
    guard result.status == 0 else { throw TestFailure(result.output) }
    return result.output.trimmingCharacters(in: .newlines)
  }
}
