internal import FoundationEssentials
internal import Glibc
internal import PandaCore
internal import Pantry
internal import SystemSupport
internal import TerminalKit

@main
@MainActor
enum Panda {
  static func main() async {
    // Before anything else is opened.
    Descriptors.occupyStandard()
    Memory.returnLargeBlocks()
    Screen.useLocale()
    if let reason = Shortage.begin() {
      Output.warn("panda: \(reason).")
      Session.leave(.failed)
    }
    do {
      try ForeignBytes.refuse()
      switch try Invocation(arguments: Array(CommandLine.arguments.dropFirst())) {
      case .help(let subcommand):
        Session.leave(Output().show(subcommand.map { HelpText().text(of: $0) } ?? HelpText().text))
      case .version(let isVerbose):
        Session.leave(Output().show((isVerbose ? Version.details : Version.name) + "\n"))
      case .run(let options, let run):
        // A reader that is gone is an error to handle, after pending changes have been stored.
        signal(SIGPIPE, SIG_IGN)
        try await perform(run, options)
      }
    } catch {
      Output.warn("\(error)")
      Session.leave((error as? UnknownSetting)?.status ?? .usage)
    }
  }

  /// Performs what the command line asks for, and ends the program.
  private static func perform(_ run: Run, _ options: Options) async throws -> Never {
    switch run {
    case .text(let text): Session.leave(Output().show(text))
    case .session(let use, let body):
      let session = try Session(options, for: use)
      Session.leave(await session.run(body), session.log)
    case .pick(let request):
      Shortage.endSoon()
      let session = try Session(options, for: .favorites)
      Session.leave(await PickCommand(request: request, session: session).run(), session.log)
    case .program where options.plain:
      Shortage.endSoon()
      let session = try Session(options, for: .sources, saysTo: .lines)
      Session.leave(await PlainMode.run(session), session.log)
    case .program:
      Shortage.endSoon()
      let session = try Session(options, for: .sources, saysTo: .screen)
      Session.leave(await runScreen(session), session.log)
    }
  }

  /// Runs the program on the screen; returns the exit status.
  private static func runScreen(_ session: Session) async -> ExitStatus {
    let (remembered, output) = (session.remembered, session.output)
    do {
      guard Screen.isTerminal else { throw Screen.Failure.notATerminal }
      try session.checkTerminal()
      // At a first launch there is a panda to see as soon as there is a screen.
      let sketch =
        remembered.lastLaunch.wrappedValue == nil
        ? Task { [controller = session.sources.controller(session.library)] in
          try? await controller.sketchFallback()  // the drawing reports it
        } : nil
      HandoverFiles.own.removeAbandoned()
      // The stores begin to load while the terminal is queried.
      _ = session.controller
      await Task.yield()
      let app = try await session.runOnScreen { (terminal, display) throws(TerminalError) in
        remember(terminal, remembered.terminals)
        return try PandaApp(session, terminal, sketch: sketch, on: display, clock: SystemClock())
      }
      if let lost = await app.context.loss() { output.fail(CommandFailure(lost, .storage)) }
    } catch let failure as Screen.Failure {
      output.fail(CommandFailure("\(failure) panda --plain works here", .usage))
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
