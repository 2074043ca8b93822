internal import FoundationEssentials
internal import Pantry
internal import PictureCodecs
internal import SystemSupport

/// A favorite as a line of `favorites.ndjson`.
///
/// The members are part of the format, see ``Manifest``.
struct ManifestEntry: Equatable {
  /// The name of the picture's file, beside `favorites.ndjson`.
  let file: String
  /// The address that identifies the picture.
  let address: String
  /// The digest of the file, in 64 hexadecimal digits.
  let sha256: String
  let byteCount: Int
  /// The digest of the file with its metadata; nil if this one is the original.
  let original: String?
  /// In pixels, as displayed.
  let width: Int
  let height: Int
  /// The dates as ``ExactDate`` writes them.
  let createdAt: String
  let savedAt: String?
  let source: String
  let title: String?
  /// What the picture shows; versions before it ignore it.
  let about: String?
  let credit: String?
  let license: String?
  let page: String?
  /// The source's own name of the picture; versions before it ignore it.
  let identity: String?
  let caption: String?
  /// None if absent.
  let tags: [String]?

  /// - Parameter stripped: the content of the file if that may be without metadata; else nil.
  init(_ image: RemoteImage, file: String, stripped: Data? = nil) {
    let digest = image.dataRepresentation.digest.hexadecimal
    self.file = file
    address = image.id
    sha256 = stripped.map { ContentDigest(of: $0).hexadecimal } ?? digest
    byteCount = stripped?.count ?? image.dataRepresentation.byteCount
    original = sha256 == digest ? nil : digest
    width = image.width
    height = image.height
    createdAt = ExactDate.text(image.createdAt)
    savedAt = image.savedAt.map(ExactDate.text)
    source = image.source
    title = image.title
    about = image.about
    credit = image.credit
    license = image.license
    page = image.pageText
    identity = image.identity
    caption = image.caption
    tags = image.tags
  }

  /// Reads a line.
  ///
  /// - Throws: `JSONError` for the first member that is missing or has another type.
  init(_ line: JSONValue) throws(JSONError) {
    file = try line.member("file", as: \.text)
    address = try line.member("address", as: \.text)
    sha256 = try line.member("sha256", as: \.text)
    byteCount = try line.member("byteCount", as: \.integer)
    original = try line.optionalMember("original", as: \.text)
    width = try line.member("width", as: \.integer)
    height = try line.member("height", as: \.integer)
    createdAt = try line.member("createdAt", as: \.text)
    savedAt = try line.optionalMember("savedAt", as: \.text)
    source = try line.member("source", as: \.text)
    title = try line.optionalMember("title", as: \.text)
    about = try line.optionalMember("description", as: \.text)
    credit = try line.optionalMember("credit", as: \.text)
    license = try line.optionalMember("license", as: \.text)
    page = try line.optionalMember("page", as: \.text)
    identity = try line.optionalMember("identity", as: \.text)
    caption = try line.optionalMember("caption", as: \.text)
    tags = try line.optionalMember("tags", as: \.texts)
  }

  var json: JSONValue {
    JSONValue(members: [
      "file": JSONValue(text: file), "address": JSONValue(text: address),
      "sha256": JSONValue(text: sha256), "byteCount": JSONValue(number: byteCount),
      "original": JSONValue(text: original), "width": JSONValue(number: width),
      "height": JSONValue(number: height), "createdAt": JSONValue(text: createdAt),
      "savedAt": JSONValue(text: savedAt), "source": JSONValue(text: source),
      "title": JSONValue(text: title), "description": JSONValue(text: about),
      "credit": JSONValue(text: credit),
      "license": JSONValue(text: license), "page": JSONValue(text: page),
      "identity": JSONValue(text: identity), "caption": JSONValue(text: caption),
      "tags": tags.map { JSONValue(texts: $0) },
    ])
  }

  /// The picture; its bytes and its size are those of the file, which has been checked.
  func image(_ picture: Attachment, _ size: PixelSize) -> RemoteImage? {
    guard let url = URL(string: address), let created = ExactDate.date(createdAt) else {
      return nil
    }
    return RemoteImage(
      createdAt: created, url: url, width: size.width, height: size.height,
      dataRepresentation: picture, source: source, title: title,
      about: about.map { $0.sanitized(upTo: RemoteImage.aboutLimit) }, credit: credit,
      license: license,
      page: page.flatMap { URL(string: $0) }, identity: identity, caption: caption,
      tags: tags ?? [], savedAt: savedAt.flatMap(ExactDate.date))
  }

  /// The problem with a line that came from outside; nil if it is valid.
  var problem: String? {
    if !ExchangeFileName.isPlain(file) || file == Manifest.filename {
      return "file is not a file name"
    }
    // Foundation repairs some addresses; two of these could become the same.
    if URL(string: address)?.absoluteString != address { return "address is not one" }
    for digest in [sha256, original ?? sha256]
    where ContentDigest(hexadecimal: digest)?.hexadecimal != digest {
      return "sha256 is not a digest"
    }
    if ExactDate.date(createdAt) == nil { return "createdAt is not a date" }
    if let savedAt, ExactDate.date(savedAt) == nil { return "savedAt is not a date" }
    return nil
  }
}
