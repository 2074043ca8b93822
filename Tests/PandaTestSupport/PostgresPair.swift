internal import Foundation

/// A real PostgreSQL server with a synchronous standby, both in a fresh directory.
///
/// What the first acknowledges is on the second too. Both end with their last reference.
public final class PostgresPair {
  private let directory = TemporaryDirectory()
  private let input = ProgramPipe()
  private let output = ProgramPipe()
  private let process: ChildProcess

  /// Starts both.
  ///
  /// - Throws: `TestFailure` with their log.
  public init() throws {
    guard let programs = PostgresCluster.programs else {
      throw TestFailure("There is no PostgreSQL.")
    }
    process = try ChildProcess(
      "/bin/sh",
      [
        "-c", PostgresCluster.asNobody + Self.script, "sh", directory.path(""), programs,
        PostgresCluster.files.get().path("data"),
      ],
      environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C"], input: .pipe(input),
      output: .pipe(output))
    try expect("ready")
  }

  deinit {
    // The script ends with its input.
    try? input.fileHandleForWriting.close()
    process.waitForExit()
  }

  /// The address of both, the first one first.
  ///
  /// - Parameter machine: clients with another one have a connection of their own in a process.
  public func uri(machine: String) -> String {
    "postgresql://pantry@/postgres?host=\(directory.path("a")),\(directory.path("b"))"
      + "&application_name=\(machine)"
  }

  /// The address of the second server alone.
  public func standbyURI(machine: String) -> String {
    "postgresql://pantry@/postgres?host=\(directory.path("b"))&application_name=\(machine)"
  }

  /// Kills the first server as `kill -9` does.
  public func killFirst() throws {
    input.fileHandleForWriting.write(Data("kill\n".utf8))
    try expect("killed")
  }

  /// Makes the second server take writes.
  public func promoteSecond() throws {
    input.fileHandleForWriting.write(Data("promote\n".utf8))
    try expect("promoted")
  }

  private func expect(_ answer: String) throws {
    guard output.fileHandleForReading.availableData == Data("\(answer)\n".utf8) else {
      let log = try? String(contentsOfFile: directory.path("log"), encoding: .utf8)
      throw TestFailure("PostgreSQL and its standby are not \(answer): \(log ?? "")")
    }
  }

  private static let script = #"""
    place=$PWD programs=$2
    exec 2>>log
    chmod 666 log
    $as mkdir a b
    $as cp -a "$3" one || exit 1
    sql() { psql -X -A -t -q -h "$place/$1" -U pantry -d postgres -c "$2"; }
    start() {
      $as "$programs/postgres" -D "$1" -k "$place/$2" -c listen_addresses= -c fsync=off \
        -c dynamic_shared_memory_type=mmap </dev/null >>log 2>&1 &
      server=$!
      until "$programs/pg_isready" -q -h "$place/$2"; do
        kill -0 $server || exit 1
        sleep 0.02
      done
    }
    start one a
    first=$server
    $as "$programs/pg_basebackup" -h "$place/a" -U pantry -D two -R -c fast >>log || exit 1
    start two b
    second=$server
    # After the copy: the second must not wait for a standby of its own.
    sql a "ALTER SYSTEM SET synchronous_standby_names = '*'" >>log || exit 1
    sql a "SELECT pg_reload_conf()" >>log
    until [ "$(sql a 'SELECT sync_state FROM pg_stat_replication')" = sync ]; do sleep 0.02; done
    echo ready
    while read -r order; do
      case $order in
        kill)
          kill -KILL $first
          wait $first
          echo killed
          ;;
        promote)
          sql b "SELECT pg_promote()" >>log || exit 1
          echo promoted
          ;;
      esac
    done
    kill -QUIT $first $second
    wait
    """#
}
