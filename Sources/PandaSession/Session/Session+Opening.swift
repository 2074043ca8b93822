internal import FoundationEssentials
internal import Glibc
package import PandaCore
internal import Pantry
internal import TerminalKit

extension Session {
  /// Who sees what the session says.
  package enum Audience { case command, lines, screen }

  /// Opens a session as the command line and the configuration file say.
  ///
  /// - Parameter use: what must be known of the settings; nil for nothing.
  /// - Throws: `UsageError`, or ``UnknownSetting``.
  package convenience init(
    _ options: Options, for use: Settings.Use?, saysTo audience: Audience = .command
  ) throws {
    let settings = try Settings(options, environment: ProcessInfo.processInfo.environment)
    let (failures, continuation) = AsyncStream.makeStream(of: FileError.self)
    var log = Log.off
    if options.log {
      log = Self.beginLog(settings) { failure in
        if audience == .screen {
          continuation.yield(failure)
        } else {
          Output.warn("panda: The log is not written: \(userMessage(for: failure)).")
        }
      }
    }
    if let obstacle = use.flatMap({ settings.obstacle(to: $0) }) { throw obstacle }
    self.init(
      options, settings, output: Output(inLines: audience == .lines, log: log),
      logFailures: failures
    ) { session in
      // Every change needs digests; without them the program would end in the middle of one.
      if let reason = ContentDigest.reasonUnavailable { throw CommandFailure(reason, .failed) }
      if let warning = options.library?.warning(of: "--library") {
        session.output.fail(CommandFailure(warning, .done))
      }
      return try session.opening.library()
    } sources: { session in
      // What fetches nothing needs none.
      guard use == .sources else { return PictureSources(BambooGroveSource(), fallback: nil) }
      do throws(FileError) {
        return try PictureSources(
          session.configuration, library: session.library, client: session.client,
          disabled: session.remembered.disabledSources.wrappedValue, log: session.log)
      } catch {
        throw CommandFailure(
          userMessage(for: error), error.code == ENOENT ? .notFound : .failed, cause: error)
      }
    }
    if use != nil, audience == .command, let summary = settings.problems.summary {
      output.fail(CommandFailure(summary, .done))
    }
  }

  private static func beginLog(
    _ settings: Settings, onFailure: @escaping @Sendable (FileError) -> Void
  ) -> Log {
    let log = LogFile(onFailure: onFailure).log
    let words = CommandLine.arguments.dropFirst().joined(separator: " ")
    log.notice(.program, "\(Version.name) begins with the arguments: \(words)")
    for problem in settings.problems { log.error(.config, "\(problem)") }
    for setting in settings.retired { log.notice(.config, "\(setting)") }
    return log
  }

  /// Ends the program.
  ///
  /// Does not use `exit`, which tears down state of OpenSSL and other libraries while our threads
  /// may still read, hash or decode. That has caused a crash after the screen was restored.
  package static func leave(_ status: ExitStatus, _ log: Log = .off) -> Never {
    log.notice(.program, "Ends with status \(status.rawValue)")
    fflush(nil)
    TerminalGuard.exit(status.rawValue)
  }
}
