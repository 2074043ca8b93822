internal import FoundationEssentials

/// The result of one hop.
struct TransferReport: Sendable {
  /// The last head received.
  let head: ResponseHead
  /// The body, if it is the answer; its beginning, for 429; empty for all others.
  let body: Data
  let elapsed: Duration
  /// The reason why the hop failed, if it did.
  ///
  /// The other properties then hold what had arrived by then.
  let failure: HTTPError?

  /// Throws unless the report is a complete response with a body.
  ///
  /// - Parameters:
  ///   - host: the host, for display.
  ///   - now: seconds since 1970.
  func requireAnswer(from host: String, now: Int) throws(HTTPError) {
    switch head.status {
    case _ where head.hasAnswer && !body.isEmpty: return
    case _ where head.hasAnswer, 204, 205:
      throw HTTPError(.empty, host: host, detail: "status \(head.status), 0 bytes")
    default:
      let wait =
        head.retryAfter.flatMap { RetryAfter.parse($0, date: head.date, now: now) }
        ?? RetryAfter.parse(body: body)
      throw HTTPError(
        .status(head.status, retryAfter: wait), host: host,
        detail: "status \(head.status), Retry-After \(head.retryAfter ?? "absent")")
    }
  }
}
