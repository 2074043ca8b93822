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
      StandardError.print("panda: \(reason).")
      leave(ExitStatus.failed.rawValue)
    }
    do {
      try ForeignBytes.refuse()
      switch try Invocation(arguments: Array(CommandLine.arguments.dropFirst())) {
      case .help(let subcommand):
        leave(StandardOutput.print(subcommand.map { HelpText().text(of: $0) } ?? HelpText().text))
      case .version(let isVerbose):
        leave(StandardOutput.print((isVerbose ? Version.details : Version.name) + "\n"))
      case .completions(let shell): leave(StandardOutput.print(shell.completions()))
      case .manual(let page): leave(StandardOutput.print(page.source()))
      case .session(.help(let word)):
        leave(StandardOutput.print(try HelpText().text(about: word)))
      // The table of the shell has no others.
      case .session: leave(StandardOutput.print(HelpText().text))
      case .run(let options):
        Shortage.endSoon()
        let settings = try settings(
          options, to: .sources, tells: false, onScreen: !options.plain)
        leave(await run(options, settings))
      case .doctor(let options) where options.check:
        let settings = try settings(options, to: .library)
        leave(await Doctor.check(options, settings.configuration))
      case .doctor(let options): leave(Doctor.run(options, try settings(options, to: nil)))
      case .sources(let options, let request):
        let configuration = try settings(options, to: .sources).configuration
        let library = library(options, configuration)
        let status = await SourcesCommand.run(
          request, asJSON: options.json, configuration, library: library, log: log)
        await library.close()
        leave(status)
      case .library(let options, .show(let file, let asBytes)) where ShowCommand.isFile(file):
        leave(
          await ShowCommand.run(
            file, asBytes: asBytes, options, try settings(options).configuration, log: log
          ).rawValue)
      case .library(let options, .today(.greeting)):
        await GreetingCommand(
          options: options, configuration: try settings(options).configuration,
          environment: .current, now: { Date() }
        ).run()
        leave(ExitStatus.done.rawValue)
      case .library(let options, let request):
        var use = Settings.Use.favorites
        if case .fetch = request { use = .sources }
        let configuration = try settings(options, to: use).configuration
        if request == .watch { Shortage.endSoon() }
        leave(await run(request, options, configuration))
      case .pick(let options, let request):
        Shortage.endSoon()
        let configuration = try settings(options).configuration
        leave(
          await PickCommand(
            request: request, options: options, configuration: configuration, log: log,
            library: { library(options, configuration) }
          ).run().rawValue)
      case .config(let options, let request):
        let settings = try settings(options, to: request == .path ? nil : .sources)
        leave(ConfigCommand.run(request, settings))
      }
    } catch {
      StandardError.print("\(error)")
      leave((error as? UnknownSetting)?.status.rawValue ?? UsageError.exitStatus)
    }
  }

  /// Ends the program.
  ///
  /// Does not use `exit`, which tears down state of OpenSSL and other libraries while our threads
  /// may still read, hash or decode. That has caused a crash after the screen was restored.
  private static func leave(_ status: Int32) -> Never {
    log.notice(.program, "Ends with status \(status)")
    fflush(nil)
    TerminalGuard.exit(status)
  }

  /// Opens the screen, runs the program, restores the screen; returns the exit status.
  private static func run(_ options: Options, _ settings: Settings) async -> Int32 {
    if options.plain { return await runPlain(options, settings) }
    guard Screen.isTerminal else { return refuse(.notATerminal) }
    let environment = TerminalEnvironment.current
    // Before ncurses and the guard write control codes.
    if environment.isDumb {
      let name = environment.term
      return refuse(name.isEmpty ? .unknownTerminal("") : .cannotMoveCursor(environment.shownTerm))
    }
    // Writing to a closed terminal is an error to handle, not a reason to be killed.
    signal(SIGPIPE, SIG_IGN)
    let configuration = settings.configuration
    let client = UserAgent.client(configuration, log: log)
    let library = library(options, configuration)
    let remembered = Remembered()
    let sources: PictureSources
    do {
      sources = try PictureSources(
        configuration, library: library, client: client,
        disabled: remembered.disabledSources.wrappedValue, log: log)
    } catch {
      return refuse(error)
    }
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
        parts.settingsIgnored = settings.untold(remembered.retiredSettings)
        return try PandaApp(parts, on: display, clock: SystemClock())
      }
      if let lost = await app.context.loss() {
        log.error(.storage, lost)
        StandardError.print("panda: \(lost).".sanitized(upTo: 500))
        await client.close()
        return ExitStatus.storage.rawValue
      }
    } catch let failure as Screen.Failure {
      return refuse(failure)
    } catch {
      // The message belongs on the shell's screen.
      log.error(Log.Area(of: error), "No screen: \(technicalCause(of: error))")
      StandardError.print("panda: \(userMessage(for: error)).")
      return 1
    }
    await client.close()
    return 0
  }

  /// Remembers what a terminal has answered, for greetings; nothing is written if that is known.
  private static func remember(
    _ terminal: DetectedTerminal, _ terminals: StoredValue<KnownTerminals>
  ) {
    var known = terminals.wrappedValue
    known.record(terminal.profile)
    if known != terminals.wrappedValue { terminals.set(known) }
  }

  /// Runs the program in plain mode; returns the exit status.
  private static func runPlain(_ options: Options, _ settings: Settings) async -> Int32 {
    let client = UserAgent.client(settings.configuration, log: log)
    let library = library(options, settings.configuration)
    let remembered = Remembered()
    let sources: PictureSources
    do {
      sources = try PictureSources(
        settings.configuration, library: library, client: client,
        disabled: remembered.disabledSources.wrappedValue, log: log)
    } catch {
      return refuse(error)
    }
    let status = await PlainMode.run(
      CommandSession(
        controller: sources.controller(library), configuration: settings.configuration,
        options: options, remembered: remembered, output: CommandOutput(log: log),
        environment: .current, pictureFiles: PictureFileCache(),
        thumbnails: ThumbnailCache.standardDirectory, client: { client }, now: { Date() }),
      isQuiet: options.quiet, problems: settings.untold(remembered.retiredSettings).summary,
      log: log)
    await client.close()
    return status
  }

  /// Performs a command on the favorites; returns the exit status.
  private static func run(
    _ request: LibraryRequest, _ options: Options, _ configuration: Configuration
  ) async -> Int32 {
    // A reader that is gone is an error to handle, after pending changes have been stored.
    signal(SIGPIPE, SIG_IGN)
    let library = library(options, configuration)
    library.loadOnAllCores()
    let remembered = Remembered()
    var clients: [HTTPClient] = []
    let makeClient = { @MainActor in
      let client = UserAgent.client(configuration)
      clients.append(client)
      return client
    }
    let sources: PictureSources
    if case .fetch = request {
      do {
        sources = try PictureSources(
          configuration, library: library, client: makeClient(),
          disabled: remembered.disabledSources.wrappedValue)
      } catch {
        return refuse(error)
      }
    } else {
      // No other command fetches.
      sources = PictureSources(BambooGroveSource(), fallback: nil)
    }
    let session = CommandSession(
      controller: sources.controller(library), configuration: configuration, options: options,
      remembered: remembered, output: CommandOutput(log: log), environment: .current,
      pictureFiles: PictureFileCache(),
      thumbnails: ThumbnailCache.standardDirectory, client: makeClient, now: { Date() })
    let status = await session.run(request)
    for client in clients { await client.close() }
    return status.rawValue
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
      StandardError.print("panda: \(summary.withPeriod)")
    }
    return settings
  }

  private static func beginLog(_ settings: Settings, onScreen: Bool) {
    let file = LogFile { [failures = logFailures.continuation] failure in
      if onScreen {
        failures.yield(failure)
      } else {
        StandardError.print("panda: \(failure).".sanitized(upTo: 500))
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
      StandardError.print("panda: \(reason).")
      leave(ExitStatus.failed.rawValue)
    }
    if let warning = options.library?.warning(of: "--library") {
      StandardError.print("panda: \(warning).")
    }
    do {
      return try LibraryOpening(
        configuration: configuration, dataDirectory: options.dataDirectory
      ).library()
    } catch {
      log.error(.storage, technicalCause(of: error))
      StandardError.print("panda: \(userMessage(for: error)).")
      leave(ExitStatus(for: error).rawValue)
    }
  }

  /// Reports that a folder cannot be read; returns the exit status.
  private static func refuse(_ error: FolderError) -> Int32 {
    log.error(.storage, technicalCause(of: error))
    StandardError.print("panda: \(error.description.sanitized(upTo: 300)).")
    return error.code == ENOENT ? 5 : 1
  }

  private static func refuse(_ failure: Screen.Failure) -> Int32 {
    log.error(.terminal, "\(failure)")
    StandardError.print("panda: \(failure) panda --plain works here.")
    return UsageError.exitStatus
  }
}
