internal import FoundationEssentials

/// The result of one hop.
struct TransferReport: Sendable {
  /// The last head received.
  let head: ResponseHead
  /// The body, if it is the answer; its beginning, for 429; empty for all others.
  let body: Data
  let elapsed: Duration
  /// The wait that the Retry-After header asks for, as libcurl reads it; 0 for none.
  let retryAfter: Int
  /// The reason why the hop failed, if it did.
  ///
  /// The other properties then hold what had arrived by then.
  let failure: HTTPError?

  /// Throws unless the report is a complete response with a body.
  ///
  /// - Parameter host: the host, for display.
  func requireAnswer(from host: String) throws(HTTPError) {
    switch head.status {
    case _ where head.hasAnswer && !body.isEmpty: return
    case _ where head.hasAnswer, 204, 205:
      throw HTTPError(.empty, host: host, detail: "status \(head.status), 0 bytes")
    default:
      let wait = retryAfter == 0 ? RetryAfter.seconds(in: body) : retryAfter
      // Openverse answers so to a page that is too large, which refuses no program.
      let isPage = head.status == 401 && body.firstRange(of: Data("page_size".utf8)) != nil
      throw HTTPError(
        .status(isPage ? 400 : head.status, retryAfter: wait.map(RetryAfter.wait)), host: host,
        detail: "status \(head.status), Retry-After \(retryAfter)")
    }
  }
}
