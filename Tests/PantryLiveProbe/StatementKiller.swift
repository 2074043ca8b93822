import CPantrySQLite
import Glibc

/// Has this process killed at a statement of SQLite's, wherever in the code that is.
enum StatementKiller {
  /// How many statements may still begin; one connection works at a time.
  nonisolated(unsafe) private static var rest = 0

  /// Kills the process when its connections begin their `count`th statement.
  static func kill(atStatement count: Int) {
    rest = count
    // SQLite calls it for each connection that is opened; the declaration has no parameters, and
    // the function is given three (https://sqlite.org/c3ref/auto_extension.html).
    typealias EntryPoint =
      @convention(c) (
        OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, OpaquePointer?
      ) -> Int32
    let watch: EntryPoint = { database, _, _ in
      let beginningOfStatement: UInt32 = 1
      return sqlite3_trace_v2(
        database, beginningOfStatement, { _, _, _, _ in StatementKiller.count() }, nil)
    }
    sqlite3_auto_extension(unsafeBitCast(watch, to: (@convention(c) () -> Void).self))
  }

  private static func count() -> Int32 {
    rest -= 1
    if rest == 0 { Glibc.kill(getpid(), SIGKILL) }
    return 0
  }
}
