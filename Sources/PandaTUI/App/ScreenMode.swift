internal import FoundationEssentials
internal import PandaCore
package import PandaSession
internal import Pantry
internal import TerminalKit

/// `panda` without a command: the program on the screen.
@MainActor
package enum ScreenMode {
  /// Runs the program on the screen; returns the exit status.
  ///
  /// - Parameter request: a picture frame to begin with.
  package static func run(
    _ session: Session, as request: SlideshowRequest? = nil
  ) async -> ExitStatus {
    let (remembered, output) = (session.remembered, session.output)
    do {
      guard Screen.isTerminal else { throw Screen.Failure.notATerminal }
      try session.checkTerminal()
      let frame =
        if let request { try await session.frame(request) } else { SlideshowRequest?.none }
      // At a first launch there is a panda to see as soon as there is a screen.
      let sketch =
        remembered.lastLaunch.wrappedValue == nil && frame == nil
        ? Task { [controller = session.sources.controller(session.library)] in
          try? await controller.sketchFallback()  // the drawing reports it
        } : nil
      HandoverFiles.own.removeAbandoned()
      // The stores begin to load while the terminal is queried.
      _ = session.controller
      await Task.yield()
      let app = try await session.runOnScreen { (terminal, display) throws(TerminalError) in
        remember(terminal, remembered.terminals)
        return try PandaApp(
          session, terminal, sketch: sketch, frame: frame, on: display, clock: SystemClock())
      }
      if let lost = await app.context.loss() { output.fail(CommandFailure(lost, .storage)) }
    } catch let failure as Screen.Failure {
      output.fail(CommandFailure("\(failure) panda --plain works here", .usage))
    } catch let failure as CommandFailure {
      output.fail(failure)
    } catch {
      // The message belongs on the shell's screen.
      output.fail(CommandFailure(userMessage(for: error), .failed, cause: error))
    }
    await session.close()
    return output.status
  }

  /// Remembers what a terminal has answered, for greetings; nothing is written if that is known.
  private static func remember(
    _ terminal: DetectedTerminal, _ terminals: StoredValue<KnownTerminals>
  ) {
    var known = terminals.wrappedValue
    known.record(terminal.profile)
    if known != terminals.wrappedValue { terminals.set(known) }
  }
}
