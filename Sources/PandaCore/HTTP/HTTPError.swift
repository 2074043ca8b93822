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

  package init(_ kind: Kind, host: String, detail: String = "") {
    self.kind = kind
    self.host = host
    self.detail = detail
  }

  package enum Kind: Equatable, Sendable {
    /// The address was refused before anything was sent.
    case address(AddressProblem)
    case redirect(AddressProblem)
    case tooManyRedirects(limit: Int)
    case hostNotFound
    case lookupTimeout
    case unreachable
    case connectionRefused
    /// The host did not accept a connection in time.
    case connectTimeout(Duration)
    /// The name resolved to a private address, which is allowed only for a named source.
    case privateAddress
    case proxy
    case untrusted
    case insecure
    case tooSlow(bytesPerSecond: Int, for: Duration)
    /// The response exceeded the total time limit.
    case timeout(Duration)
    /// The connection ended before a response, or with an error in the middle of it.
    case connectionLost
    case truncated
    case malformed
    case tooLarge(limit: Int)
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

  package enum AddressProblem: Equatable, Sendable {
    case unreadable
    /// It is longer than this limit, in bytes.
    case tooLong(limit: Int)
    /// It is neither http nor https.
    case scheme(String)
    case credentials
    /// It is plain http, and the user did not name an http source.
    case plainHTTP
    /// It is an http redirect from an https address.
    case downgrade
    /// Its host is a private address, and the user did not name that host.
    case privateHost
  }

  package enum Operation: String, Sendable {
    case prepare
    case address
    case resolve
    case connect
    case secure
    case redirect
    case receive
  }

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
