internal import Glibc

enum IPAddress: Hashable, Sendable {
  /// The four bytes, the first being the most significant.
  case v4(UInt32)
  case v6(high: UInt64, low: UInt64)

  /// Parses dotted decimal or colon-separated text, with or without `[ ]`.
  ///
  /// Only canonical forms: `127.1`, `0x7f000001` and zones are rejected.
  init?(_ text: String) {
    var text = Substring(text)
    if text.first == "[", text.last == "]" { text = text.dropFirst().dropLast() }
    guard !text.utf8.contains(0) else { return nil }
    var v4 = in_addr()
    var v6 = in6_addr()
    if inet_pton(AF_INET, String(text), &v4) == 1 {
      self = .v4(UInt32(bigEndian: v4.s_addr))
    } else if inet_pton(AF_INET6, String(text), &v6) == 1 {
      self = withUnsafeBytes(of: v6) { IPAddress(sixteen: $0) }
    } else {
      return nil
    }
  }

  /// Reads the address that a socket is about to connect to; `nil` for anything but IPv4 and IPv6.
  init?(_ address: UnsafePointer<sockaddr>) {
    let raw = UnsafeRawPointer(address)
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
      let v4 = raw.loadUnaligned(as: sockaddr_in.self)
      self = .v4(UInt32(bigEndian: v4.sin_addr.s_addr))
    case AF_INET6:
      let v6 = raw.loadUnaligned(as: sockaddr_in6.self)
      self = withUnsafeBytes(of: v6.sin6_addr) { IPAddress(sixteen: $0) }
    default:
      return nil
    }
  }

  private init(sixteen bytes: UnsafeRawBufferPointer) {
    self = .v6(
      high: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
      low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
  }

  /// Returns whether the address lies in the block of `prefix` bits that starts at `start`.
  ///
  /// Addresses of different families are never in each other's blocks.
  func isIn(_ start: IPAddress, prefix: Int) -> Bool {
    switch (self, start) {
    case (.v4(let mine), .v4(let theirs)):
      return (mine ^ theirs) >> (32 - min(max(prefix, 0), 32)) == 0
    case (.v6(let high, let low), .v6(let startHigh, let startLow)):
      let bits = min(max(prefix, 0), 128)
      return (high ^ startHigh) >> (64 - min(bits, 64)) == 0
        && (bits <= 64 || (low ^ startLow) >> (128 - bits) == 0)
    default:
      return false
    }
  }
}

extension IPAddress: CustomStringConvertible {
  var description: String {
    switch self {
    case .v4(let bits):
      return [24, 16, 8, 0].map { String(bits >> UInt32($0) & 0xff) }.joined(separator: ".")
    case .v6(let high, let low):
      return [high, low].flatMap { half in
        [48, 32, 16, 0].map { String(half >> UInt64($0) & 0xffff, radix: 16) }
      }.joined(separator: ":")
    }
  }
}
