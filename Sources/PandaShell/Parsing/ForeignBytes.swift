internal import Glibc
package import PandaSession

/// Refuses arguments and base directories that are not UTF-8.
///
/// Swift's text would repair them, and so name other files and directories.
package enum ForeignBytes {
  private static let variables = [
    "HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME",
  ]

  /// - Throws: `UsageError` with the name of the variable, or the number of the argument.
  package static func refuse() throws(UsageError) {
    for name in variables {
      if let value = getenv(name), String(validatingCString: value) == nil {
        throw UsageError(problem: "\(name) is not UTF-8 text")
      }
    }
    for number in 0..<Int(CommandLine.argc) {
      if let value = CommandLine.unsafeArgv[number], String(validatingCString: value) == nil {
        throw UsageError(problem: "argument \(number) is not UTF-8 text")
      }
    }
  }
}
