import Foundation
import PandaTestSupport
import Testing

/// A real PostgreSQL server in a fresh directory, on a Unix socket.
///
/// It runs as nobody if the tests run as root, since PostgreSQL refuses root, and ends when the
/// tests do, even if they are killed.
final class PostgresCluster: Sendable {
  /// Where a server's programs are; nil if none is installed.
  static let programs: String? = {
    let installed =
      (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
    let folders =
      installed.compactMap(Int.init).sorted(by: >).map { "/usr/lib/postgresql/\($0)/bin" }
      + ["/usr/bin", "/usr/local/bin", "/usr/pgsql/bin"]
    return folders.first { FileManager.default.isExecutableFile(atPath: $0 + "/initdb") }
  }()

  /// The words for tests that are skipped.
  static let advice: Comment = "PostgreSQL's server is not installed: apt-get install postgresql"

  /// The server of all tests that do not harm it.
  static let shared = Result { try PostgresCluster() }

  /// The directory of the socket.
  let directory = TemporaryDirectory()
  private let input = Pipe()
  private let output = Pipe()
  private let process = Process()

  /// Starts a server.
  ///
  /// - Parameter settings: settings of the server, such as `fsync=on`.
  /// - Throws: `TestFailure` with the server's log.
  init(settings: [String] = ["fsync=off"]) throws {
    guard let programs = Self.programs else { throw TestFailure("There is no PostgreSQL.") }
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments =
      ["-c", Self.script, "sh", directory.path(""), programs]
      + settings.flatMap { ["-c", $0] }
    process.environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C"]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let said = output.fileHandleForReading.availableData
    guard said == Data("ready\n".utf8) else {
      let log = try? String(contentsOfFile: directory.path("log"), encoding: .utf8)
      throw TestFailure("PostgreSQL did not start: \(log ?? "")")
    }
  }

  deinit {
    // The script ends with its input.
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// Ends the server when its standard input ends.
  private static let script = #"""
    cd "$1" || exit 1
    place=$PWD programs=$2
    shift 2
    as=
    if [ "$(id -u)" = 0 ]; then
      chown 65534:65534 .
      as="setpriv --reuid=65534 --regid=65534 --clear-groups"
    fi
    $as "$programs/initdb" -D data -U pantry -A trust -E UTF8 --locale=C --no-sync >log 2>&1 ||
      exit 1
    start() {
      $as "$programs/postgres" -D data -k "$place" -c listen_addresses= "$@" </dev/null >>log 2>&1 &
      server=$!
      until "$programs/pg_isready" -q -h "$place"; do
        kill -0 $server 2>/dev/null || return 1
        sleep 0.02
      done
      echo ready
    }
    start "$@" || exit 1
    while read -r _; do
      kill -KILL $server
      wait $server
      # Its children still have the shared memory for a moment.
      until start "$@"; do sleep 0.02; done
    done
    kill -QUIT $server
    wait
    """#

  /// Kills the server as `kill -9` does, and starts it again.
  func crash() throws {
    input.fileHandleForWriting.write(Data("crash\n".utf8))
    guard output.fileHandleForReading.availableData == Data("ready\n".utf8) else {
      throw TestFailure("PostgreSQL did not start again.")
    }
  }

  /// The address of a database.
  func address(database: String = "postgres", user: String = "pantry") -> String {
    "host=\(directory.path("")) user=\(user) dbname=\(database)"
  }

  /// Runs SQL as another program would, and returns what it prints: a line for each row.
  @discardableResult
  func sql(_ sql: String, database: String = "postgres") throws -> String {
    let result = try Subprocess.run(
      [
        "psql", "-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1", "-h", directory.path(""), "-U",
        "pantry", "-d", database, "-c", sql,
      ], environment: ["PATH=/usr/bin:/bin"])
    guard result.status == 0 else { throw TestFailure(result.output) }
    return result.output.trimmingCharacters(in: .newlines)
  }

  /// Creates an empty database, and returns its address.
  func newDatabase() throws -> String {
    let name = "d\(UUID().uuidString.filter { $0 != "-" }.lowercased())"
    try sql("CREATE DATABASE \(name)")
    return address(database: name)
  }
}
