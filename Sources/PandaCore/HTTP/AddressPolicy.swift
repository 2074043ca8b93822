/// Decides which addresses Panda may fetch from.
///
/// A picture source is untrusted: without this policy it could make Panda request the home router,
/// a database on this machine or a cloud's metadata service. So only public addresses are allowed,
/// unless the user named that exact host and port. The policy is applied to the text of an address,
/// and again to the IP address that a socket connects to, which a name cannot fake.
struct AddressPolicy: Sendable {
  /// The source that the user named, if any.
  let named: HTTPAddress?

  /// Throws if the text of an address is enough reason to refuse it.
  func check(_ address: HTTPAddress) throws(HTTPError) {
    if address.scheme == .http, named?.scheme != .http {
      throw HTTPError(.address(.plainHTTP), host: address.authority)
    }
    if refusesHost(of: address) {
      throw HTTPError(.address(.privateHost), host: address.authority)
    }
  }

  /// Returns whether the text of an address says that its host is private, and it is not the named
  /// one.
  func refusesHost(of address: HTTPAddress) -> Bool {
    if isNamed(address) { return false }
    if let ip = IPAddress(address.host) { return Self.isPrivate(ip) }
    return Self.isLocalName(address.host.split(separator: "."))
  }

  /// Returns whether a name in lowercase is none of the public DNS.
  ///
  /// It has no dot, so that it means a host of the local network, or is under a special name
  /// (RFC 6761, 6762 and 8375; ICANN's resolution 2024.07.29.06 for internal).
  static func isLocalName(_ labels: [Substring]) -> Bool {
    guard labels.count > 1, let last = labels.last else { return true }
    return ["localhost", "local", "internal", "localdomain"].contains(last)
      || labels.suffix(2) == ["home", "arpa"]
  }

  /// Returns whether a socket for `address` may connect to `ip`.
  func permits(_ ip: IPAddress, for address: HTTPAddress) -> Bool {
    isNamed(address) || !Self.isPrivate(ip)
  }

  private func isNamed(_ address: HTTPAddress) -> Bool {
    named?.hasHost(of: address) == true
  }

  /// Returns whether an address is not public (IANA's special-purpose registries).
  ///
  /// Documentation and benchmark blocks count as public: they contain nothing private, and some VPN
  /// programs let every name resolve to 198.18.0.0/15.
  static func isPrivate(_ ip: IPAddress) -> Bool {
    switch ip {
    case .v4: return privateV4.contains { ip.isIn($0.start, prefix: $0.prefix) }
    case .v6(let high, let low):
      // An embedded IPv4 address is judged itself: mapped, NAT64 (RFC 6052), 6to4 (RFC 3056).
      if ip.isIn(.v6(high: 0, low: 0xffff_0000_0000), prefix: 96)
        || ip.isIn(.v6(high: 0x0064_ff9b_0000_0000, low: 0), prefix: 96)
      {
        return isPrivate(.v4(UInt32(truncatingIfNeeded: low)))
      }
      if high >> 48 == 0x2002 { return isPrivate(.v4(UInt32(truncatingIfNeeded: high >> 16))) }
      // Teredo (RFC 4380) obfuscates its IPv4 address, and has no servers left.
      if high >> 32 == 0x2001_0000 { return true }
      // Global unicast is 2000::/3: this excludes ::, ::1, fc00::/7, fe80::/10, ff00::/8 and more.
      return high >> 61 != 0b001
    }
  }

  private static let privateV4: [(start: IPAddress, prefix: Int)] = [
    (.v4(0x0000_0000), 8),  // 0.0.0.0/8, this network
    (.v4(0x0a00_0000), 8),  // 10.0.0.0/8, private
    (.v4(0x6440_0000), 10),  // 100.64.0.0/10, carriers
    (.v4(0x7f00_0000), 8),  // 127.0.0.0/8, loopback
    (.v4(0xa9fe_0000), 16),  // 169.254.0.0/16, link-local
    (.v4(0xac10_0000), 12),  // 172.16.0.0/12, private
    (.v4(0xc000_0000), 24),  // 192.0.0.0/24, protocol assignments
    (.v4(0xc0a8_0000), 16),  // 192.168.0.0/16, private
    (.v4(0xe000_0000), 3),  // 224.0.0.0/4 multicast, 240.0.0.0/4 reserved, broadcast
  ]
}
