package import FoundationEssentials
package import Pantry

/// A picture of a red panda: what a favourite is.
///
/// The texts are as the source sent them: whoever shows them passes them through a sanitiser.
package struct RemoteImage: Codable, Equatable, Identifiable, Sendable {
  /// When it was fetched or drawn.
  package let createdAt: Date
  /// The number of pixels in a row, as the picture's own header says.
  package let width: Int
  /// The number of rows.
  package let height: Int
  /// The bytes of the picture file: JPEG, PNG, GIF or WebP.
  package let dataRepresentation: Attachment
  /// The name of the source, such as `redpanda.club`.
  package let source: String
  /// What is to be seen, in words.
  package let title: String?
  /// Who made it.
  package let credit: String?
  /// Under which licence it may be used.
  package let licence: String?
  /// The text of ``page``.
  private let pageText: String?
  /// What its owner wrote under it.
  package var caption: String?
  /// The words by which its owner finds it, without `#`.
  package var tags: [String]
  /// When it became a favorite; nil while it is none, or was saved before this was kept.
  package var savedAt: Date?

  /// The text of ``url``.
  package let id: String

  /// Where it came from; what it is known by.
  ///
  /// - Complexity: O(length); made at each call. A URL takes many times the memory of its text, and
  ///   there are ten thousand favorites.
  package var url: URL {
    guard let url = URL(string: id) else { preconditionFailure("\(id) was made of a URL") }
    return url
  }

  /// Where a person reads about it, such as the page of a photo; nil where its source has none.
  ///
  /// - Complexity: O(length), like ``url``.
  package var page: URL? { pageText.flatMap { URL(string: $0) } }

  /// Creates a picture.
  package init(
    createdAt: Date, url: URL, width: Int, height: Int, dataRepresentation: Attachment,
    source: String, title: String? = nil, credit: String? = nil, licence: String? = nil,
    page: URL? = nil, caption: String? = nil, tags: [String] = [], savedAt: Date? = nil
  ) {
    self.createdAt = createdAt
    id = url.absoluteString
    self.width = width
    self.height = height
    self.dataRepresentation = dataRepresentation
    self.source = source
    self.title = title
    self.credit = credit
    self.licence = licence
    pageText = page?.absoluteString
    self.caption = caption
    self.tags = tags
    self.savedAt = savedAt
  }

  /// Decodes a picture; one that was saved before there were tags has none.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    createdAt = try values.decode(Date.self, forKey: .createdAt)
    guard let url = URL(string: try values.decode(String.self, forKey: .id)) else {
      throw DecodingError.dataCorruptedError(
        forKey: .id, in: values, debugDescription: "Invalid URL string.")
    }
    id = url.absoluteString
    width = try values.decode(Int.self, forKey: .width)
    height = try values.decode(Int.self, forKey: .height)
    dataRepresentation = try values.decode(Attachment.self, forKey: .dataRepresentation)
    source = try values.decode(String.self, forKey: .source)
    title = try values.decodeIfPresent(String.self, forKey: .title)
    credit = try values.decodeIfPresent(String.self, forKey: .credit)
    licence = try values.decodeIfPresent(String.self, forKey: .licence)
    pageText = try values.decodeIfPresent(String.self, forKey: .pageText)
    caption = try values.decodeIfPresent(String.self, forKey: .caption)
    tags = try values.decodeIfPresent([String].self, forKey: .tags) ?? []
    savedAt = try values.decodeIfPresent(Date.self, forKey: .savedAt)
  }

  private enum CodingKeys: String, CodingKey {
    case id = "url"
    case pageText = "page"
    case createdAt, width, height, dataRepresentation, source, title, credit, licence, caption
    case tags, savedAt
  }
}
