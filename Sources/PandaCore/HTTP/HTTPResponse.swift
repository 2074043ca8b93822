public import FoundationEssentials

/// Holds the answer to a GET: status 200, complete, and not empty.
public struct HTTPResponse: Equatable, Sendable {
  /// Where the answer came from, after all redirects.
  public let url: URL

  /// The body, at most as long as the request allowed.
  public let body: Data

  /// The Content-Type as the server spelled it.
  ///
  /// It may lie: decide by the bytes.
  public let contentType: String?
}

/// Tells how much of an answer has arrived.
public struct HTTPProgress: Equatable, Sendable {
  /// The bytes of body received so far.
  ///
  /// Starts again from 0 when an answer is asked for again.
  public let bytesReceived: Int

  /// The bytes of body that the server announced, if it did.
  public let expectedBytes: Int?
}
