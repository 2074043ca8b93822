package import FoundationEssentials
package import Pantry
package import PictureCodecs

/// A picture of a red panda, as saved in the favorites.
///
/// The texts are untrusted: sanitize them before displaying them.
package struct RemoteImage: Codable, Equatable, Identifiable, Sendable {
  /// The time at which it was fetched or drawn.
  package let createdAt: Date
  /// The width in pixels, from the picture's own header.
  package let width: Int
  /// The height in pixels.
  package let height: Int
  /// The bytes of the picture file: JPEG, PNG, GIF, WebP, HEIC or AVIF.
  package let dataRepresentation: Attachment
  /// The name of the source, such as `redpanda.club`.
  package let source: String
  package let title: String?
  /// What the picture shows, in plain text, according to its source.
  package let about: String?
  /// The author.
  package let credit: String?
  package let license: String?
  /// The source's own name of the picture, such as `commons/12345`; nil if it gave none.
  package let identity: String?
  let pageText: String?
  /// The caption that the user wrote, or that came with the file.
  package var caption: String?
  /// The user's tags, without `#`.
  package var tags: [String]
  /// The time at which it became a favorite.
  ///
  /// Nil if it is not a favorite, or was saved by a version that did not record this.
  package var savedAt: Date?
  /// The user who favorited it, such as `ada@kitchen`; nil if the library is not shared.
  package var savedBy: String?
  /// The user who last saved, restored or changed it; nil in an unshared library.
  package var changedBy: String?
  /// What the addresses of pictures on standard input begin with; their digest follows.
  static let inputAddress = "panda://input/"

  /// The longest ``about``, in characters.
  static let aboutLimit = 300
  /// The longest caption, in characters.
  package static let captionLimit = 500

  private var hashAcross: UInt64?
  private var hashDown: UInt64?

  /// The key of the picture: the address from which it first came.
  package internal(set) var id: String

  /// The address it came from, for people and programs: without parameters for tracking.
  ///
  /// - Complexity: O(length), computed at each call. A URL takes many times the memory of its text,
  ///   and there are ten thousand favorites.
  package var url: URL {
    guard let url = URL(string: id.withoutTracking) ?? URL(string: id) else {
      preconditionFailure("\(id) was made of a URL")
    }
    return url
  }

  /// The web page about the picture, such as that of a photo; nil if its source gave none.
  ///
  /// - Complexity: O(length), like ``url``.
  package var page: URL? { pageText.flatMap { URL(string: $0.withoutTracking) } }

  /// Its size in pixels.
  package var size: PixelSize { PixelSize(width: width, height: height) }

  /// The perceptual hash of the picture; nil until it is computed.
  package var perceptualHash: PerceptualHash? {
    get {
      guard let hashAcross, let hashDown else { return nil }
      return PerceptualHash(across: hashAcross, down: hashDown)
    }
    set {
      hashAcross = newValue?.across
      hashDown = newValue?.down
    }
  }

  /// Returns when it became a favorite; nil if that is unknown, since a wrong clock dated it.
  ///
  /// That of another computer may be a day ahead.
  package func keptAt(asOf now: Date) -> Date? {
    let date = savedAt ?? createdAt
    return date > now + 86_400 ? nil : date
  }

  package init(
    createdAt: Date, url: URL, width: Int, height: Int, dataRepresentation: Attachment,
    source: String, title: String? = nil, about: String? = nil, credit: String? = nil,
    license: String? = nil,
    page: URL? = nil, identity: String? = nil, caption: String? = nil, tags: [String] = [],
    savedAt: Date? = nil
  ) {
    self.createdAt = createdAt
    id = url.absoluteString
    self.width = width
    self.height = height
    self.dataRepresentation = dataRepresentation
    self.source = source
    self.title = title
    self.about = about
    self.credit = credit
    self.license = license
    pageText = page?.absoluteString
    self.identity = identity
    self.caption = caption
    self.tags = tags
    self.savedAt = savedAt
  }

  /// Decodes a picture; one saved before tags existed has none.
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
    about = try values.decodeIfPresent(String.self, forKey: .about)
    credit = try values.decodeIfPresent(String.self, forKey: .credit)
    license = try values.decodeIfPresent(String.self, forKey: .license)
    pageText = try values.decodeIfPresent(String.self, forKey: .pageText)
    identity = try values.decodeIfPresent(String.self, forKey: .identity)
    caption = try values.decodeIfPresent(String.self, forKey: .caption)
    tags = try values.decodeIfPresent([String].self, forKey: .tags) ?? []
    savedAt = try values.decodeIfPresent(Date.self, forKey: .savedAt)
    savedBy = try values.decodeIfPresent(String.self, forKey: .savedBy)
    changedBy = try values.decodeIfPresent(String.self, forKey: .changedBy)
    hashAcross = try values.decodeIfPresent(UInt64.self, forKey: .hashAcross)
    hashDown = try values.decodeIfPresent(UInt64.self, forKey: .hashDown)
  }

  private enum CodingKeys: String, CodingKey {
    case id = "url"
    case pageText = "page"
    case createdAt, width, height, dataRepresentation, source, title, credit, identity
    case license = "licence"
    case about = "description"
    case caption, tags, savedAt, savedBy, changedBy
    case hashAcross, hashDown
  }
}
