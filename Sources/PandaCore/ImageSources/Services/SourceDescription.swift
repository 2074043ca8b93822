public import FoundationEssentials
internal import Pantry

/// Describes a service that answers in JSON: its address, and where in an answer the pictures are.
///
/// It is data, whether it is built in or the person's own. Nothing in it can run a command, name a
/// file or set a header: it says where to send a GET and what to read in the answer.
public struct SourceDescription: Hashable, Sendable {
  /// What it is called on the command line: lowercase letters, digits, dots and hyphens.
  public var name: String
  /// What the card shows, such as `Wikimedia Commons`.
  public var label: String
  /// Where a person reads about the service.
  public var homePage: URL?
  /// The addresses that are asked for a list, in turn.
  public var addresses: [URL]
  /// Whether the person named the addresses: they may then be plain http, and private.
  public var isNamedByUser: Bool
  /// The way from an answer to its entries: each step names a list.
  ///
  /// Without a step the answer is the only entry.
  public var list: [JSONPointer] = []
  /// Where the picture's address is; of several pointers the first that finds a text counts.
  public var picture: [JSONPointer]
  /// Where the title is.
  public var title: [JSONPointer] = []
  /// Where the maker's name is.
  public var credit: [JSONPointer] = []
  /// Where the name or the code of the license is.
  public var license: [JSONPointer] = []
  /// Where the version of the license is, if its name does not have it.
  public var licenseVersion: [JSONPointer] = []
  /// Where the address of the page about the picture is.
  public var page: [JSONPointer] = []
  /// Where the picture's width in pixels is.
  public var width: [JSONPointer] = []
  /// Where its height is.
  public var height: [JSONPointer] = []
  /// Where its MIME type is.
  public var type: [JSONPointer] = []
  /// A text in the picture's address that another takes the place of.
  public var replacement: Replacement?
  /// Whether the picture's address may be relative to the answer's.
  public var allowsRelativeAddresses = false
  /// Whether title and credit are HTML.
  public var isHTML = false
  /// Whether pictures without an open license are left out.
  public var requiresOpenLicense: Bool
  /// How the next list is asked for; nil asks for the same again.
  public var paging: Paging?
  /// How often it may be asked.
  public var limits = Limits()
  /// How often it has its turn among others; 0 only when none of the others has a picture.
  public var weight = 1

  /// A text and the one that takes its place.
  public struct Replacement: Hashable, Sendable {
    /// What is looked for, from the end of the address; it counts once.
    public var text: String
    /// What takes its place.
    public var other: String
  }

  /// How the next list is asked for.
  public enum Paging: Hashable, Sendable {
    /// A parameter of the query counts pages from `first` to `last`, and begins again.
    case number(parameter: String, first: Int, last: Int)
    /// A parameter takes a text that the answer gives at a pointer.
    case token(JSONPointer, parameter: String)
    /// All members of the object at a pointer are parameters (MediaWiki's `continue`).
    case members(JSONPointer)
  }

  /// How often a service may be asked.
  public struct Limits: Hashable, Sendable {
    /// The most requests in a minute, for lists, and for pictures on the same host.
    public var requestsPerMinute = 60
    /// The most requests at a time.
    public var connections = 2
    /// The most lists in an hour, over all launches of the program.
    public var listsPerHour = 60
  }

  /// Whether its answers say under which license pictures are.
  public var hasLicense: Bool { !license.isEmpty }

  /// Creates a description of what an address may answer, by the names that such services use.
  ///
  /// Nil if it is no http or https address.
  public init?(guessedFor address: String) {
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
  public func at(_ addresses: [URL]) -> SourceDescription {
    var copy = self
    copy.addresses = addresses
    copy.isNamedByUser = true
    return copy
  }
}

/// Says what is wrong with a description.
public struct SourceDescriptionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The member that is wrong; nil where it is the whole.
  public let member: String?
  /// The end of a sentence that begins with the member: "must be true or false".
  public let problem: String

  /// A sentence without a full stop.
  public var description: String { member.map { "\"\($0)\" \(problem)" } ?? problem }
}
