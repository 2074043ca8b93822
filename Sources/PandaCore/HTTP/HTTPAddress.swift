internal import CCurl
internal import FoundationEssentials

/// An http or https address, parsed by the same parser that later connects to it.
///
/// Address checks are bypassed when two parsers disagree about where the host ends, so Foundation's
/// `URL` never decides here. The parser also normalizes `0x7f.1` and `2130706433` to `127.0.0.1`,
/// and non-ASCII names to punycode.
struct HTTPAddress: Hashable, Sendable {
  enum Scheme: String, Sendable {
    case http, https
  }

  let scheme: Scheme
  /// The host in lowercase, without brackets and without a trailing dot.
  let host: String
  /// The port, or the scheme's default if none is given.
  let port: Int
  /// The whole address in ASCII, without a fragment.
  let text: String

  /// The host, with the port unless it is the scheme's default, for display.
  var authority: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port == (scheme == .http ? 80 : 443) ? name : "\(name):\(port)"
  }

  /// Returns whether another address has the same host and port.
  func hasHost(of other: HTTPAddress) -> Bool { host == other.host && port == other.port }

  /// Parses an address, which may be relative to a base (`/wah.jpg`, `//cdn.example/wah.jpg`).
  ///
  /// - Throws: `HTTPError` of kind `.address` with the base's host.
  init(
    _ text: String, relativeTo base: HTTPAddress? = nil, limits: HTTPLimits = HTTPLimits()
  ) throws(HTTPError) {
    let blame = base?.authority ?? ""
    func refusal(_ problem: HTTPError.AddressProblem) -> HTTPError {
      HTTPError(.address(problem), host: blame)
    }

    guard text.utf8.count <= limits.addressBytes else {
      throw refusal(.tooLong(limit: limits.addressBytes))
    }
    // At a NUL the C string would end, so that a different address would be fetched than was
    // checked. Other control characters are refused by libcurl 7.88 but quoted in a relative
    // address by 8.14.
    guard !text.isEmpty, !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) else {
      throw refusal(.unreadable)
    }

    let curl = try CurlLibrary.shared()
    guard let parser = curl.functions.url() else { throw HTTPError(.system, host: blame) }
    defer { curl.functions.url_cleanup(parser) }
    if let base { try curl.check(curl.functions.url_set(parser, CURLUPART_URL, base.text, 0)) }
    // Other schemes are read, to be refused by name.
    let flags =
      panda_curl_url_disallow_user | panda_curl_url_encode | panda_curl_url_allow_space
      | panda_curl_url_any_scheme
    try curl.check(curl.functions.url_set(parser, CURLUPART_URL, text, flags), host: blame)
    try curl.check(curl.functions.url_set(parser, CURLUPART_FRAGMENT, nil, 0), host: blame)

    func part(_ part: CURLUPart, _ flags: UInt32 = 0) throws(HTTPError) -> String {
      var value: UnsafeMutablePointer<CChar>?
      try curl.check(curl.functions.url_get(parser, part, &value, flags), host: blame)
      defer { curl.functions.free(value) }
      return value.map { String(cString: $0) } ?? ""
    }
    let spelling = try part(CURLUPART_SCHEME).lowercased()
    guard let scheme = Scheme(rawValue: spelling) else { throw refusal(.scheme(spelling)) }
    func readHost() throws(HTTPError) -> String {
      var host = try part(CURLUPART_HOST, panda_curl_url_punycode).lowercased()
      if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
      while host.hasSuffix(".") { host.removeLast() }
      return host
    }
    let host = try readHost()
    guard let port = Int(try part(CURLUPART_PORT, panda_curl_url_default_port)), !host.isEmpty,
      host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f })
    else { throw refusal(.unreadable) }
    let whole = try part(CURLUPART_URL, panda_curl_url_punycode)
    guard whole.utf8.count <= limits.addressBytes else {
      throw refusal(.tooLong(limit: limits.addressBytes))
    }
    // A number that percent signs hide in the host (`2130706%3433`) is an address only when libcurl
    // parses the result again, to connect: what was checked would not be what is fetched.
    try curl.check(curl.functions.url_set(parser, CURLUPART_URL, whole, flags), host: blame)
    guard try readHost() == host else { throw refusal(.unreadable) }
    (self.scheme, self.host, self.port, self.text) = (scheme, host, port, whole)
  }

  init(_ url: URL, limits: HTTPLimits = HTTPLimits()) throws(HTTPError) {
    try self.init(url.absoluteString, limits: limits)
  }

  /// Returns the address for the rest of the program.
  ///
  /// - Throws: `HTTPError` if Foundation cannot parse what libcurl could.
  func url() throws(HTTPError) -> URL {
    guard let url = URL(string: text) else {
      throw HTTPError(.address(.unreadable), host: authority)
    }
    return url
  }
}
