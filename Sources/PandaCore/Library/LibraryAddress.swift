internal import FoundationEssentials
internal import Pantry

/// The address of favorites on a PostgreSQL server, such as `postgresql://user@host/database`.
///
/// The text after the scheme is libpq's affair
/// (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS).
package struct LibraryAddress: Hashable, Sendable {
  /// The address as given, which may have a password.
  package let text: String

  package static let schemes = ["postgresql://", "postgres://"]

  /// Creates an address; nil if the text does not begin like one.
  package init?(_ text: String) {
    guard Self.schemes.contains(where: text.hasPrefix) else { return nil }
    self.text = text
  }

  /// Whether a password is in it, where others may see it.
  package var hasPassword: Bool {
    let (authority, rest) = parts
    // A password with a character that needs percent-encoding makes the rest look like a port.
    if !hasPlainHosts { return true }
    if let at = authority.lastIndex(of: "@") {
      let user = authority[..<at]
      if let colon = user.firstIndex(of: ":"), user.index(after: colon) != user.endIndex {
        return true
      }
    }
    return rest.contains("?password=") || rest.contains("&password=")
  }

  /// The hosts and the database, without user, password and parameters.
  package var place: String {
    guard hasPlainHosts else { return "…" }
    let path = parts.rest.prefix { $0 != "?" }
    return "\(hosts.isEmpty ? "localhost" : String(hosts))\(path)"
  }

  /// The hosts with their ports, commas between.
  private var hosts: Substring {
    let authority = parts.authority
    let start = authority.lastIndex(of: "@").map(authority.index(after:)) ?? authority.startIndex
    return authority[start...]
  }

  private var hasPlainHosts: Bool {
    hosts.split(separator: ",").allSatisfy { host in
      // An IPv6 address is in brackets.
      let end = host.lastIndex(of: "]").map(host.index(after:)) ?? host.startIndex
      let port = host[end...].firstIndex(of: ":").map { host[host.index(after: $0)...] } ?? ""
      return port.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
  }

  /// A name for files about the library: the same for each address, and without its parts.
  package var fileName: String {
    String(ContentDigest(of: Data(text.utf8)).hexadecimal.prefix(16))
  }

  /// The text between the scheme and the first slash or question mark, and the rest.
  private var parts: (authority: Substring, rest: Substring) {
    let scheme = Self.schemes.first(where: text.hasPrefix) ?? ""
    let start = text.index(text.startIndex, offsetBy: scheme.count)
    let end = text[start...].firstIndex { "/?".contains($0) } ?? text.endIndex
    // A password may hold a slash, against the rules.
    let last = text[start...].prefix { $0 != "?" }.lastIndex(of: "@") ?? start
    let close = max(end, last)
    let real = text[close...].firstIndex { "/?".contains($0) } ?? text.endIndex
    return (text[start..<real], text[real...])
  }
}
