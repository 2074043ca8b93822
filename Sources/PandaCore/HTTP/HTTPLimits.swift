/// The limits on the time, speed and size of a response.
package struct HTTPLimits: Equatable, Sendable {
  /// The maximum time to resolve the host and connect to it, including TLS.
  package var connect: Duration = .seconds(5)

  /// The maximum time for one `get`, including all redirects and the retry.
  package var total: Duration = .seconds(20)

  /// The speed, in bytes per second, below which a response counts as stalled.
  package var lowSpeed = 1024

  /// The time for which a response may stay below `lowSpeed`.
  ///
  /// libcurl counts it in whole seconds, at least 1.
  package var lowSpeedTime: Duration = .seconds(8)

  package var redirects = 5

  /// The maximum number of silent retries after a response that broke off.
  package var truncationRetries = 1

  /// The maximum size of a response's heads, including interim responses and trailers.
  package var headBytes = 64 * 1024

  /// The maximum number of bytes of a redirect or an error to discard.
  ///
  /// They are read so that the connection can be reused.
  package var discardedBytes = 64 * 1024

  /// The maximum length of an address in UTF-8 bytes.
  package var addressBytes = 4096

  package init() {}
}

extension Duration {
  /// The duration in whole milliseconds, rounded up, at least 1: libcurl reads 0 as "no limit".
  var curlMilliseconds: Int {
    let (seconds, attoseconds) = components
    let fraction = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    return Int(max(1, min(seconds, 1_000_000) * 1000 + fraction))
  }

  /// The duration in whole seconds, rounded up, at least 1: libcurl reads 0 as "no limit".
  var curlSeconds: Int {
    let (seconds, attoseconds) = components
    return Int(max(1, min(seconds, 1_000_000) + (attoseconds > 0 ? 1 : 0)))
  }
}
