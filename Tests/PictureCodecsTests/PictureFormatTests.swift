internal import Testing

@testable import PictureCodecs

@Suite("The kind of a picture, by its first bytes")
struct PictureFormatTests {
  private static let table: [([UInt8], PictureFormat?)] = [
    ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg),
    ([0xFF, 0xD8], nil),
    (PNGWriter().header(), .png),
    ([0x89, 0x50, 0x4E, 0x47], nil),
    (ascii("GIF87a"), .gif),
    (ascii("GIF89a..."), .gif),
    (ascii("RIFF....WEBPVP8 "), .webp),
    (ascii("RIFF....WAVEfmt "), nil),
    (ascii("....ftypavif....mif1miaf"), .avif),
    ([0, 0, 0, 24] + ascii("ftypmif1....mif1avif"), .avif),
    ([0, 0, 0, 24] + ascii("ftypmif1....mif1heic"), .heic),
    (ascii("....ftypheic"), .heic),
    ([0, 0, 0, 24] + ascii("ftypisom....isommp42"), .video),
    ([0xFF, 0xFF, 0xFF, 0xFF] + ascii("ftyp"), .video),
    ([0x1A, 0x45, 0xDF, 0xA3], .video),
    (ascii("BM") + [UInt8](repeating: 0, count: 12) + [40, 0, 0, 0], .bmp),
    (ascii("BMW is a make of car"), nil),
    ([0x49, 0x49, 0x2A, 0x00], .tiff),
    ([0x4D, 0x4D, 0x00, 0x2A], .tiff),
    ([0xFF, 0x0A], .jpegXL),
    ([0, 0, 0, 12] + ascii("JXL "), .jpegXL),
    (ascii("<svg xmlns='http://www.w3.org/2000/svg'>"), .svg),
    ([0xEF, 0xBB, 0xBF] + ascii(" <?xml version='1.0'?>\n<!-- a -->\n<SVG>"), .svg),
    (ascii("<?xml version='1.0'?><rss/>"), nil),
    (ascii("<?xml version='1.0'"), nil),
    (ascii("<!-- no end"), nil),
    (ascii("\r\n<!DOCTYPE HTML><title>404</title>"), .html),
    (ascii("<html>"), .html),
    (ascii("{\"image\": null}"), nil),
    ([0x3C, 0xFF, 0xFE, 0x00], nil),
    ([], nil),
  ]

  @Test("Magic bytes identify the format", arguments: table)
  func sniffing(bytes: [UInt8], format: PictureFormat?) {
    #expect(bytes.withUnsafeBytes { PictureFormat(sniffing: $0) } == format)
  }

  @Test("Any prefix of any of them is sniffed without a trap")
  func prefixes() {
    for (bytes, _) in Self.table {
      for count in 0...bytes.count {
        bytes.prefix(count).withUnsafeBytes { _ = PictureFormat(sniffing: $0) }
      }
    }
  }

  @Test("Six formats are decoded")
  func decodable() {
    #expect(
      PictureFormat.allCases.filter(\.isDecodable) == [.jpeg, .png, .gif, .webp, .avif, .heic])
  }

  private static func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }
}
