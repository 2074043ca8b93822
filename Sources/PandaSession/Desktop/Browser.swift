package import FoundationEssentials
package import PandaCore
package import TerminalKit

/// Opens web pages in the user's browser, with xdg-open(1).
package enum Browser {
  package enum Decision: Hashable, Sendable {
    case open(WebAddress)
    /// The browser would open on another computer than the user's: copy the address instead.
    case copy(WebAddress)
    /// The address is none of the web, or is private, or has a password.
    case refuse
  }

  package enum Outcome: Hashable, Sendable {
    case opened
    /// xdg-open is not installed.
    case notInstalled
    /// It exited with this status: a number above 128 stands for a signal.
    case failed(Int32)

    /// One user message, without a period.
    package var sentence: String {
      switch self {
      case .opened: "Opened in the browser"
      case .notInstalled: "xdg-open is not installed: copy the address instead"
      // xdg-open's own exit statuses (man 1 xdg-open): a tool is missing, the action failed.
      case .failed(3): "No browser is installed: copy the address instead"
      case .failed(let status):
        "The browser did not open (xdg-open ended with \(status)): copy the address instead"
      }
    }
  }

  /// Decides how to open a page.
  ///
  /// - Parameter named: the user's own sources, whose hosts may be private.
  package static func decision(
    for url: URL, named: [URL], environment: TerminalEnvironment
  ) -> Decision {
    guard let address = WebAddress(url, named: named) else { return .refuse }
    return environment.isRemote ? .copy(address) : .open(address)
  }

  /// Opens the page and returns the result, off the main actor.
  ///
  /// Some versions of xdg-open become the browser: one that outlasts the timeout has opened it, and
  /// is reaped when it ends.
  ///
  /// - Parameter searchPath: where to look for xdg-open; nil means PATH.
  package static func open(
    _ address: WebAddress, searchPath: SearchPath? = nil, patience: Duration = .seconds(3)
  ) async -> Outcome {
    var program = ChildProgram(arguments: ["xdg-open", address.description])
    if let searchPath { program.searchPath = searchPath }
    return switch await program.run(patience: patience, then: .leave) {
    case .exited(0), .running: .opened
    case .exited(let status): .failed(status)
    case .signalled(let signal): .failed(128 + signal)
    case .notFound: .notInstalled
    case .notStarted: .failed(126)  // what a shell says of a program that cannot be run
    }
  }
}
