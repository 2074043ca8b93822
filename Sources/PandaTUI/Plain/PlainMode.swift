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
  ///   - log: receives what happens, with every cause.
  ///   - open: opens the session with its output; returns also the problems in its settings.
  static func run(
    log: Log, opening open: (CommandOutput) throws -> (session: Session, problems: String?)
  ) async rethrows -> ExitStatus {
    let output = PlainOutput()
    var isOpen = true
    let (session, problems) = try open(
      CommandOutput(log: log) { line in
        do throws(PlainOutput.Closed) {
          if isOpen { try output.write(line) }
        } catch {
          log.error(.terminal, "The output was closed, so the session ends")
          isOpen = false
        }
      })
    let conversation = Conversation(session, isQuiet: session.options.quiet)
    if let problems { conversation.refuse(problems, .done) }
    await conversation.begin()

    let isTyped = isatty(STDIN_FILENO) == 1
    let input = LineInput(STDIN_FILENO)
    while isOpen, !conversation.hasEnded {
      do throws(PlainOutput.Closed) {
        if isTyped { try output.prompt(prompt) }
        if let line = await input.next() {
          await conversation.handle(line)
        } else {
          // The shell's prompt starts on its own line.
          if isTyped { try output.prompt("\n") }
          conversation.end()
        }
      } catch {
        isOpen = false
      }
    }
    await conversation.finish()
    let worst = isTyped ? ExitStatus.done : conversation.status
    return isOpen ? worst : worst.worse(.failed)
  }
}
