/// Tells why an answer that arrived well is no use.
public struct ImageSourceError: Error, Equatable, Sendable {
  /// What was wrong.
  public let kind: Kind

  /// The host that answered, as a person reads it.
  public let host: String

  /// The technical cause in one line.
  ///
  /// It may quote the server.
  public let detail: String

  /// Creates an error.
  public init(_ kind: Kind, host: String, detail: String = "") {
    self.kind = kind
    self.host = host
    self.detail = detail
  }

  /// Names what can be wrong.
  public enum Kind: Equatable, Sendable {
    /// A web page came where JSON should be: the service moved, or its domain was parked.
    case webPage
    /// What came is not JSON.
    case notJSON
    /// It is JSON, but names no picture.
    case noPicture
    /// One picture after another was one that the person never wants to see again.
    case onlyHidden
  }
}

extension ImageSourceError: CustomStringConvertible {
  /// One calm sentence for the person, without a full stop.
  public var message: String {
    switch kind {
    case .webPage: "\(host) answered with a web page, not JSON"
    case .notJSON: "\(host) answered with something that is not JSON"
    case .noPicture: "\(host) answered, but named no picture"
    case .onlyHidden: "\(host) has only pandas that you asked not to see again"
    }
  }

  /// The sentence and the technical cause, for logs and failing tests.
  public var description: String { detail.isEmpty ? message : "\(message) [\(detail)]" }
}
