package import FoundationEssentials
internal import Pantry

/// Describes a service with a JSON API: its address, and where in a reply the pictures are.
///
/// It is data, whether built in or written by the user. Nothing in it can run a command, name a
/// file or set a header: it says where to send a GET and what to read in the reply.
package struct SourceDescription: Hashable, Sendable {
  /// The name on the command line: lowercase letters, digits, dots and hyphens.
  package var name: String
  /// The displayed name, such as `Wikimedia Commons`.
  package var label: String
  package var homePage: URL?
  /// The addresses of its lists, used in turn.
  package var addresses: [URL]
  /// The addresses of the lists that follow an answer of the others with an error, with nothing or
  /// with a warning; ``paging`` is theirs then.
  package var fallback: [URL] = []
  /// The parameter that lets a list of ``fallback`` begin at a random letter.
  package var start: String?
  /// The path from a reply to a warning that it is not complete.
  package var warning: [JSONPointer] = []
  /// Whether the user named the addresses: they may then be plain http, and private.
  package var isNamedByUser: Bool
  /// The path from a reply to its entries: each step names a list.
  ///
  /// Without steps the reply is the only entry.
  package var list: [JSONPointer] = []
  /// The path to the picture's address; the first of several pointers that finds a text counts.
  package var picture: [JSONPointer]
  package var title: [JSONPointer] = []
  /// The path to a text about what the picture shows.
  package var about: [JSONPointer] = []
  /// The path to the author's name.
  package var credit: [JSONPointer] = []
  /// The path to the name or code of the license.
  package var license: [JSONPointer] = []
  /// The path to the license's version, if its name does not include it.
  package var licenseVersion: [JSONPointer] = []
  /// The path to the address of the page about the picture.
  package var page: [JSONPointer] = []
  /// The path to the service's own name of the picture, which stays when addresses change.
  package var identity: [JSONPointer] = []
  package var width: [JSONPointer] = []
  package var height: [JSONPointer] = []
  /// The path to its MIME type.
  package var type: [JSONPointer] = []
  /// A replacement to make in the picture's address.
  package var replacement: Replacement?
  /// Whether the picture's address may be relative to the reply's.
  package var allowsRelativeAddresses = false
  /// Whether title and credit are HTML.
  package var isHTML = false
  package var requiresOpenLicense: Bool
  /// The way to request the next list; nil requests the same one again.
  package var paging: Paging?
  package var limits = Limits()
  /// Its share of turns among other sources; 0 for a reserve, used only if no other has a picture.
  package var weight = 1

  package struct Replacement: Hashable, Sendable {
    /// The text to replace, at its last occurrence in the address.
    package var text: String
    /// The replacement.
    package var other: String
  }

  package enum Paging: Hashable, Sendable {
    /// A query parameter counts pages from `first` to `last`, then starts over.
    case number(parameter: String, first: Int, last: Int)
    /// A parameter takes a text from the reply, found at a pointer.
    case token(JSONPointer, parameter: String)
    /// All members of the object at a pointer become parameters (MediaWiki's `continue`).
    case members(JSONPointer)
  }

  package struct Limits: Hashable, Sendable {
    /// The maximum number of requests in a minute, for lists, and for pictures on the same host.
    package var requestsPerMinute = 60
    /// The same as long as the User-Agent has no contact, also for later launches; nil for no
    /// difference.
    package var withoutContact: Int?
    /// The domain whose hosts all count; nil for the service's own.
    package var domain: String?
    /// The maximum number of concurrent requests.
    package var connections = 2
    /// The maximum number of lists per hour, across launches of the program.
    package var listsPerHour = 60
  }

  /// Returns whether a picture counts towards the limits: on another host it does not.
  func counts(_ picture: URL) -> Bool {
    guard let host = picture.host()?.lowercased() else { return false }
    if let domain = limits.domain, host == domain || host.hasSuffix(".\(domain)") { return true }
    return addresses.contains { $0.host()?.lowercased() == host }
  }

  package var hasLicense: Bool { !license.isEmpty }

  /// The host of its first address, with the port that this names.
  package var host: String {
    let url = addresses[0]
    return (url.host()?.lowercased() ?? name) + (url.port.map { ":\($0)" } ?? "")
  }

  /// Guesses a description of an address's replies, from the member names usual for such services.
  ///
  /// Nil if it is not an http or https address.
  package init?(guessedFor address: String) {
    guard let url = Self.address(address) else { return nil }
    self.init(guessedFor: url)
  }

  /// Guesses a description of the replies of an http or https address that the user names.
  package init(guessedFor url: URL) {
    // The first fetch refuses an invalid address and reports why.
    let authority = try? HTTPAddress(url).authority
    name = authority ?? "source"
    label = name
    homePage = authority.flatMap { URL(string: "\(url.scheme ?? "https")://\($0)") }
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
    // The user knows how often a named address may be asked; a 429 is obeyed.
    limits.requestsPerMinute = 6000
    limits.connections = 6
  }

  /// Parses an http or https address with a host and without a user name; nil for anything else.
  ///
  /// libcurl, which is loaded with the first request, checks it again then.
  static func address(_ text: String) -> URL? {
    guard text.utf8.count <= HTTPLimits().addressBytes,
      let url = URL(string: text, encodingInvalidCharacters: false),
      let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
      let host = url.host(), !host.isEmpty, url.user == nil, url.password == nil
    else { return nil }
    return url
  }

  /// A fingerprint that differs between different descriptions, and is stable across launches.
  var fingerprint: String {
    // Swift's description of a value includes all of its contents.
    String(ContentDigest(of: Data("\(self)".utf8)).hexadecimal.prefix(32))
  }

  /// Returns the description with other addresses, as if the user had named them.
  package func at(_ addresses: [URL], fallback: [URL] = []) -> SourceDescription {
    var copy = self
    copy.addresses = addresses
    copy.fallback = fallback
    copy.isNamedByUser = true
    return copy
  }
}

package struct SourceDescriptionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The member with the problem; nil for the whole description.
  package let member: String?
  /// The end of a sentence that begins with the member: "must be true or false".
  package let problem: String

  /// A sentence without a full stop.
  package var description: String { member.map { "\"\($0)\" \(problem)" } ?? problem }
}
