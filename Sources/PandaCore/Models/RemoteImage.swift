public import FoundationEssentials
public import Pantry

/// A picture of a red panda: what a favourite is.
///
/// The texts are as the source sent them: whoever shows them passes them through a sanitiser.
public struct RemoteImage: Codable, Equatable, Identifiable, Sendable {
  /// When it was fetched or drawn.
  public let createdAt: Date
  /// Where it came from; what it is known by.
  public let url: URL
  /// The number of pixels in a row, as the picture's own header says.
  public let width: Int
  /// The number of rows.
  public let height: Int
  /// The bytes of the picture file: JPEG, PNG, GIF or WebP.
  public let dataRepresentation: Attachment
  /// The name of the source, such as `redpanda.club`.
  public let source: String
  /// What is to be seen, in words.
  public let title: String?
  /// Who made it.
  public let credit: String?
  /// Under which licence it may be used.
  public let licence: String?
  /// What its owner wrote under it.
  public var caption: String?

  /// The text of ``url``.
  public var id: String { url.absoluteString }

  /// Creates a picture.
  public init(
    createdAt: Date, url: URL, width: Int, height: Int, dataRepresentation: Attachment,
    source: String, title: String? = nil, credit: String? = nil, licence: String? = nil,
    caption: String? = nil
  ) {
    self.createdAt = createdAt
    self.url = url
    self.width = width
    self.height = height
    self.dataRepresentation = dataRepresentation
    self.source = source
    self.title = title
    self.credit = credit
    self.licence = licence
    self.caption = caption
  }
}
