internal import FoundationEssentials
internal import TerminalKit

/// Opens web pages in the person's browser, by xdg-open(1).
enum Browser {
  /// What to do with an address.
  enum Decision: Hashable, Sendable {
    case open(WebAddress)
    /// The browser of this computer is not in front of the person: copy the address instead.
    case copy(WebAddress)
    /// Say this.
    case refuse(String)
  }

  /// What came of opening.
  enum Outcome: Hashable, Sendable {
    case opened
    /// There is no xdg-open.
    case notInstalled
    /// It ended with this status: a number above 128 stands for a signal.
    case failed(Int32)

    /// One calm sentence without a full stop.
    var sentence: String {
      switch self {
      case .opened: "Opened in the browser"
      case .notInstalled: "There is no xdg-open here: copy the address instead"
      // Its own numbers (man 1 xdg-open): a tool is missing, the action failed.
      case .failed(3): "There is no browser here: copy the address instead"
      case .failed(let status):
        "The browser did not open (xdg-open ended with \(status)): copy the address instead"
      }
    }
  }

  /// Decides what to do when a page is to be opened.
  static func decision(for url: URL, environment: TerminalEnvironment) -> Decision {
    guard let address = WebAddress(url) else { return .refuse("It has no address on the web") }
    return environment.isRemote ? .copy(address) : .open(address)
  }

  /// Opens the page and returns what came of it, off the main actor.
  ///
  /// Some versions of xdg-open become the browser: one that runs longer than the patience has
  /// opened it, and is reaped when it ends.
  ///
  /// - Parameter searchPath: where xdg-open is looked for; nil stands for PATH.
  static func open(
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
