internal import FoundationEssentials

/// An http or https address that is safe to give to another program.
///
/// It has a host, no user name, no password, and only visible ASCII: a program that splits it into
/// words or looks for control characters finds one word and none of them.
struct WebAddress: Hashable, Sendable, CustomStringConvertible {
  /// The whole address; it begins with `http://` or `https://`.
  let description: String

  /// Reads an address; nil for anything else, such as the address of a drawing.
  init?(_ url: URL) {
    guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
      let host = url.host, !host.isEmpty, url.user == nil, url.password == nil
    else { return nil }
    let rest = url.absoluteString.dropFirst(scheme.count)
    guard rest.hasPrefix("://"), rest.utf8.allSatisfy({ 0x20 < $0 && $0 < 0x7F }) else {
      return nil
    }
    description = scheme + rest
  }
}
