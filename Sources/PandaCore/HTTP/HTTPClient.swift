package import FoundationEssentials

/// Fetches over http and https with libcurl.
///
/// One client serves the whole program from any task or thread. It has one thread of its own,
/// which starts with the first request, costs nothing while nothing is in flight, and ends when
/// the client is closed or forgotten. Connections are kept and used again.
///
/// Every answer is untrusted. Its size, its speed and its time are limited; redirects are judged
/// hop by hop; private addresses are asked only when the person named them; there are no cookies,
/// no passwords and no compression; TLS is verified, always.
package final class HTTPClient: Sendable {
  private let userAgent: @Sendable () -> String
  private let limits: HTTPLimits
  private let proxies: ProxyEnvironment
  private let now: @Sendable () -> Date
  private let thread = CurlThread()

  /// Creates a client.
  ///
  /// Nothing is started yet.
  ///
  /// - Parameters:
  ///   - userAgent: what every request calls itself: name, version and where to complain, such as
  ///     `panda/1.0 (+https://example.org/panda)`. Only printable ASCII is sent. It is made for a
  ///     request, so that it may have libcurl's version without loading libcurl before.
  ///   - limits: how long, how slow and how large an answer may be.
  ///   - environment: where `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` are read.
  ///   - now: the clock on the wall, read only for a Retry-After date without a Date header.
  package init(
    userAgent: @autoclosure @escaping @Sendable () -> String, limits: HTTPLimits = HTTPLimits(),
    environment: [String: String] = ProcessInfo.processInfo.environment,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.userAgent = userAgent
    self.limits = limits
    self.proxies = ProxyEnvironment(environment)
    self.now = now
  }

  deinit { thread.stop() }

  /// Fetches an address, and follows its redirects.
  ///
  /// An answer that breaks off is asked for once more, silently. A cancelled task gets its
  /// `CancellationError` at once, even while a name is being looked up; the connection is closed
  /// soon after.
  ///
  /// - Parameters:
  ///   - request: what to fetch, and how much of it.
  ///   - progress: called on the client's thread for every piece that arrives, about each 16 KB.
  ///     It must be quick, and is not called any more once the task is cancelled.
  /// - Returns: an answer with status 200 and a body that is complete and not empty.
  /// - Throws: `HTTPError` for everything else; `CancellationError`.
  package func get(
    _ request: HTTPRequest, progress: (@Sendable (HTTPProgress) -> Void)? = nil
  ) async throws -> HTTPResponse {
    // The last use of `self` is before the answer: forgotten, it would end its thread too early.
    defer { withExtendedLifetime(self) {} }
    try Task.checkCancellation()

    let policy = AddressPolicy(
      named: try request.namedSource.map { url throws(HTTPError) in
        try HTTPAddress(url, limits: limits)
      })
    var trail = try RedirectTrail(
      from: HTTPAddress(request.url, limits: limits), policy: policy, limits: limits)
    var retries = limits.truncationRetries
    var left = limits
    while true {
      let address = trail.address
      let plan = TransferPlan(
        address: address, limits: left, byteLimit: request.byteLimit, accept: request.accept,
        userAgent: userAgent().printableASCII, policy: policy, proxy: proxies.proxy(for: address),
        progress: progress)
      let report = try await thread.perform(plan)
      left.total -= report.elapsed
      if let failure = report.failure {
        guard failure.kind == .truncated, retries > 0, left.total > .zero else {
          throw told(failure)
        }
        retries -= 1
        continue
      }
      if RedirectTrail.isRedirect(report.head.status), let location = report.head.location {
        try trail.follow(location)
        guard left.total > .zero else {
          throw HTTPError(.timeout(limits.total), host: address.authority)
        }
        continue
      }
      try report.requireAnswer(
        from: address.authority, now: Int(now().timeIntervalSince1970))
      return HTTPResponse(
        url: try address.url(), body: report.body, contentType: report.head.contentType)
    }
  }

  /// Ends the thread and closes all connections; what is in flight fails with `.closed`.
  ///
  /// Returns when everything is freed. Call it before the process exits: OpenSSL cleans up after
  /// itself at exit, and must not find a thread in the middle of a handshake.
  package func close() async {
    thread.stop()
    await thread.ended()
  }

  /// Returns the host and port of the proxy that an address would be fetched through, without
  /// its password, or `nil` for a direct connection.
  package func proxy(for url: URL) -> String? {
    // An address that cannot be read is not fetched, neither directly nor through a proxy.
    guard let address = try? HTTPAddress(url, limits: limits),
      let proxy = proxies.proxy(for: address)
    else { return nil }
    let authority = proxy.split(separator: "/", omittingEmptySubsequences: true)
      .first { !$0.hasSuffix(":") }
    return authority.map { String($0.split(separator: "@").last ?? $0) }
  }

  /// A later hop has less time than the whole, but the person is told of the whole.
  private func told(_ error: HTTPError) -> HTTPError {
    guard case .timeout = error.kind else { return error }
    return HTTPError(.timeout(limits.total), host: error.host, detail: error.detail)
  }
}
