package import FoundationEssentials

/// Fetches over http and https with libcurl.
///
/// One client serves the whole program, from any task or thread. It has its own thread, which
/// starts with the first request, uses no resources while nothing is in flight, and ends when the
/// client is closed or released. Connections are kept and reused.
///
/// Every response is untrusted. Its size, speed and time are limited; redirects are checked hop by
/// hop; private addresses are only allowed if the user named them; there are no cookies, no
/// passwords and no compression; TLS is always verified.
package final class HTTPClient: Sendable {
  private let userAgent: @Sendable () -> String
  private let limits: HTTPLimits
  private let proxies: ProxyEnvironment
  private let trust: TrustEnvironment
  /// The gates of the hosts: those that asked to be left alone are sent nothing meanwhile.
  package let gates: RequestGates
  private let log: Log
  private let thread = CurlThread()

  /// Creates a client.
  ///
  /// Nothing starts yet.
  ///
  /// - Parameters:
  ///   - userAgent: the User-Agent of every request: name, version and contact, such as `panda/1.0
  ///     (+https://example.org/panda)`. Only printable ASCII is sent. It is evaluated for each
  ///     request, so that it can include libcurl's version without loading libcurl earlier.
  ///   - limits: the limits on a response's time, speed and size.
  ///   - environment: the source of `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`, and of
  ///     `CURL_CA_BUNDLE`, `SSL_CERT_FILE` and `SSL_CERT_DIR`.
  ///   - gates: say which hosts must be left alone.
  ///   - log: receives each failure, with libcurl's code and message.
  package init(
    userAgent: @autoclosure @escaping @Sendable () -> String, limits: HTTPLimits = HTTPLimits(),
    environment: [String: String] = ProcessInfo.processInfo.environment,
    gates: RequestGates = RequestGates(), log: Log = .off
  ) {
    self.userAgent = userAgent
    self.limits = limits
    self.proxies = ProxyEnvironment(environment)
    self.trust = TrustEnvironment(environment)
    self.gates = gates
    self.log = log
  }

  deinit { thread.stop() }

  /// Whether its User-Agent names a contact that exists.
  package var hasContact: Bool { Self.namesContact(userAgent()) }

  /// Returns whether a text names a contact that exists: no name below `.example` does (RFC 2606).
  package static func namesContact(_ text: String) -> Bool { !text.contains(".example") }

  /// Fetches an address, following redirects.
  ///
  /// A response that breaks off is silently requested once more. A canceled task receives its
  /// `CancellationError` immediately, even during a name lookup; the connection is closed soon
  /// after.
  ///
  /// - Parameters:
  ///   - request: the address and its limits.
  ///   - progress: called on the client's thread for every piece that arrives, about every 16 KB.
  ///     It must be quick, and is no longer called once the task is canceled.
  /// - Returns: a response with status 200 and a complete, nonempty body.
  /// - Throws: `HTTPError` for everything else; `CancellationError`.
  package func get(
    _ request: HTTPRequest, progress: (@Sendable (HTTPProgress) -> Void)? = nil
  ) async throws -> HTTPResponse {
    do {
      let response = try await answer(to: request, progress: progress)
      if request.accept.hasPrefix("image/"), let type = response.contentType,
        !type.lowercased().hasPrefix("image/")
      {
        log.notice(
          .pictures,
          "\(request.url.absoluteString) is declared as \(type); its bytes decide what it is")
      }
      return response
    } catch let error as HTTPError {
      log.error(.network, "GET \(request.url.absoluteString) failed: \(error)")
      throw error
    }
  }

  private func answer(
    to request: HTTPRequest, progress: (@Sendable (HTTPProgress) -> Void)?
  ) async throws -> HTTPResponse {
    // The last use of `self` comes before the response: released then, the client would end its
    // thread too early.
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
      if let rest = gates.open(address.authority, { $0.requestedRest(at: $1) }) {
        throw HTTPError(.resting(rest), host: address.authority, detail: "nothing was sent")
      }
      let plan = TransferPlan(
        address: address, limits: left, byteLimit: request.byteLimit, accept: request.accept,
        userAgent: userAgent().printableASCII, policy: policy, proxy: proxies.proxy(for: address),
        trust: trust, progress: progress)
      let report = try await thread.perform(plan)
      left.total -= report.elapsed
      if let failure = report.failure {
        guard failure.kind == .truncated, retries > 0, left.total > .zero else {
          throw withTotalLimit(failure)
        }
        retries -= 1
        log.notice(.network, "GET \(address.text) broke off and is tried again: \(failure)")
        continue
      }
      if RedirectTrail.isRedirect(report.head.status), let location = report.head.location {
        try trail.follow(location)
        guard left.total > .zero else {
          throw HTTPError(.timeout(limits.total), host: address.authority)
        }
        continue
      }
      do throws(HTTPError) {
        try report.requireAnswer(from: address.authority)
      } catch {
        await gates.obey(error)
        throw error
      }
      return HTTPResponse(
        url: try address.url(), body: report.body, contentType: report.head.contentType)
    }
  }

  /// Ends the thread and closes all connections; requests in flight fail with `.closed`.
  ///
  /// Returns when everything is freed. Call it before the process exits: OpenSSL cleans up at exit,
  /// and must not find a thread in the middle of a handshake.
  package func close() async {
    thread.stop()
    await thread.ended()
  }

  /// Returns the host and port of the proxy for an address, or `nil` for a direct connection.
  ///
  /// The proxy's password is left out.
  package func proxy(for url: URL) -> String? {
    guard let address = try? HTTPAddress(url, limits: limits),  // not fetched in any way
      let proxy = proxies.proxy(for: address)
    else { return nil }
    let authority = proxy.split(separator: "/", omittingEmptySubsequences: true)
      .first { !$0.hasSuffix(":") }
    return authority.map { String($0.split(separator: "@").last ?? $0) }
  }

  /// Replaces a later hop's remaining time by the full limit, for the user message.
  private func withTotalLimit(_ error: HTTPError) -> HTTPError {
    guard case .timeout = error.kind else { return error }
    return HTTPError(.timeout(limits.total), host: error.host, detail: error.detail)
  }
}
