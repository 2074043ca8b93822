internal import Glibc
internal import Pantry
internal import SystemSupport
internal import TerminalKit

/// Standard output of the commands that print something and exit.
enum StandardOutput {
  /// Prints lines of text, and returns the exit status.
  ///
  /// It is 1 if not all of the text could be written. On a terminal each line is as
  /// ``CommandOutput/printed(_:onTerminal:)`` says; other programs get the text as it is.
  static func print(_ text: String) -> ExitStatus {
    var text = text
    if isatty(STDOUT_FILENO) == 1 {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      text = lines.map { CommandOutput.printed(String($0), onTerminal: true) }
        .joined(separator: "\n")
    }
    do {
      try TerminalGuard.write(Array(text.utf8), to: STDOUT_FILENO)
      return .done
    } catch {
      // A reader that is gone needs no message.
      if error.code != EPIPE {
        StandardError.print("panda: standard output: \(SystemError(code: error.code)).")
      }
      return .failed
    }
  }
}
