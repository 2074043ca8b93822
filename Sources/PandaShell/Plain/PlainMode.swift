internal import FoundationEssentials
internal import Glibc
package import PandaSession
internal import Pantry
internal import TerminalKit

/// `panda --plain`: a session on standard input and output.
@MainActor
package enum PlainMode {
  /// The prompt before the line that the user types.
  private static let prompt = "panda> "

  /// Greets the user, performs the commands one after another, and returns the exit status.
  ///
  /// In a pipe that is the worst status of all commands; an interactive user has read about
  /// failures. It is at least 1 if the output has no reader.
  package static func run(_ session: Session) async -> ExitStatus {
    let output = session.output
    let conversation = Conversation(session, isQuiet: session.options.quiet)
    let problems = session.settings.untold(session.remembered.retiredSettings)
    if let summary = problems.summary { conversation.refuse(summary, .done) }
    await conversation.begin()

    let isTyped = isatty(STDIN_FILENO) == 1
    if isTyped, output.isTerminal {
      conversation.window = { TerminalWindow(of: output.data).size }
    }
    let input = LineInput(STDIN_FILENO)
    while !output.isClosed, !conversation.hasEnded {
      if isTyped { output.prompt(prompt) }
      if let line = await input.next() {
        await conversation.handle(line)
      } else {
        // The shell's prompt starts on its own line.
        if isTyped { output.prompt("\n") }
        conversation.end()
      }
    }
    await conversation.finish()
    await session.close()
    let worst = isTyped ? ExitStatus.done : conversation.status
    return output.isClosed ? worst.worse(.failed) : worst
  }
}
