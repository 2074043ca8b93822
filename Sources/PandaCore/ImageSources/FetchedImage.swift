public import FoundationEssentials

/// Holds a picture as it came from a source, before anybody looked at its bytes.
///
/// The texts are as the source sent them: whoever shows them passes them through the sanitiser.
public struct FetchedImage: Equatable, Sendable {
  /// Where the picture's bytes came from, after all redirects.
  ///
  /// What the picture is known by.
  public var url: URL

  /// The bytes, not empty, in a format that is yet to be found out.
  public var data: Data

  /// The name of the source.
  public var source: String

  /// What the picture is called.
  public var title: String?

  /// Who made it.
  public var credit: String?

  /// Under which licence it may be used.
  public var licence: String?

  /// Where a person reads about it.
  public var page: URL?

  /// Creates a fetched picture.
  public init(
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
