internal import Glibc

/// The programs that were built beside the tests.
public enum BuildProducts {
  /// The path of a program.
  ///
  /// - Throws: `TestFailure` when it was not built: name its target as a dependency of the tests.
  public static func path(of program: String) throws -> String {
    let path = "\(try directory())/\(program)"
    guard access(path, X_OK) == 0 else { throw TestFailure("There is no program \(path).") }
    return path
  }

  /// The directory of all products: the tests run as an executable in it.
  ///
  /// - Throws: `TestFailure` when it is unknown.
  public static func directory() throws -> String {
    guard let resolved = realpath("/proc/self/exe", nil) else {
      throw TestFailure("The path of the test program is unknown.")
    }
    defer { free(resolved) }
    let own = String(cString: resolved)
    return String(own[..<(own.lastIndex(of: "/") ?? own.startIndex)])
  }

  /// Copies a program to `copy`, under another name.
  ///
  /// `cp` does it: a process that is started at that moment would hold a copy made here open for
  /// writing, and a file that is written to cannot be run (ETXTBSY).
  ///
  /// - Throws: `TestFailure` when it cannot be copied.
  public static func copy(_ program: String, to copy: String) throws {
    let result = try Subprocess.run(["cp", path(of: program), copy], environment: [])
    guard result.status == 0 else { throw TestFailure("cp: \(result.output)") }
  }
}
