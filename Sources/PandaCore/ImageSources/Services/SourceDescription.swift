package import FoundationEssentials
internal import Pantry

/// Describes a service that answers in JSON: its address, and where in an answer the pictures are.
///
/// It is data, whether it is built in or the person's own. Nothing in it can run a command, name a
/// file or set a header: it says where to send a GET and what to read in the answer.
package struct SourceDescription: Hashable, Sendable {
  /// What it is called on the command line: lowercase letters, digits, dots and hyphens.
  package var name: String
  /// What the card shows, such as `Wikimedia Commons`.
  package var label: String
  /// Where a person reads about the service.
  package var homePage: URL?
  /// The addresses that are asked for a list, in turn.
  package var addresses: [URL]
  /// Whether the person named the addresses: they may then be plain http, and private.
  package var isNamedByUser: Bool
  /// The way from an answer to its entries: each step names a list.
  ///
  /// Without a step the answer is the only entry.
  package var list: [JSONPointer] = []
  /// Where the picture's address is; of several pointers the first that finds a text counts.
  package var picture: [JSONPointer]
  /// Where the title is.
  package var title: [JSONPointer] = []
  /// Where the maker's name is.
  package var credit: [JSONPointer] = []
  /// Where the name or the code of the license is.
  package var license: [JSONPointer] = []
  /// Where the version of the license is, if its name does not have it.
  package var licenseVersion: [JSONPointer] = []
  /// Where the address of the page about the picture is.
  package var page: [JSONPointer] = []
  /// Where the picture's width in pixels is.
  package var width: [JSONPointer] = []
  /// Where its height is.
  package var height: [JSONPointer] = []
  /// Where its MIME type is.
  package var type: [JSONPointer] = []
  /// A text in the picture's address that another takes the place of.
  package var replacement: Replacement?
  /// Whether the picture's address may be relative to the answer's.
  package var allowsRelativeAddresses = false
  /// Whether title and credit are HTML.
  package var isHTML = false
  /// Whether pictures without an open license are left out.
  package var requiresOpenLicense: Bool
  /// How the next list is asked for; nil asks for the same again.
  package var paging: Paging?
  /// How often it may be asked.
  package var limits = Limits()
  /// How often it has its turn among others; 0 only when none of the others has a picture.
  package var weight = 1

  /// A text and the one that takes its place.
  package struct Replacement: Hashable, Sendable {
    /// What is looked for, from the end of the address; it counts once.
    package var text: String
    /// What takes its place.
    package var other: String
  }

  /// How the next list is asked for.
  package enum Paging: Hashable, Sendable {
    /// A parameter of the query counts pages from `first` to `last`, and begins again.
    case number(parameter: String, first: Int, last: Int)
    /// A parameter takes a text that the answer gives at a pointer.
    case token(JSONPointer, parameter: String)
    /// All members of the object at a pointer are parameters (MediaWiki's `continue`).
    case members(JSONPointer)
  }

  /// How often a service may be asked.
  package struct Limits: Hashable, Sendable {
    /// The most requests in a minute, for lists, and for pictures on the same host.
    package var requestsPerMinute = 60
    /// The most requests at a time.
    package var connections = 2
    /// The most lists in an hour, over all launches of the program.
    package var listsPerHour = 60
  }

  /// Whether its answers say under which license pictures are.
  package var hasLicense: Bool { !license.isEmpty }

  /// Creates a description of what an address may answer, by the names that such services use.
  ///
  /// Nil if it is no http or https address.
  package init?(guessedFor address: String) {
    guard let url = Self.address(address), let host = url.host() else { return nil }
    name = host
    label = host
    addresses = [url]
    isNamedByUser = true
    picture = ["/url", "/image", "/link", "/loc", "/picture", "/src", "/message"].compactMap {
      JSONPointer($0)
    }
    title = ["/title", "/name"].compactMap { JSONPointer($0) }
    credit = ["/credit", "/creator", "/author", "/attribution"].compactMap { JSONPointer($0) }
    license = ["/license", "/license_code"].compactMap { JSONPointer($0) }
    page = ["/page", "/uri", "/link"].compactMap { JSONPointer($0) }
    allowsRelativeAddresses = true
    requiresOpenLicense = false
  }

  /// Reads an http or https address with a host and without a user's name; nil for anything else.
  ///
  /// libcurl, which is loaded with the first request, judges it again then.
  static func address(_ text: String) -> URL? {
    guard text.utf8.count <= HTTPLimits().addressBytes,
      let url = URL(string: text, encodingInvalidCharacters: false),
      let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
      let host = url.host(), !host.isEmpty, url.user == nil, url.password == nil
    else { return nil }
    return url
  }

  /// Differs where two descriptions do; the same in every launch.
  var fingerprint: String {
    // What Swift prints of a value names all that is in it.
    String(ContentDigest(of: Data("\(self)".utf8)).hexadecimal.prefix(32))
  }

  /// The hosts that lists are asked at, and their ports, as errors name them.
  var hosts: Set<String> {
    Set(
      addresses.compactMap { address in
        guard let host = address.host()?.lowercased() else { return nil }
        let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        let standard = address.scheme?.lowercased() == "http" ? 80 : 443
        return address.port.flatMap { $0 == standard ? nil : "\(name):\($0)" } ?? name
      })
  }

  /// Returns the description with other addresses, as if the person had named them.
  package func at(_ addresses: [URL]) -> SourceDescription {
    var copy = self
    copy.addresses = addresses
    copy.isNamedByUser = true
    return copy
  }
}

/// Says what is wrong with a description.
package struct SourceDescriptionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The member that is wrong; nil where it is the whole.
  package let member: String?
  /// The end of a sentence that begins with the member: "must be true or false".
  package let problem: String

  /// A sentence without a full stop.
  package var description: String { member.map { "\"\($0)\" \(problem)" } ?? problem }
}
