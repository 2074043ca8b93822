package import FoundationEssentials

/// A picture that a service has named and that has not been fetched yet.
///
/// The texts come from the service, without HTML: sanitize them before they reach a terminal.
package struct SourceCandidate: Codable, Equatable, Identifiable, Sendable {
  /// The name of the service and the picture's address.
  package var id: String { "\(source) \(picture.absoluteString)" }
  /// The name of the service's description.
  package let source: String
  package let picture: URL
  package let title: String?
  /// What it shows, in plain text.
  var about: String?
  package let credit: String?
  package let license: String?
  package let page: URL?
  /// The source's own name of the picture; nil if the description does not say where it is.
  var identity: String?
  /// Whether other pictures of the answer have the same page.
  var sharesPage: Bool?
  /// The width in pixels, according to the service.
  package let width: Int?
  package let height: Int?
  /// The user's own address that it came from; nil for a built-in service.
  package let namedSource: URL?
}
