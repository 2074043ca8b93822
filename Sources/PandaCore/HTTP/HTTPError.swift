/// Tells why a GET failed.
///
/// Catch it by what happened: `catch let error as HTTPError where error.kind == .hostNotFound`.
/// A cancelled GET throws `CancellationError` instead.
package struct HTTPError: Error, Equatable, Sendable {
  /// What happened, with what a caller may want to act on.
  package let kind: Kind

  /// The host that it happened with, as a person reads it: `image.redpanda.club`, `127.0.0.1:8080`.
  ///
  /// Empty when there is none.
  package let host: String

  /// The technical cause in one line: libcurl's code and words, bytes and elapsed time.
  ///
  /// It may quote the server: pass it through the sanitiser before it reaches a terminal.
  package let detail: String

  /// Creates an error.
  package init(_ kind: Kind, host: String, detail: String = "") {
    self.kind = kind
    self.host = host
    self.detail = detail
  }

  /// Names what can go wrong.
  package enum Kind: Equatable, Sendable {
    /// The address was refused before anything was sent.
    case address(AddressProblem)
    /// A redirect was refused.
    case redirect(AddressProblem)
    /// There were more redirects than this.
    case tooManyRedirects(limit: Int)
    /// The name did not resolve.
    case hostNotFound
    /// The name did not resolve in time.
    case lookupTimeout
    /// There is no route to the host.
    case unreachable
    /// The host runs nothing at that port.
    case connectionRefused
    /// The host did not accept a connection in time.
    case connectTimeout(Duration)
    /// The name resolved to a private address, which only a named source may have.
    case privateAddress
    /// The proxy could not be used.
    case proxy
    /// The certificate is not to be trusted.
    case untrusted
    /// No secure connection could be made.
    case insecure
    /// The answer stalled.
    case tooSlow(bytesPerSecond: Int, for: Duration)
    /// The answer took too long as a whole.
    case timeout(Duration)
    /// The connection ended before an answer, or with an error in the middle of it.
    case connectionLost
    /// The answer ended before it was complete.
    case truncated
    /// The answer is not HTTP as it should be.
    case malformed
    /// The answer is larger than the request allows.
    case tooLarge(limit: Int)
    /// The answer has no body.
    case empty
    /// The answer is not 200. `retryAfter` is between 1 second and 15 minutes.
    case status(Int, retryAfter: Duration?)
    /// The client was closed.
    case closed
    /// The library of this name, which does the work, is missing or not what it should be.
    case missingLibrary(String)
    /// libcurl, or the system below it, failed: no memory, no threads, no descriptors.
    case system
  }

  /// Names what is wrong with an address.
  package enum AddressProblem: Equatable, Sendable {
    /// It cannot be read as an address.
    case unreadable
    /// It has more bytes than this.
    case tooLong(limit: Int)
    /// It is neither http nor https.
    case scheme(String)
    /// It carries a user name or a password.
    case credentials
    /// It is plain http, and the person did not name an http source.
    case plainHTTP
    /// It leads from https to http.
    case downgrade
    /// Its host is a private address, and the person did not name that host.
    case privateHost
  }

  /// Names what Panda was doing.
  package enum Operation: String, Sendable {
    /// Making everything ready.
    case prepare
    /// Looking at the address.
    case address
    /// Finding the host by its name.
    case resolve
    /// Connecting to the host or the proxy.
    case connect
    /// Making the connection secure.
    case secure
    /// Following a redirect.
    case redirect
    /// Receiving the answer.
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
    case .closed, .missingLibrary, .system: .prepare
    }
  }

  /// Whether the cause is likely the machine's own network, which every source shares.
  package var isOffline: Bool {
    switch kind {
    case .hostNotFound, .lookupTimeout, .unreachable: true
    default: false
    }
  }

  /// The status that the server answered with, if that is what went wrong.
  package var status: Int? {
    if case .status(let status, _) = kind { status } else { nil }
  }

  /// How long the server asked to be left alone, between 1 second and 15 minutes.
  package var retryAfter: Duration? {
    if case .status(_, let wait) = kind { wait } else { nil }
  }
}
