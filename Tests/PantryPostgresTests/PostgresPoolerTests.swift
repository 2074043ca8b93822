import Foundation
import PandaTestSupport
import Pantry
import Testing

@testable import PantryPostgres

/// A pooler between, which gives each transaction another session.
@Suite(.enabled(if: PostgresCluster.programs != nil, "\(PostgresCluster.advice)"))
struct PostgresPoolerTests {
  private static let pgbouncer = "/usr/sbin/pgbouncer"

  @Test(
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: pgbouncer),
      "PgBouncer is not installed: apt-get install pgbouncer"),
    arguments: ["transaction", "session"])
  func `a pooler is found out and refused, with what to do`(_ mode: String) async throws {
    let cluster = try PostgresCluster.shared.get()
    let database = try cluster.createDatabase()
    let directory = TemporaryDirectory()
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
      pool_mode = \(mode)
      """.utf8
    ).write(to: directory.url.appending(path: "settings"))
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    // It refuses root, too.
    process.arguments = [
      "-c",
      """
      cd "$1" || exit 1
      as=
      if [ "$(id -u)" = 0 ]; then
        chown -R 65534:65534 .
        as="setpriv --reuid=65534 --regid=65534 --clear-groups"
      fi
      exec $as \(Self.pgbouncer) -q settings >log 2>&1
      """, "sh", directory.path(""),
    ]
    try process.run()
    defer {
      process.terminate()
      process.waitUntilExit()
    }
    try await eventually("the pooler") {
      FileManager.default.fileExists(atPath: directory.path(".s.PGSQL.6432"))
    }
    let engine = try PostgresStorageEngine(
      "host=\(directory.path("")) port=6432 user=pantry dbname=\(database)", namespace: "notes")
    let error = try await #require(throws: PostgresError.self) { try await engine.keyCount() }
    #expect(error.kind == .pooler)
    #expect(error.description.contains("pooler") && error.description.contains("own address"))
  }
}
