package import FoundationEssentials

/// A GET request.
package struct HTTPRequest: Sendable {
  /// The address: http or https, no user name, at most `HTTPLimits.addressBytes` long.
  package var url: URL

  /// The maximum size of the body, in bytes.
  ///
  /// A longer body is an error.
  package var byteLimit: Int

  package var accept: String

  /// The source that the user named, if this request is made on its behalf.
  ///
  /// Only its exact host and port may be a private address, and plain http is accepted only if it
  /// is a plain http source. `nil` for every built-in source.
  package var namedSource: URL?

  package init(url: URL, byteLimit: Int, accept: String = "*/*", namedSource: URL? = nil) {
    self.url = url
    self.byteLimit = byteLimit
    self.accept = accept
    self.namedSource = namedSource
  }

  static let pictureByteLimit = 20 * 1024 * 1024

  /// Creates a request for a picture, in the formats that can be decoded.
  static func picture(_ url: URL, namedSource: URL?) -> HTTPRequest {
    HTTPRequest(
      url: url, byteLimit: pictureByteLimit,
      accept: "image/jpeg,image/png,image/webp,image/gif,image/*;q=0.8", namedSource: namedSource)
  }
}
