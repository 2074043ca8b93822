internal import FoundationEssentials
internal import Glibc
internal import PandaCore
internal import Pantry
internal import TerminalKit

/// `panda --plain`: a session on standard input and output.
@MainActor
enum PlainMode {
  /// The prompt before the line that the user types.
  private static let prompt = "panda> "

  /// Greets the user, performs the commands one after another, and returns the exit status.
  ///
  /// In a pipe that is the worst status of all commands; an interactive user has read about
  /// failures. It is at least 1 if the output has no reader.
  ///
  /// - Parameters:
  ///   - commands: performs what the shell does as well.
  ///   - isQuiet: whether descriptions of pictures are left out.
  ///   - problems: the problems in the configuration; nil if there are none.
  ///   - log: receives what happens, with every cause.
  static func run(
    _ commands: CommandSession, isQuiet: Bool, problems: String?, log: Log
  ) async -> Int32 {
    // A closed output is an error to handle, after pending changes have been stored.
    signal(SIGPIPE, SIG_IGN)
    let output = PlainOutput()
    var isOpen = true
    let session = PlainSession(commands, isQuiet: isQuiet, log: log) { line in
      do throws(PlainOutput.Closed) {
        if isOpen { try output.write(line) }
      } catch {
        log.error(.terminal, "The output was closed, so the session ends")
        isOpen = false
      }
    }
    if let problems { session.refuse(problems, .done) }
    await session.begin()

    let isTyped = isatty(STDIN_FILENO) == 1
    let input = LineInput(STDIN_FILENO)
    while isOpen, !session.hasEnded {
      do throws(PlainOutput.Closed) {
        if isTyped { try output.prompt(prompt) }
        if let line = await input.next() {
          await session.handle(line)
        } else {
          // The shell's prompt starts on its own line.
          if isTyped { try output.prompt("\n") }
          session.end()
        }
      } catch {
        isOpen = false
      }
    }
    await session.finish()
    let worst = isTyped ? ExitStatus.done : session.status
    return (isOpen ? worst : worst.worse(.failed)).rawValue
  }
}
