package import PandaCore
internal import Pantry

package enum UserAgent {
  /// When hosts may be asked, as all commands know it.
  package static var requestGates: RequestGates { RequestGates(in: .state(appendingPath: "panda")) }

  /// Creates a client that identifies itself to servers, and obeys their requests to wait.
  static func client(_ configuration: Configuration, log: Log = .off) -> HTTPClient {
    HTTPClient(userAgent: text(contact: configuration.contact), gates: requestGates, log: log)
  }

  /// Returns the value of the HTTP header User-Agent.
  ///
  /// - Parameter contact: where the user can be reached, instead of the project.
  static func text(contact: String?) -> String {
    "panda/\(Version.number) (\(contact ?? Project.contact)) libcurl/\(HTTPClient.libraryVersion)"
  }
}
