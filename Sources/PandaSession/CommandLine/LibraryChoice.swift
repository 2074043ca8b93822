package import PandaCore

package enum LibraryChoice: Hashable, Sendable {
  /// On this machine: in the data directory.
  case local
  /// On a PostgreSQL server, shared with others.
  case server(LibraryAddress)

  package static let accepted = "an address such as postgresql://user@host/database, or local"

  /// Parses the value of `--library`, or of the corresponding setting.
  ///
  /// - Parameter option: the option or setting with the value, for the error.
  package init(argument: String, of option: String = "--library") throws(UsageError) {
    if argument == "local" {
      self = .local
    } else if let address = LibraryAddress(argument), argument.utf8.count <= 4096,
      !argument.utf8.contains(0)
    {
      self = .server(address)
    } else {
      // Not quoted: it may hold a password.
      throw UsageError(problem: "\(option) takes \(Self.accepted)")
    }
  }

  /// The place of the library, for the user, without a password.
  package var place: String {
    switch self {
    case .local: "local"
    case .server(let address): address.place
    }
  }

  /// Warns of a password in an option of the command line; nil if there is none.
  package func warning(of option: String) -> String? {
    guard case .server(let address) = self, address.hasPassword else { return nil }
    return "everyone on this machine can see the password in \(option) while panda runs; put it "
      + "into ~/.pgpass"
  }
}
