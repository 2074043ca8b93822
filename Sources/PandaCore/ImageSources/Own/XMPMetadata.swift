internal import FoundationEssentials
internal import Glibc

/// The title, creator and rights in the XMP packet of a picture file (ISO 16684-1).
///
/// The packet is found by its first element, in any container. Only a few Dublin Core elements of
/// the XML are read, up to a size limit: no entity is expanded except the five of XML, and nothing
/// is fetched.
struct XMPMetadata: Equatable {
  /// `dc:title`.
  let title: String?
  /// `dc:description`.
  let description: String?
  /// `dc:creator`, several separated by commas.
  let creator: String?
  /// `dc:rights`.
  let rights: String?
  /// `dc:subject`, and the words of `lr:hierarchicalSubject` ("Animals|Red panda"): keywords, at
  /// most 100 of each.
  let subjects: [String]

  /// The maximum number of bytes of a packet that are read.
  static let packetLimit = 64 * 1024
  /// The maximum number of characters of a text.
  private static let textLimit = 500
  /// The maximum number of keywords, and of languages of a text.
  private static let subjectLimit = 100
  private static let creatorLimit = 5

  /// Reads the first packet of a file; nil if there is none, or it has none of these.
  init?(in file: Data) {
    guard let packet = file.withUnsafeBytes(Self.packet) else { return nil }
    title = Self.item("dc:title", in: packet)
    description = Self.item("dc:description", in: packet)
    let creators = Self.items("dc:creator", in: packet, limit: Self.creatorLimit)
    creator = creators.isEmpty ? nil : creators.joined(separator: ", ")
    rights = Self.item("dc:rights", in: packet)
    subjects =
      Self.items("dc:subject", in: packet, limit: Self.subjectLimit)
      + Self.items("lr:hierarchicalSubject", in: packet, limit: Self.subjectLimit)
      .flatMap { $0.split(separator: "|").map(String.init) }
    if title == nil, description == nil, creator == nil, rights == nil, subjects.isEmpty {
      return nil
    }
  }

  /// Returns the text of the first packet, up to its end or the size limit.
  private static func packet(in bytes: UnsafeRawBufferPointer) -> String? {
    let mark = Array("<x:xmpmeta".utf8)
    var start = 0
    // memchr scans twenty megabytes in a few milliseconds, which a Swift loop does not.
    while start + mark.count <= bytes.count,
      let found = memchr(bytes.baseAddress! + start, Int32(mark[0]), bytes.count - start)
    {
      start = UnsafeRawPointer(found) - bytes.baseAddress!
      if bytes[start...].starts(with: mark) {
        let window = bytes[start...].prefix(packetLimit)
        let text = String(decoding: window, as: UTF8.self)
        let end = text.firstRange(of: "</x:xmpmeta>")?.lowerBound ?? text.endIndex
        return String(text[..<end])
      }
      start += 1
    }
    return nil
  }

  /// Returns the text of an element in its default language, or else in its first.
  private static func item(_ element: String, in packet: String) -> String? {
    let languages = languages(element, in: packet, limit: subjectLimit)
    return (languages.first { $0.isDefault } ?? languages.first)?.text
  }

  /// Returns the texts of an element's `rdf:li` items.
  private static func items(_ element: String, in packet: String, limit: Int) -> [String] {
    languages(element, in: packet, limit: limit).map(\.text)
  }

  private static func languages(
    _ element: String, in packet: String, limit: Int
  ) -> [(isDefault: Bool, text: String)] {
    guard let open = packet.firstRange(of: "<\(element)>"),
      let close = packet[open.upperBound...].firstRange(of: "</\(element)>")
    else { return [] }
    var rest = packet[open.upperBound..<close.lowerBound]
    var items: [(isDefault: Bool, text: String)] = []
    while items.count < limit, let tag = rest.firstRange(of: "<rdf:li") {
      rest = rest[tag.upperBound...]
      guard let begin = rest.firstIndex(of: ">"), let end = rest.firstRange(of: "</rdf:li>"),
        begin < end.lowerBound
      else { break }
      // The content is text: the same rules apply as to text from HTML.
      let text = PlainText.of(html: Self.escaped(rest[rest.index(after: begin)..<end.lowerBound]))
      let isDefault = rest[..<begin].contains("x-default")
      if !text.isEmpty { items.append((isDefault, String(text.prefix(textLimit)))) }
      rest = rest[end.upperBound...]
    }
    return items
  }

  /// Returns the content of an element without CDATA sections: their characters, escaped.
  private static func escaped(_ content: Substring) -> String {
    var (rest, text) = (content, "")
    while let open = rest.firstRange(of: "<![CDATA["),
      let close = rest[open.upperBound...].firstRange(of: "]]>")
    {
      text += rest[..<open.lowerBound]
      text += rest[open.upperBound..<close.lowerBound]
        .replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      rest = rest[close.upperBound...]
    }
    return text + rest
  }
}
