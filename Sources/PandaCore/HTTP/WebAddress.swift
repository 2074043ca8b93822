package import FoundationEssentials

/// An http or https address that may be opened, linked to, or passed on, whatever it came by.
///
/// It has a host, which is public or one that the user named as a source, no user name, no
/// password, and only visible ASCII: a program that splits it into words or looks for control
/// characters finds one word and none of them.
package struct WebAddress: Hashable, Sendable, CustomStringConvertible {
  /// The whole address; it begins with `http://` or `https://`.
  package let description: String

  /// Reads an address; nil for anything else, such as the address of a drawing.
  ///
  /// - Parameter named: the user's own sources.
  package init?(_ url: URL, named: [URL] = []) {
    let text = url.absoluteString
    guard text.utf8.allSatisfy({ 0x20 < $0 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }),
      let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://"),
      let scheme = HTTPAddress.Scheme(rawValue: text[..<colon].lowercased())
    else { return nil }
    let rest = text[colon...].dropFirst(3)
    let authority = rest.prefix { !"/?#".contains($0) }
    guard !authority.isEmpty else { return nil }
    // Pages are many, and nearly all have such a host, which needs no library to be read.
    guard !Self.isPlainlyPublic(authority) else {
      description = "\(scheme)://\(rest)"
      return
    }
    guard let address = try? HTTPAddress(text) else { return nil }  // unreadable: refused
    let isNamed = named.contains { source in
      (try? HTTPAddress(source))?.hasHost(of: address) == true  // unreadable: names nothing
    }
    guard isNamed || !AddressPolicy(named: nil).refusesHost(of: address) else { return nil }
    description = "\(scheme)://\(rest)"
  }

  /// Whether a host, perhaps with a port, is a name in the public DNS in any reading of it.
  private static func isPlainlyPublic(_ authority: Substring) -> Bool {
    let parts = authority.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let labels = parts[0].lowercased().split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 1 || parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      // A last label with digits may be part of a number, as in 127.0.0x1.
      labels.last?.utf8.allSatisfy({ (0x61...0x7A).contains($0) }) == true
    else { return false }
    return !AddressPolicy.isLocalName(labels)
      && labels.allSatisfy { label in
        !label.isEmpty
          && label.utf8.allSatisfy {
            (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || [0x2D, 0x5F].contains($0)
          }
      }
  }
}
