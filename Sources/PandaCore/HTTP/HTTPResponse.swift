package import FoundationEssentials

/// Holds the answer to a GET: status 200, complete, and not empty.
package struct HTTPResponse: Equatable, Sendable {
  /// Where the answer came from, after all redirects.
  package let url: URL

  /// The body, at most as long as the request allowed.
  package let body: Data

  /// The Content-Type as the server spelled it.
  ///
  /// It may lie: decide by the bytes.
  package let contentType: String?
}

/// Tells how much of an answer has arrived.
package struct HTTPProgress: Equatable, Sendable {
  /// The bytes of body received so far.
  ///
  /// Starts again from 0 when an answer is asked for again.
  package let bytesReceived: Int

  /// The bytes of body that the server announced, if it did.
  package let expectedBytes: Int?
}
