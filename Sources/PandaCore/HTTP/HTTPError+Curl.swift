internal import CCurl
internal import Glibc

/// The context of a libcurl call, from which its code becomes an error.
struct CurlContext: Sendable {
  /// The host, for display.
  var host = ""
  /// The limits in effect, with `total` as the time left for this hop.
  var limits = HTTPLimits()
  var usesProxy = false
  /// libcurl's message, more precise than the text of the code.
  var message = ""
  /// The `errno` of the failed connect (CURLINFO_OS_ERRNO), or 0.
  var systemError: Int32 = 0
  /// The number of body bytes received.
  var bytes = 0
  var elapsed: Duration = .zero
  var stage: Stage = .prepared

  /// The stages of a hop, in order.
  enum Stage: Sendable {
    case prepared, resolving, connecting, connected
  }
}

extension CurlContext {
  /// Returns the meaning of a transfer's code.
  ///
  /// These codes are read nowhere else.
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
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
      CURLE_SSL_CACERT_BADFILE:
      .untrusted
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
      CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_INITFAILED,
      CURLE_USE_SSL_FAILED:
      .insecure
    case CURLE_PARTIAL_FILE: .truncated
    case CURLE_GOT_NOTHING, CURLE_SEND_ERROR: .connectionLost
    // libcurl 7.88 returns this for a reset connection, and for an invalid chunk.
    case CURLE_RECV_ERROR:
      message.contains("chunk") ? .malformed : bytes > 0 ? .truncated : .connectionLost
    // A header line over libcurl's limit of 100 KB: CURLE_OUT_OF_MEMORY before libcurl 8.6, and
    // CURLE_TOO_LARGE (100) since. Linux itself is out of memory only by killing a process.
    case CURLE_OUT_OF_MEMORY where stage == .connected, CURLcode(100): .malformed
    case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_HTTP2, CURLE_HTTP2_STREAM,
      CURLE_HTTP3:
      .malformed
    default: .system
    }
  }

  /// The time limit that was exceeded; libcurl has one code for all, so the hop's stage decides.
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

  /// Returns one line with everything known; libcurl's message comes last.
  func detail(_ code: String, _ text: String) -> String {
    var parts = ["\(code): \(text)"]
    if !message.isEmpty, message != text { parts.append(message) }
    if systemError != 0 { parts.append("errno \(systemError)") }
    if elapsed != .zero { parts.append("\(bytes) bytes in \(elapsed.curlMilliseconds) ms") }
    return parts.joined(separator: ", ")
  }
}
