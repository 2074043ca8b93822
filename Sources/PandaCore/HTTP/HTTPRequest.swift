package import FoundationEssentials

/// Describes one GET.
package struct HTTPRequest: Sendable {
  /// What is fetched: http or https, no user name, at most `HTTPLimits.addressBytes` long.
  package var url: URL

  /// How many bytes of body are accepted.
  ///
  /// One byte more is an error.
  package var byteLimit: Int

  /// What the request says it would like, as the Accept header has it.
  package var accept: String

  /// The source that the person named, when this request is made on its behalf.
  ///
  /// Its host and port, and no other, may be a private address; and if it is a plain http one,
  /// plain http is accepted. `nil` for every source that Panda brings along.
  package var namedSource: URL?

  /// Creates a request.
  package init(url: URL, byteLimit: Int, accept: String = "*/*", namedSource: URL? = nil) {
    self.url = url
    self.byteLimit = byteLimit
    self.accept = accept
    self.namedSource = namedSource
  }
}
