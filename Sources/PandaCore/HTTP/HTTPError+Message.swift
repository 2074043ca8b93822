extension HTTPError: CustomStringConvertible {
  /// A user message of one sentence, without a full stop: what failed and why.
  package var message: String {
    switch kind {
    case .address(let problem):
      host.isEmpty
        ? "an address could not be used: \(problem.reason)"
        : "\(host) was not asked: \(problem.reason)"
    case .redirect(let problem):
      "\(host) redirected to a refused address: \(problem.reason)"
    case .tooManyRedirects(let limit):
      "\(host) redirected more than \(limit) times"
    case .hostNotFound: "\(host) could not be found (no network?)"
    case .lookupTimeout: "\(host) could not be found in time (no network?)"
    case .unreachable: "\(host) could not be reached (no network?)"
    case .connectionRefused: "\(host) refused the connection"
    case .connectTimeout(let limit): "\(host) did not accept a connection within \(limit.spoken)"
    case .privateAddress:
      "\(host) has a private address, which is allowed only for a source you name"
    case .proxy: "\(host) could not be reached through the proxy"
    case .untrusted:
      "\(host) could not prove that it is \(host) (its certificate is not trusted; SSL_CERT_FILE, "
        + "SSL_CERT_DIR or CURL_CA_BUNDLE can name its authority)"
    case .insecure: "no secure connection to \(host) is possible"
    case .tooSlow(let speed, let time):
      "\(host) sent less than \(speed.spokenBytes) a second for \(time.spoken)"
    case .timeout(let limit): "\(host) did not finish within \(limit.spoken)"
    case .connectionLost: "\(host) closed the connection"
    case .truncated: "\(host) stopped in the middle of its answer"
    case .malformed: "\(host) sent an answer that could not be read"
    case .tooLarge(let limit): "\(host) sent more than \(limit.spokenBytes)"
    case .empty: "\(host) sent an empty answer"
    case .status(let status, _): "\(host) answered \(status)\(Self.meaning(of: status))"
    case .resting(let wait): "\(host) asked for a pause; it can be asked in \(wait.roughWords)"
    case .closed: "the request was canceled because Panda is quitting"
    case .missingLibrary(let name): "\(name) could not be loaded: install libcurl4"
    case .system: "the network could not be used on this machine"
    }
  }

  /// The message and the technical cause, for logs and failing tests.
  package var description: String {
    detail.isEmpty ? message : "\(message) [\(operation.rawValue): \(detail)]"
  }

  /// Returns the meaning of a common status, in parentheses.
  private static func meaning(of status: Int) -> String {
    switch status {
    case 401, 403: " (not allowed)"
    case 404, 410: " (not found)"
    case 407: " (the proxy requires a password)"
    case 429: " (too many requests)"
    case 500..<600: " (server error)"
    default: ""
    }
  }
}

extension HTTPError.AddressProblem {
  /// The reason, as the end of a sentence.
  var reason: String {
    switch self {
    case .unreadable: "the address is invalid"
    case .tooLong(let limit): "the address is longer than \(limit) bytes"
    case .scheme(let scheme): "\(scheme) is neither http nor https"
    case .credentials: "the address contains a user name"
    case .plainHTTP: "plain http is allowed only for a source you name as http"
    case .downgrade: "it leads from https to plain http"
    case .privateHost: "private addresses are allowed only for a source you name"
    }
  }
}

extension Duration {
  /// The duration for display, rounded up: `40 s`, `12 min`, `3 h`.
  package var roughWords: String {
    let seconds = max(1, Int((self / .seconds(1)).rounded(.up)))
    if seconds < 100 { return "\(seconds) s" }
    return seconds <= 100 * 60 ? "\((seconds + 59) / 60) min" : "\((seconds + 3599) / 3600) h"
  }

  /// The duration for display: `5 s`, `250 ms`.
  fileprivate var spoken: String {
    let milliseconds = curlMilliseconds
    return milliseconds.isMultiple(of: 1000)
      ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
  }
}

extension Int {
  /// The number of bytes for display: `20 MB`, `1 KB`, `1500 bytes`.
  fileprivate var spokenBytes: String {
    for (unit, size) in [("MB", 1024 * 1024), ("MB", 1_000_000), ("KB", 1024)]
    where self >= size && isMultiple(of: size) {
      return "\(self / size) \(unit)"
    }
    return self == 1 ? "1 byte" : "\(self) bytes"
  }
}
