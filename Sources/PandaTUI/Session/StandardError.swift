internal import Glibc

enum StandardError {
  /// Prints a line, as ``CommandOutput/printed(_:onTerminal:)`` says.
  static func print(_ line: String) {
    let text = CommandOutput.printed(line, onTerminal: isatty(STDERR_FILENO) == 1)
    // There is no alternative if standard error is closed.
    _ = "\(text)\n".withCString { write(STDERR_FILENO, $0, strlen($0)) }
  }
}
