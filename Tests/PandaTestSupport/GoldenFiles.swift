import Foundation

/// Files of the repository that are made from the program, and compared with it by tests.
public enum GoldenFiles {
  /// Whether the tests rewrite such files, as `make keys` and `make demo` ask, in place of
  /// comparing them.
  public static let areWritten = ProcessInfo.processInfo.environment["PANDA_WRITE_DOCS"] == "1"
}
