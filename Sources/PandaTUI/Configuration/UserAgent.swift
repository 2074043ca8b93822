internal import PandaCore

/// What the program calls itself to servers.
enum UserAgent {
  /// Where servers' operators can reach the project: the one place to change.
  ///
  /// Services such as Wikimedia's refuse programs that do not say whom to talk to.
  static let contact = "https://panda.example/"

  /// The value of the HTTP header User-Agent.
  ///
  /// - Parameter contact: where its user can be reached, instead of the project.
  static func text(contact: String?) -> String {
    "panda/\(Version.number) (\(contact ?? Self.contact)) libcurl/\(HTTPClient.libraryVersion)"
  }
}
