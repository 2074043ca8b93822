package import FoundationEssentials

/// Holds a picture as it came from a source, before anybody looked at its bytes.
///
/// The texts are as the source sent them: whoever shows them passes them through the sanitiser.
package struct FetchedImage: Equatable, Sendable {
  /// Where the picture's bytes came from, after all redirects.
  ///
  /// What the picture is known by.
  package var url: URL

  /// The bytes, not empty, in a format that is yet to be found out.
  package var data: Data

  /// The name of the source.
  package var source: String

  /// What the picture is called.
  package var title: String?

  /// Who made it.
  package var credit: String?

  /// Under which licence it may be used.
  package var licence: String?

  /// Where a person reads about it.
  package var page: URL?

  /// Creates a fetched picture.
  package init(
    url: URL, data: Data, source: String, title: String? = nil, credit: String? = nil,
    licence: String? = nil, page: URL? = nil
  ) {
    self.url = url
    self.data = data
    self.source = source
    self.title = title
    self.credit = credit
    self.licence = licence
    self.page = page
  }
}
