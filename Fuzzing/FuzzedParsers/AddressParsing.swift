@testable internal import PandaCore

/// An address, or after a newline one that is relative to it.
enum AddressParsing {
  static func parse(_ input: [UInt8]) throws {
    let lines = input.split(separator: 10, maxSplits: 1, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
    if let ip = IPAddress(lines[0]) {
      try require(IPAddress(ip.description) == ip, "\(ip) is parsed as it is written")
    }
    guard let base = try address(lines[0]) else { return }
    try check(base)
    guard lines.count == 2, let whole = try address(lines[1], relativeTo: base) else { return }
    try check(whole)
  }

  private static func address(
    _ text: String, relativeTo base: HTTPAddress? = nil
  ) throws -> HTTPAddress? {
    do {
      return try HTTPAddress(text, relativeTo: base)
    } catch {
      return nil
    }
  }

  private static func check(_ address: HTTPAddress) throws {
    let again = try Self.address(address.text)
    try require(again == address, "\(address) is parsed again as \(String(describing: again))")
    try require(
      !address.host.isEmpty && address.host.utf8.allSatisfy { (0x21..<0x7F).contains($0) },
      "the host \(address.host) is printable ASCII")
    var isPermitted = true
    do { try AddressPolicy(named: nil).check(address) } catch { isPermitted = false }
    try require(
      !isPermitted || address.scheme == .https, "a plain address is not permitted")
    if let ip = IPAddress(address.host) {
      try require(
        !isPermitted || !AddressPolicy.isPrivate(ip), "the private \(ip) is not permitted")
    }
  }
}
