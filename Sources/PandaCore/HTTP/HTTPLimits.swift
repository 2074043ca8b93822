/// Tells how long, how slow and how large an answer may be before it is given up.
package struct HTTPLimits: Equatable, Sendable {
  /// How long finding the host and connecting to it may take, TLS included.
  package var connect: Duration = .seconds(5)

  /// How long one `get` may take, all redirects and the retry included.
  package var total: Duration = .seconds(20)

  /// The speed, in bytes a second, below which an answer counts as stalled.
  package var lowSpeed = 1024

  /// How long an answer may stay below `lowSpeed`.
  ///
  /// libcurl counts it in whole seconds, at least 1.
  package var lowSpeedTime: Duration = .seconds(8)

  /// How many redirects are followed.
  package var redirects = 5

  /// How many times an answer that broke off is asked for again, silently.
  package var truncationRetries = 1

  /// How many bytes the heads of one answer may have, interim answers and trailers included.
  package var headBytes = 64 * 1024

  /// How many bytes of the body of a redirect or an error are read, and thrown away, so that the
  /// connection can be used again.
  package var discardedBytes = 64 * 1024

  /// How many bytes of UTF-8 an address may have.
  package var addressBytes = 4096

  /// Creates the limits that Panda uses.
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
