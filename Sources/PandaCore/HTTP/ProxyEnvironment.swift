/// Finds the proxy for an address in the environment, as curl does.
///
/// libcurl could do this itself, but would not report whether a socket leads to the proxy, which
/// the address policy must know. So the proxy is chosen here and passed to libcurl.
struct ProxyEnvironment: Sendable {
  private let variables: [String: String]

  /// Keeps the variables that concern proxies.
  init(_ environment: [String: String]) {
    let names: Set<String> = [
      "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
    ]
    variables = environment.filter { names.contains($0.key) }
  }

  /// Returns the proxy's address as given in the environment, or `nil` for a direct connection.
  func proxy(for address: HTTPAddress) -> String? {
    // HTTP_PROXY is not read: a CGI server sets it from a request header (CVE-2016-5385).
    let names = address.scheme == .http ? ["http_proxy"] : ["https_proxy", "HTTPS_PROXY"]
    guard let proxy = first(of: names + ["all_proxy", "ALL_PROXY"]), !proxy.isEmpty,
      !isExempt(address.host)
    else { return nil }
    return proxy
  }

  private func first(of names: [String]) -> String? {
    for name in names {
      if let value = variables[name] { return value }
    }
    return nil
  }

  /// Returns whether `no_proxy` covers the host: `*`, or a list of names, addresses and blocks.
  ///
  /// A name also covers all its subdomains.
  private func isExempt(_ host: String) -> Bool {
    guard let list = first(of: ["no_proxy", "NO_PROXY"]) else { return false }
    if list == "*" { return true }
    return list.split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" }).contains { entry in
      if let ip = IPAddress(host) { return Self.covers(entry, ip) }
      var name = entry.lowercased()
      if name.hasPrefix(".") { name.removeFirst() }
      if name.hasSuffix(".") { name.removeLast() }
      return !name.isEmpty && (host == name || host.hasSuffix("." + name))
    }
  }

  private static func covers(_ entry: Substring, _ ip: IPAddress) -> Bool {
    let parts = entry.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let start = IPAddress(String(parts[0])) else { return false }
    guard parts.count == 2 else { return ip == start }
    guard let prefix = Int(parts[1]), prefix >= 0 else { return false }
    return ip.isIn(start, prefix: prefix)
  }
}
