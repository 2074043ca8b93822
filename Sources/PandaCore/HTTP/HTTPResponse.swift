package import FoundationEssentials

/// The response to a GET: status 200, complete, and not empty.
package struct HTTPResponse: Equatable, Sendable {
  /// The final address, after all redirects.
  package let url: URL

  /// The body, at most as long as the request allowed.
  package let body: Data

  /// The Content-Type as the server sent it.
  ///
  /// It may be wrong: judge by the bytes.
  package let contentType: String?
}

package struct HTTPProgress: Equatable, Sendable {
  /// The number of body bytes received so far.
  ///
  /// It restarts at 0 when a response is requested again.
  package let bytesReceived: Int

  /// The number of body bytes that the server announced, if it did.
  package let expectedBytes: Int?
}
