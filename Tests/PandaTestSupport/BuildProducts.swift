internal import Foundation
internal import Glibc

/// The programs that were built beside the tests.
public enum BuildProducts {
  /// The path of a program; of `panda`, that of the release where it is up to date.
  ///
  /// - Throws: `TestFailure` when it was not built: name its target as a dependency of the tests.
  public static func path(of program: String) throws -> String {
    if program == "panda", let release { return release }
    return try pathBesideTests(of: program)
  }

  /// The path of the program that was built with the tests: what it tells of its version and of its
  /// libraries is what the tests have.
  ///
  /// - Throws: `TestFailure` as `path(of:)` does.
  public static func pathBesideTests(of program: String) throws -> String {
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

  /// The release program, if it is newer than all that it is built from.
  ///
  /// Not under a sanitizer, which watches the program that was built with it. Directories count,
  /// too: a file may have been removed.
  private static let release: String? = {
    // Without the directory no other program is found either, which is reported then.
    guard !Sanitizer.isOn, let directory = try? directory() else { return nil }
    let path = "\(directory)/../release/panda"
    guard let built = changed(path) else { return nil }
    let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL.path
    let sources = FileManager.default.enumerator(atPath: "\(root)/Sources")
    let parts = (sources?.compactMap { $0 as? String } ?? []).map { "\(root)/Sources/\($0)" }
    let isNew = (parts + ["\(root)/Sources", "\(root)/Package.swift"]).allSatisfy { part in
      changed(part).map { $0 < built } ?? false
    }
    return isNew ? path : nil
  }()

  /// When a file was changed, in seconds since 1970; nil if there is none.
  private static func changed(_ path: String) -> Double? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9
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
