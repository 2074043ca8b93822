internal import Foundation

/// A session of psql that stays open, for what it locks.
public final class PostgresSession {
  private let input = ProgramPipe()
  private let process: ChildProcess

  init(_ sql: String, socket: String, database: String) throws {
    let output = ProgramPipe()
    process = try ChildProcess(
      "/usr/bin/env",
      [
        "psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-h", socket, "-U", "pantry", "-d", database,
      ], input: .pipe(input), output: .pipe(output), error: .inherited)
    input.fileHandleForWriting.write(Data("\(sql);\n\\echo ready\n".utf8))
    guard output.fileHandleForReading.availableData == Data("ready\n".utf8) else {
      throw TestFailure("psql did not run \(sql)")
    }
  }

  deinit { end() }

  /// Ends the session, and its transaction without a commit.
  public func end() {
    try? input.fileHandleForWriting.close()  // it may have been ended before
    process.waitForExit()
  }
}
