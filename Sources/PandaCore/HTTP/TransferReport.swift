internal import FoundationEssentials

/// Says what came of one hop.
struct TransferReport: Sendable {
  /// The last head.
  let head: ResponseHead
  /// The body, for status 200; empty for all others.
  let body: Data
  /// How long the hop took.
  let elapsed: Duration
  /// Why the hop failed, if it did.
  ///
  /// Then the rest is what had arrived until then.
  let failure: HTTPError?

  /// Throws unless the report is a complete answer with status 200 and a body.
  ///
  /// - Parameters:
  ///   - host: the host as a person reads it.
  ///   - now: seconds since 1970.
  func requireAnswer(from host: String, now: Int) throws(HTTPError) {
    switch head.status {
    case 200 where !body.isEmpty: return
    case 200, 204, 205:
      throw HTTPError(.empty, host: host, detail: "status \(head.status), 0 bytes")
    default:
      let wait = head.retryAfter.flatMap { RetryAfter.parse($0, date: head.date, now: now) }
      throw HTTPError(
        .status(head.status, retryAfter: wait), host: host,
        detail: "status \(head.status), Retry-After \(head.retryAfter ?? "absent")")
    }
  }
}
