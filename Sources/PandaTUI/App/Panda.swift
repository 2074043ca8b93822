internal import FoundationEssentials
internal import Glibc
internal import PandaCore
internal import Pantry
internal import SystemSupport
internal import TerminalKit

@main
@MainActor
enum Panda {
  /// The log of this run; off until the settings are known, and unless they ask for one.
  private static var log = Log.off
  /// The failure to write it, at most one.
  private static let logFailures = AsyncStream.makeStream(of: LogFileError.self)

  static func main() async {
    // Before anything else is opened.
    Descriptors.occupyStandard()
    Memory.returnLargeBlocks()
    Screen.useLocale()
    if let reason = Shortage.begin() {
      Output.warn("panda: \(reason).")
      leave(.failed)
    }
    do {
      try ForeignBytes.refuse()
      switch try Invocation(arguments: Array(CommandLine.arguments.dropFirst())) {
      case .help(let subcommand):
        leave(Output().show(subcommand.map { HelpText().text(of: $0) } ?? HelpText().text))
      case .version(let isVerbose):
        leave(Output().show((isVerbose ? Version.details : Version.name) + "\n"))
      case .run(let options, let run):
        // A reader that is gone is an error to handle, after pending changes have been stored.
        signal(SIGPIPE, SIG_IGN)
        leave(try await perform(run, options))
      }
    } catch {
      Output.warn("\(error)")
      leave((error as? UnknownSetting)?.status ?? .usage)
    }
  }

  /// Performs what the command line asks for; returns the exit status.
  private static func perform(_ run: Run, _ options: Options) async throws -> ExitStatus {
    switch run {
    case .text(let text): return Output().show(text)
    case .session(let use, let body):
      let settings = try settings(options, to: use)
      return await session(options, settings, fetches: use == .sources).run(body)
    case .pick(let request):
      Shortage.endSoon()
      let settings = try settings(options)
      return await PickCommand(request: request, session: session(options, settings)).run()
    case .program:
      Shortage.endSoon()
      let settings = try settings(options, to: .sources, tells: false, onScreen: !options.plain)
      guard options.plain else { return await runScreen(session(options, settings, fetches: true)) }
      let session = session(options, settings, inLines: true, fetches: true)
      return await PlainMode.run(
        session, problems: settings.untold(session.remembered.retiredSettings).summary)
    }
  }

  /// Makes the session of a run.
  ///
  /// - Parameter fetches: whether pictures come from the sources that the user has chosen.
  private static func session(
    _ options: Options, _ settings: Settings, inLines: Bool = false, fetches: Bool = false
  ) -> Session {
    Session(
      options, settings, output: Output(inLines: inLines, log: log),
      library: { _ in library(options, settings.configuration) },
      sources: { fetches ? sources($0) : PictureSources(BambooGroveSource(), fallback: nil) })
  }

  /// Ends the program.
  ///
  /// Does not use `exit`, which tears down state of OpenSSL and other libraries while our threads
  /// may still read, hash or decode. That has caused a crash after the screen was restored.
  private static func leave(_ status: ExitStatus) -> Never {
    log.notice(.program, "Ends with status \(status.rawValue)")
    fflush(nil)
    TerminalGuard.exit(status.rawValue)
  }

  /// Opens the screen, runs the program, restores the screen; returns the exit status.
  private static func runScreen(_ session: Session) async -> ExitStatus {
    guard Screen.isTerminal else { return refuse(.notATerminal) }
    let environment = session.environment
    // Before ncurses and the guard write control codes.
    if environment.isDumb {
      let name = environment.term
      return refuse(name.isEmpty ? .unknownTerminal("") : .cannotMoveCursor(environment.shownTerm))
    }
    let (configuration, remembered) = (session.configuration, session.remembered)
    let (library, sources) = (session.library, session.sources)
    // At a first launch there is a panda to see as soon as there is a screen.
    let sketch =
      remembered.lastLaunch.wrappedValue == nil
      ? Task { [controller = sources.controller(library)] in
        try? await controller.sketchFallback()  // the drawing reports it
      } : nil
    HandoverFiles.own.removeAbandoned()
    // The stores begin to load while the terminal is queried.
    await Task.yield()
    do {
      let app = try await ScreenSession.run(configuration, log: log) {
        (terminal, display) throws(TerminalError) in
        remember(terminal, remembered.terminals)
        var parts = CommandContext.Parts(
          library: library, sources: sources, thumbnails: ThumbnailCache(),
          configuration: configuration, remembered: remembered, terminal: terminal)
        parts.previews = PreviewCache()
        parts.sketch = sketch
        parts.log = log
        parts.logFailures = logFailures.stream
        parts.settingsIgnored = session.settings.untold(remembered.retiredSettings)
        return try PandaApp(parts, on: display, clock: SystemClock())
      }
      if let lost = await app.context.loss() {
        log.error(.storage, lost)
        Output.warn("panda: \(lost).".sanitized(upTo: 500))
        await session.close()
        return .storage
      }
    } catch let failure as Screen.Failure {
      return refuse(failure)
    } catch {
      // The message belongs on the shell's screen.
      log.error(Log.Area(of: error), "No screen: \(technicalCause(of: error))")
      Output.warn("panda: \(userMessage(for: error)).")
      return .failed
    }
    await session.close()
    return .done
  }

  /// Remembers what a terminal has answered, for greetings; nothing is written if that is known.
  private static func remember(
    _ terminal: DetectedTerminal, _ terminals: StoredValue<KnownTerminals>
  ) {
    var known = terminals.wrappedValue
    known.record(terminal.profile)
    if known != terminals.wrappedValue { terminals.set(known) }
  }

  /// Opens the sources that the settings name; ends the program if a folder cannot be read.
  private static func sources(_ session: Session) -> PictureSources {
    do {
      return try PictureSources(
        session.configuration, library: session.library, client: session.client,
        disabled: session.remembered.disabledSources.wrappedValue, log: log)
    } catch {
      log.error(.storage, technicalCause(of: error))
      Output.warn("panda: \(error.description.sanitized(upTo: 300)).")
      leave(error.code == ENOENT ? .notFound : .failed)
    }
  }

  /// Reads the user's settings from the configuration file and the command line.
  ///
  /// - Parameters:
  ///   - use: what the command opens; nil for nothing.
  ///   - tells: whether the problems are reported here.
  ///   - onScreen: whether a failure of the log can be shown on the screen.
  /// - Throws: `UsageError`, or ``UnknownSetting``.
  private static func settings(
    _ options: Options, to use: Settings.Use? = .favorites, tells: Bool = true,
    onScreen: Bool = false
  ) throws -> Settings {
    let settings = try Settings(options, environment: ProcessInfo.processInfo.environment)
    if options.log { beginLog(settings, onScreen: onScreen) }
    if let obstacle = use.flatMap({ settings.obstacle(to: $0) }) { throw obstacle }
    if use != nil, tells, let summary = settings.problems.summary {
      Output.warn("panda: \(summary.withPeriod)")
    }
    return settings
  }

  private static func beginLog(_ settings: Settings, onScreen: Bool) {
    let file = LogFile { [failures = logFailures.continuation] failure in
      if onScreen {
        failures.yield(failure)
      } else {
        Output.warn("panda: \(failure).".sanitized(upTo: 500))
      }
    }
    log = file.log
    let words = CommandLine.arguments.dropFirst().joined(separator: " ")
    log.notice(.program, "\(Version.name) begins with the arguments: \(words)")
    for problem in settings.problems { log.error(.config, "\(problem)") }
    for setting in settings.retired { log.notice(.config, "\(setting)") }
  }

  /// Opens the library that the settings name; ends the program if that is impossible.
  private static func library(_ options: Options, _ configuration: Configuration) -> ImageLibrary {
    // Every change needs digests; without them the program would end in the middle of one.
    if let reason = ContentDigest.reasonUnavailable {
      Output.warn("panda: \(reason).")
      leave(.failed)
    }
    if let warning = options.library?.warning(of: "--library") {
      Output.warn("panda: \(warning).")
    }
    do {
      return try LibraryOpening(
        configuration: configuration, dataDirectory: options.dataDirectory
      ).library()
    } catch {
      log.error(.storage, technicalCause(of: error))
      Output.warn("panda: \(userMessage(for: error)).")
      leave(ExitStatus(for: error))
    }
  }

  private static func refuse(_ failure: Screen.Failure) -> ExitStatus {
    log.error(.terminal, "\(failure)")
    Output.warn("panda: \(failure) panda --plain works here.")
    return .usage
  }
}
