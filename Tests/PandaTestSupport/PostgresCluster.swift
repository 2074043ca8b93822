internal import Foundation

/// A real PostgreSQL server in a fresh directory, on a Unix socket.
///
/// It runs as nobody if the tests run as root, since PostgreSQL refuses root, and ends when the
/// tests do, even if they are killed.
public final class PostgresCluster: Sendable {
  /// Where a server's programs are; nil if none is installed.
  public static let programs: String? = {
    let installed =
      (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
    let folders =
      installed.compactMap(Int.init).sorted(by: >).map { "/usr/lib/postgresql/\($0)/bin" }
      + ["/usr/bin", "/usr/local/bin", "/usr/pgsql/bin"]
    return folders.first { FileManager.default.isExecutableFile(atPath: $0 + "/initdb") }
  }()

  /// The words for tests that are skipped.
  public static let advice = "PostgreSQL's server is not installed: apt-get install postgresql"

  /// The server of all tests that do not harm it, each in a database of its own.
  public static let shared = Result {
    // Two phases, which PostgreSQL leaves out unless it is asked for them.
    let cluster = try PostgresCluster(settings: ["fsync=off", "max_prepared_transactions=4"])
    // Its directory can be removed when it has ended.
    Teardown.add { cluster.end() }
    return cluster
  }

  /// The files of a new server, of which each server takes a copy: initdb takes a second of work.
  static let files = Result {
    guard let programs else { throw TestFailure("There is no PostgreSQL.") }
    let directory = TemporaryDirectory()
    let made = try Subprocess.run(
      ["/bin/sh", "-c", asNobody + initdb, "sh", directory.path(""), programs],
      environment: ["PATH=/usr/bin:/bin", "LC_ALL=C"])
    guard made.status == 0 else { throw TestFailure("initdb: \(made.output)") }
    return directory
  }

  private static let initdb =
    "$as \"$2/initdb\" -D data -U pantry -A trust -E UTF8 --locale=C --no-sync"

  /// Goes to the directory $1, and sets what runs a program as its owner.
  static let asNobody = #"""
    cd "$1" || exit 1
    as=
    if [ "$(id -u)" = 0 ]; then
      chown 65534:65534 .
      as="setpriv --reuid=65534 --regid=65534 --clear-groups"
    fi

    """#

  /// The directory of the socket.
  public let directory = TemporaryDirectory()
  /// The port of the loopback interface, or the number in the name of the socket.
  public let port: Int
  private let input = ProgramPipe()
  private let output = ProgramPipe()
  private let process: ChildProcess

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - settings: settings of a server of its own, such as `fsync=on`.
  ///   - port: a free port of the loopback interface; nil for the Unix socket alone.
  /// - Throws: `TestFailure` with the server's log.
  public init(settings: [String] = ["fsync=off"], port: Int? = nil) throws {
    self.port = port ?? 5432
    guard let programs = Self.programs else { throw TestFailure("There is no PostgreSQL.") }
    // Its shared memory stays in its own directory, also after `kill -9`.
    let all =
      settings + ["dynamic_shared_memory_type=mmap"]
      + (port.map { ["listen_addresses=127.0.0.1", "port=\($0)"] } ?? [])
    process = try ChildProcess(
      "/bin/sh",
      [
        "-c", Self.asNobody + Self.script, "sh", directory.path(""), programs,
        Self.files.get().path("data"),
      ] + all.flatMap { ["-c", $0] },
      environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C", "PGPORT": "\(self.port)"],
      input: .pipe(input), output: .pipe(output))
    let said = output.fileHandleForReading.availableData
    guard said == Data("ready\n".utf8) else {
      let log = try? String(contentsOfFile: directory.path("log"), encoding: .utf8)
      throw TestFailure("PostgreSQL did not start: \(log ?? "")")
    }
  }

  deinit { end() }

  private func end() {
    // The script ends with its input. A second call finds it closed.
    try? input.fileHandleForWriting.close()
    process.waitForExit()
  }

  /// Ends the server when its standard input ends.
  private static let script = #"""
    place=$PWD programs=$2
    $as cp -a "$3" data >log 2>&1 || exit 1
    shift 3
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
  public func crash() throws {
    input.fileHandleForWriting.write(Data("crash\n".utf8))
    guard output.fileHandleForReading.availableData == Data("ready\n".utf8) else {
      throw TestFailure("PostgreSQL did not start again.")
    }
  }

  /// The address of a database.
  public func address(database: String = "postgres", user: String = "pantry") -> String {
    "host=\(directory.path("")) user=\(user) dbname=\(database)"
  }

  /// Runs SQL as another program would, and returns what it prints: a line for each row.
  @discardableResult
  public func sql(_ sql: String, database: String = "postgres") throws -> String {
    let result = try Subprocess.run(
      [
        "psql", "-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1", "-h", directory.path(""), "-U",
        "pantry", "-d", database, "-c", sql,
      ], environment: ["PATH=/usr/bin:/bin", "PGPORT=\(port)"])
    guard result.status == 0 else { throw TestFailure(result.output) }
    return result.output.trimmingCharacters(in: .newlines)
  }

  /// Keeps a session open that has run SQL, such as `BEGIN; LOCK TABLE ...`, until it is ended.
  public func session(_ sql: String, database: String = "postgres") throws -> PostgresSession {
    try PostgresSession(sql, socket: directory.path(""), database: database)
  }

  /// Creates an empty database, and returns its address.
  public func newDatabase() throws -> String { address(database: try createDatabase()) }

  /// Creates an empty database, and returns its name.
  public func createDatabase() throws -> String {
    let name = "d\(UUID().uuidString.filter { $0 != "-" }.lowercased())"
    try sql("CREATE DATABASE \(name)")
    return name
  }

  /// The address of a database as a URI.
  ///
  /// - Parameter machine: clients with another one have a connection of their own in a process.
  public func uri(database: String = "postgres", machine: String = "one") -> String {
    "postgresql://pantry@/\(database)?host=\(directory.path(""))&application_name=\(machine)"
  }
}
