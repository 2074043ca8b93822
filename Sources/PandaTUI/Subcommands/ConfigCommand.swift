internal import FoundationEssentials
internal import TerminalKit

/// Implements `panda config`.
enum ConfigCommand {
  /// Performs the request, and returns the exit status.
  static func run(_ request: ConfigRequest, _ settings: Settings) -> Int32 {
    switch request {
    case .path: return StandardOutput.print("\(settings.file.path)\n")
    case .print: return StandardOutput.print(settings.configuration.json5)
    case .check:
      for problem in settings.problems + settings.retired {
        StandardError.print("panda: \(problem)".sanitized(upTo: 500))
      }
      guard settings.problems.isEmpty else { return ExitStatus.failed.rawValue }
      let path = settings.file.path.sanitized(upTo: 1_000)
      return StandardOutput.print(
        settings.isFileFound
          ? "\(path): all settings can be used\n"
          : "There is no \(path); all settings are standard\n")
    }
  }
}
