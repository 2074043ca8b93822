package import FoundationEssentials

/// A picture that a service has named and that has not been fetched yet.
///
/// The texts are as the service sent them, without HTML: they pass the sanitizer before they reach
/// a terminal.
package struct SourceCandidate: Codable, Equatable, Identifiable, Sendable {
  /// The name of the service, and the picture's address.
  package var id: String { "\(source) \(picture.absoluteString)" }
  /// The name of the service's description.
  package let source: String
  /// Where the picture is.
  package let picture: URL
  /// What it is called.
  package let title: String?
  /// Who made it.
  package let credit: String?
  /// The name of its license.
  package let license: String?
  /// Where a person reads about it.
  package let page: URL?
  /// Its size in pixels, as the service says.
  package let width: Int?
  package let height: Int?
  /// Which of the person's addresses it came from; nil for a service that is built in.
  package let namedSource: URL?
}
