/// The format of a file, recognized by its first bytes.
///
/// It is a picture format, or one often sent in place of a picture. The name and the declared type
/// of a file are only hints and are ignored.
package enum PictureFormat: String, Hashable, Sendable, CaseIterable {
  /// JFIF, Exif and bare JPEG (ITU T.81).
  case jpeg

  /// PNG and APNG (W3C PNG, third edition).
  case png

  /// GIF87a and GIF89a.
  case gif

  /// WebP in a RIFF container (RFC 9649).
  case webp

  /// AV1 in an ISO base media file.
  case avif

  /// HEVC in an ISO base media file, and HEIF with an unspecified codec.
  case heic

  case bmp

  /// TIFF, and the camera formats built on it.
  case tiff

  /// JPEG XL, bare or in a container.
  case jpegXL

  /// SVG: a program rather than pixels, and never drawn.
  case svg

  /// HTML: usually a server's error page.
  case html

  /// MP4, QuickTime, WebM or Matroska.
  case video

  /// The name for use in a sentence: "JPEG", "web page".
  package var name: String {
    switch self {
    case .jpeg: "JPEG"
    case .png: "PNG"
    case .gif: "GIF"
    case .webp: "WebP"
    case .avif: "AVIF"
    case .heic: "HEIC"
    case .bmp: "BMP"
    case .tiff: "TIFF"
    case .jpegXL: "JPEG XL"
    case .svg: "SVG"
    case .html: "web page"
    case .video: "video"
    }
  }

  package var isDecodable: Bool {
    [.jpeg, .png, .gif, .webp, .avif, .heic].contains(self)
  }

  /// Recognizes the format by magic bytes; nil if unknown.
  ///
  /// - Complexity: O(1): it reads at most the first 1,024 bytes.
  package init?(sniffing bytes: UnsafeRawBufferPointer) {
    if bytes.holds([0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if bytes.holds(Self.pngSignature) {
      self = .png
    } else if bytes.holds("GIF87a") || bytes.holds("GIF89a") {
      self = .gif
    } else if bytes.holds("RIFF") && bytes.holds("WEBP", at: 8) {
      self = .webp
    } else if bytes.holds("BM"), let header = bytes.littleEndian32(at: 14),
      [12, 40, 52, 56, 64, 108, 124].contains(header)
    {
      // "BM" also begins ordinary words; the sizes are those of the known BITMAPINFOHEADERs.
      self = .bmp
    } else if bytes.holds([0x49, 0x49, 0x2A, 0]) || bytes.holds([0x4D, 0x4D, 0, 0x2A]) {
      self = .tiff
    } else if bytes.holds([0xFF, 0x0A]) || bytes.holds([0, 0, 0, 12] + Array("JXL ".utf8)) {
      self = .jpegXL
    } else if bytes.holds([0x1A, 0x45, 0xDF, 0xA3]) {
      self = .video
    } else if bytes.holds("ftyp", at: 4) {
      self = Self.isoBaseMedia(bytes)
    } else if let text = Self.markup(bytes) {
      self = text
    } else {
      return nil
    }
  }

  /// The eight bytes at the start of every PNG.
  static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Distinguishes pictures from videos by the brands in the `ftyp` box (ISO/IEC 14496-12, 4.3).
  private static func isoBaseMedia(_ bytes: UnsafeRawBufferPointer) -> PictureFormat {
    let boxEnd = min(bytes.bigEndian32(at: 0) ?? 0, bytes.count, 1_024)
    var brands: Set<String> = []
    // The major brand is at 8, its version at 12, compatible brands from 16 on.
    for offset in [8] + Array(stride(from: 16, to: max(boxEnd - 3, 16), by: 4))
    where offset + 4 <= bytes.count {
      brands.insert(String(decoding: bytes[offset..<(offset + 4)], as: UTF8.self))
    }
    if !brands.isDisjoint(with: ["avif", "avis"]) { return .avif }
    let heif: Set<String> = ["heic", "heix", "hevc", "hevx", "heim", "heis", "mif1", "msf1"]
    return brands.isDisjoint(with: heif) ? .video : .heic
  }

  /// Recognizes SVG and HTML by the first tag after any byte order mark, blanks, comments and
  /// `<?xml ?>`.
  private static func markup(_ bytes: UnsafeRawBufferPointer) -> PictureFormat? {
    let start = bytes.holds([0xEF, 0xBB, 0xBF]) ? 3 : 0
    var text = String(decoding: bytes[start..<min(bytes.count, 1_024)], as: UTF8.self)
      .lowercased()[...]
    while true {
      text = text.drop { $0.isWhitespace }
      let end: String
      if text.hasPrefix("<?xml") {
        end = "?>"
      } else if text.hasPrefix("<!--") {
        end = "-->"
      } else {
        break
      }
      // A construct that does not end within the first kilobyte cannot be classified.
      guard let rest = text.afterFirst(end) else { return nil }
      text = rest
    }
    if text.hasPrefix("<svg") || text.hasPrefix("<!doctype svg") { return .svg }
    let html = ["<!doctype html", "<html", "<head", "<body", "<title", "<script", "<div", "<p>"]
    return html.contains { text.hasPrefix($0) } ? .html : nil
  }
}

extension Substring {
  /// Returns the text after the first occurrence of another; nil if it does not occur.
  fileprivate func afterFirst(_ text: String) -> Substring? {
    var rest = self
    while !rest.isEmpty {
      if rest.hasPrefix(text) { return rest.dropFirst(text.count) }
      rest.removeFirst()
    }
    return nil
  }
}
