public import FoundationEssentials

/// A picture that a service has named and that has not been fetched yet.
///
/// The texts are as the service sent them, without HTML: they pass the sanitizer before they reach
/// a terminal.
public struct SourceCandidate: Codable, Equatable, Identifiable, Sendable {
  /// The name of the service, and the picture's address.
  public var id: String { "\(source) \(picture.absoluteString)" }
  /// The name of the service's description.
  public let source: String
  /// Where the picture is.
  public let picture: URL
  /// What it is called.
  public let title: String?
  /// Who made it.
  public let credit: String?
  /// The name of its license.
  public let license: String?
  /// Where a person reads about it.
  public let page: URL?
  /// Its size in pixels, as the service says.
  public let width: Int?
  public let height: Int?
  /// Which of the person's addresses it came from; nil for a service that is built in.
  public let namedSource: URL?
}
