/// The reason why a GET failed.
///
/// Catch it by kind: `catch let error as HTTPError where error.kind == .hostNotFound`. A canceled
/// GET throws `CancellationError` instead.
package struct HTTPError: Error, Equatable, Sendable {
  /// The kind of failure, with the values that a caller may need.
  package let kind: Kind

  /// The host in question, for display: `image.redpanda.club`, `127.0.0.1:8080`.
  ///
  /// Empty if there is none.
  package let host: String

  /// The technical cause in one line: libcurl's code and message, bytes and elapsed time.
  ///
  /// It may quote the server: sanitize it before it reaches a terminal.
  package let detail: String

  /// Creates an error.
  package init(_ kind: Kind, host: String, detail: String = "") {
    self.kind = kind
    self.host = host
    self.detail = detail
  }

  /// The kinds of failures.
  package enum Kind: Equatable, Sendable {
    /// The address was refused before anything was sent.
    case address(AddressProblem)
    /// A redirect was refused.
    case redirect(AddressProblem)
    /// There were more redirects than the limit.
    case tooManyRedirects(limit: Int)
    /// The name did not resolve.
    case hostNotFound
    /// The name did not resolve in time.
    case lookupTimeout
    /// There is no route to the host.
    case unreachable
    /// The host does not listen on that port.
    case connectionRefused
    /// The host did not accept a connection in time.
    case connectTimeout(Duration)
    /// The name resolved to a private address, which is allowed only for a named source.
    case privateAddress
    /// The proxy could not be used.
    case proxy
    /// The certificate is not trusted.
    case untrusted
    /// No secure connection could be made.
    case insecure
    /// The answer stalled.
    case tooSlow(bytesPerSecond: Int, for: Duration)
    /// The response exceeded the total time limit.
    case timeout(Duration)
    /// The connection ended before a response, or with an error in the middle of it.
    case connectionLost
    /// The answer ended before it was complete.
    case truncated
    /// The response is not valid HTTP.
    case malformed
    /// The answer is larger than the request allows.
    case tooLarge(limit: Int)
    /// The answer has no body.
    case empty
    /// The status is not 200. `retryAfter` is between 1 second and 24 hours.
    case status(Int, retryAfter: Duration?)
    /// The host asked to wait that long, at an earlier request: nothing was sent.
    case resting(Duration)
    /// The client was closed.
    case closed
    /// The library with this name is missing or incompatible.
    case missingLibrary(String)
    /// libcurl, or the system below it, failed: out of memory, threads or descriptors.
    case system
  }

  /// The problems with an address.
  package enum AddressProblem: Equatable, Sendable {
    /// It cannot be parsed.
    case unreadable
    /// It is longer than this limit, in bytes.
    case tooLong(limit: Int)
    /// It is neither http nor https.
    case scheme(String)
    /// It carries a user name or a password.
    case credentials
    /// It is plain http, and the user did not name an http source.
    case plainHTTP
    /// It is an http redirect from an https address.
    case downgrade
    /// Its host is a private address, and the user did not name that host.
    case privateHost
  }

  /// The operations of a request.
  package enum Operation: String, Sendable {
    /// Preparing the request.
    case prepare
    /// Checking the address.
    case address
    /// Resolving the host's name.
    case resolve
    /// Connecting to the host or the proxy.
    case connect
    /// Securing the connection.
    case secure
    /// Following a redirect.
    case redirect
    /// Receiving the response.
    case receive
  }

  /// The operation that failed.
  package var operation: Operation {
    switch kind {
    case .address: .address
    case .redirect, .tooManyRedirects: .redirect
    case .hostNotFound, .lookupTimeout: .resolve
    case .unreachable, .connectionRefused, .connectTimeout, .privateAddress, .proxy: .connect
    case .untrusted, .insecure: .secure
    case .tooSlow, .timeout, .connectionLost, .truncated, .malformed, .tooLarge, .empty, .status:
      .receive
    case .resting, .closed, .missingLibrary, .system: .prepare
    }
  }

  /// Whether the cause is likely the machine's own network, which all sources share.
  package var isOffline: Bool {
    switch kind {
    case .hostNotFound, .lookupTimeout, .unreachable: true
    default: false
    }
  }

  /// Whether the request never reached its server: the budgets of sources do not count it.
  package var isUnsent: Bool {
    switch kind {
    case .address, .hostNotFound, .lookupTimeout, .unreachable, .connectionRefused,
      .connectTimeout, .privateAddress, .proxy, .resting, .closed, .missingLibrary:
      true
    default: false
    }
  }

  /// The status of the response, if that is the reason.
  package var status: Int? {
    if case .status(let status, _) = kind { status } else { nil }
  }

  /// The wait that the server asked for, between 1 second and 24 hours, or the rest of it.
  package var retryAfter: Duration? {
    switch kind {
    case .status(_, let wait): wait
    case .resting(let wait): wait
    default: nil
    }
  }
}
