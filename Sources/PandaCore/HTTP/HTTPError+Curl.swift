internal import CCurl
internal import Glibc
internal import Grove

/// Says what is known when a libcurl call returns, so that its code can become an error.
struct CurlContext: Sendable {
  /// The host as a person reads it.
  var host = ""
  /// The limits that held, with `total` as what this hop had left.
  var limits = HTTPLimits()
  /// Whether a proxy is on the way.
  var usesProxy = false
  /// libcurl's own words, more precise than the text of the code.
  var words = ""
  /// `errno` of the connect that failed (CURLINFO_OS_ERRNO), or 0.
  var systemError: Int32 = 0
  /// The bytes of body received.
  var bytes = 0
  /// How long the hop took.
  var elapsed: Duration = .zero
  /// How far the hop came.
  var stage: Stage = .prepared

  /// The stages of a hop, in order.
  enum Stage: Sendable {
    case prepared, resolving, connecting, connected
  }
}

extension CurlContext {
  /// Returns what a code of a transfer means.
  ///
  /// No other place reads these codes.
  func kind(of code: CURLcode) -> HTTPError.Kind {
    switch code {
    case CURLE_COULDNT_CONNECT where usesProxy,
      CURLE_RECV_ERROR where usesProxy && stage == .connecting:
      .proxy
    case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL, CURLE_LOGIN_DENIED:
      .address(.unreadable)
    case CURLE_COULDNT_RESOLVE_HOST: .hostNotFound
    case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: .proxy
    case CURLE_COULDNT_CONNECT:
      switch systemError {
      case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN, EADDRNOTAVAIL: .unreachable
      case ETIMEDOUT: .connectTimeout(limits.connect)
      default: .connectionRefused
      }
    case CURLE_OPERATION_TIMEDOUT: kindOfTimeout
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
      .untrusted
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
      CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_INITFAILED,
      CURLE_USE_SSL_FAILED:
      .insecure
    case CURLE_PARTIAL_FILE: .truncated
    case CURLE_GOT_NOTHING, CURLE_SEND_ERROR: .connectionLost
    // libcurl 7.88 says this of a reset connection, and of a chunk that is not one.
    case CURLE_RECV_ERROR:
      words.contains("chunk") ? .malformed : bytes > 0 ? .truncated : .connectionLost
    case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_HTTP2, CURLE_HTTP2_STREAM,
      CURLE_HTTP3:
      .malformed
    default: .system
    }
  }

  /// libcurl has one code for every time limit: how far the hop came tells which one it was.
  private var kindOfTimeout: HTTPError.Kind {
    let outOfTime = elapsed >= limits.total
    switch stage {
    case .prepared, .resolving: return .lookupTimeout
    case .connecting: return outOfTime ? .timeout(limits.total) : .connectTimeout(limits.connect)
    case .connected:
      return outOfTime
        ? .timeout(limits.total)
        : .tooSlow(bytesPerSecond: limits.lowSpeed, for: limits.lowSpeedTime)
    }
  }

  /// One line with all that is known; libcurl's own words come after ours.
  func detail(_ code: String, _ text: String) -> String {
    var parts = ["\(code): \(text)"]
    if !words.isEmpty, words != text { parts.append(words) }
    if systemError != 0 { parts.append("errno \(systemError)") }
    if elapsed != .zero { parts.append("\(bytes) bytes in \(elapsed.curlMilliseconds) ms") }
    return parts.joined(separator: ", ")
  }
}
