internal import Glibc

/// Standard error.
enum StandardError {
  /// Prints a line.
  static func print(_ line: String) {
    // There is no alternative if standard error is closed.
    _ = (line + "\n").withCString { write(STDERR_FILENO, $0, strlen($0)) }  // see above
  }
}
