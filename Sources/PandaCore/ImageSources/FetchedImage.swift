package import FoundationEssentials
package import Pantry
internal import PictureCodecs

/// A picture as it came from a source.
///
/// The texts are untrusted: sanitize them before displaying them.
package struct FetchedImage: Equatable, Sendable {
  /// The key of the picture: its address, or that by which the library knows it.
  package var url: URL

  /// The bytes, not empty.
  package let data: Data

  /// The same bytes, whose digest is computed once.
  let picture: Attachment

  /// What the bytes are; nil until that has been read.
  var header: PictureHeader?

  /// Whether the bytes have been decoded, see ``tried(limits:)``.
  var isTried = false

  package var source: String

  package var title: String?

  /// What it shows, according to its source.
  package var about: String?

  package var credit: String?

  package var license: String?

  package var page: URL?

  /// The source's own name of the picture, such as `commons/12345`.
  package var identity: String?

  /// The caption and the tags that its file has, for one that the user adds.
  package var caption: String?
  package var tags: [String] = []

  /// - Parameter picture: the same bytes, if they have been hashed.
  package init(
    url: URL, data: Data, picture: Attachment? = nil, source: String, title: String? = nil,
    about: String? = nil, credit: String? = nil, license: String? = nil, page: URL? = nil,
    identity: String? = nil
  ) {
    self.url = url
    self.data = data
    self.picture = picture ?? Attachment(data)
    self.source = source
    self.title = title
    self.about = about
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
    guard !isTried else { return self }
    var image = self
    image.header = try await PictureDecoder.tried(data, admittedAs: header, limits: limits)
    image.isTried = true
    return image
  }

  /// Returns the picture as the library knows it, and hashes its bytes.
  ///
  /// Its own header takes precedence over the source's data. Throws a ``PictureError``.
  package func image(at date: Date) throws -> RemoteImage {
    let header = try header ?? PictureDecoder.header(of: data)
    // Hashed here, so that reading the digest on the main actor costs nothing.
    _ = picture.digest
    return RemoteImage(
      createdAt: date, url: url, width: header.wholeSize.width, height: header.wholeSize.height,
      dataRepresentation: picture, source: source, title: title, about: about, credit: credit,
      license: license, page: page, identity: identity, caption: caption, tags: tags)
  }
}
