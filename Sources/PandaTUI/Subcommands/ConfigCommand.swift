internal import FoundationEssentials
internal import TerminalKit

enum ConfigCommand {
  /// Performs the request, and returns the exit status.
  static func run(_ request: ConfigRequest, _ settings: Settings) -> Int32 {
    switch request {
    case .path: return StandardOutput.print("\(settings.file.path)\n")
    case .print: return StandardOutput.print(settings.configuration.json5)
    }
  }
}
