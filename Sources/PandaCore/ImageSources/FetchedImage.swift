package import FoundationEssentials

/// A picture as it came from a source, before its bytes are checked.
///
/// The texts are untrusted: sanitize them before displaying them.
package struct FetchedImage: Equatable, Sendable {
  /// The key of the picture: its address, or that by which the library knows it.
  package var url: URL

  /// The bytes, not empty, in a format yet to be determined.
  package var data: Data

  /// The name of the source.
  package var source: String

  /// The picture's title.
  package var title: String?

  /// The picture's author.
  package var credit: String?

  /// The picture's license.
  package var license: String?

  /// The web page about the picture.
  package var page: URL?

  /// The source's own name of the picture, such as `commons/12345`.
  package var identity: String?

  /// The caption and the tags that its file has, for one that the user adds.
  package var caption: String?
  package var tags: [String] = []

  /// Creates a fetched picture.
  package init(
    url: URL, data: Data, source: String, title: String? = nil, credit: String? = nil,
    license: String? = nil, page: URL? = nil, identity: String? = nil
  ) {
    self.url = url
    self.data = data
    self.source = source
    self.title = title
    self.credit = credit
    self.license = license
    self.page = page
    self.identity = identity
  }
}
