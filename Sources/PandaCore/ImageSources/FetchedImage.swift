package import FoundationEssentials
internal import PictureCodecs

/// A picture as it came from a source.
///
/// The texts are untrusted: sanitize them before displaying them.
package struct FetchedImage: Equatable, Sendable {
  /// The key of the picture: its address, or that by which the library knows it.
  package var url: URL

  /// The bytes, not empty.
  package var data: Data

  /// The decoded picture's properties; nil until they have been decoded, see ``tried(limits:)``.
  var header: PictureHeader?

  package var source: String

  package var title: String?

  package var credit: String?

  package var license: String?

  package var page: URL?

  /// The source's own name of the picture, such as `commons/12345`.
  package var identity: String?

  /// The caption and the tags that its file has, for one that the user adds.
  package var caption: String?
  package var tags: [String] = []

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

  /// Returns the picture once it has been decoded, unless it has been.
  ///
  /// Each picture of a source is, once: one that cannot be decoded is never shown, remembered or
  /// given an ID. Throws a ``PictureError``, and `CancellationError`.
  func tried(limits: PictureLimits = .ownFiles) async throws -> FetchedImage {
    guard header == nil else { return self }
    var image = self
    image.header = try await PictureDecoder.tried(data, limits: limits)
    return image
  }
}
