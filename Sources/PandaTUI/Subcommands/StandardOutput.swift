internal import Glibc
internal import Pantry
internal import TerminalKit

/// Standard output of the commands that print something and end.
enum StandardOutput {
  /// Prints text, and returns the exit status: 1 where not all of it could be written.
  static func print(_ text: String) -> Int32 {
    do {
      try TerminalGuard.write(Array(text.utf8), to: STDOUT_FILENO)
      return ExitStatus.done.rawValue
    } catch {
      // A reader that has gone wants no more, and no message.
      if error.code != EPIPE {
        StandardError.print("panda: standard output: \(SystemError(code: error.code))")
      }
      return ExitStatus.failed.rawValue
    }
  }
}
