internal import Foundation
internal import Testing

@testable import PictureCodecs

@Suite("The header of a picture")
struct PictureHeaderTests {
  private static let table: [(String, [UInt8], PictureFormat, Int, Int)] = [
    ("PNG", PNGWriter(width: 640, height: 480).header(), .png, 640, 480),
    ("JPEG", jpeg(640, 480), .jpeg, 640, 480),
    ("JPEG after strays", [0xFF, 0xD8, 0xFF, 0xFF, 0xFE, 0, 3, 9, 7] + jpeg(9, 7), .jpeg, 9, 7),
    ("GIF", Array("GIF89a".utf8) + [0x80, 2, 0xE0, 1, 0, 0, 0], .gif, 640, 480),
    ("WebP, lossy", webp("VP8 ", [0, 0, 0, 0x9D, 1, 0x2A, 0x80, 2, 0xE0, 0x41]), .webp, 640, 480),
    ("WebP, lossless", webp("VP8L", [0x2F, 0x7F, 0xC2, 0x77, 0]), .webp, 640, 480),
    ("WebP, extended", webp("VP8X", [0, 0, 0, 0, 0x7F, 2, 0, 0xDF, 1, 0]), .webp, 640, 480),
    ("BMP", bmp(40, [0x80, 2, 0, 0, 0xE0, 1, 0, 0]), .bmp, 640, 480),
    ("BMP, top down", bmp(40, [0x80, 2, 0, 0, 0x20, 0xFE, 0xFF, 0xFF]), .bmp, 640, 480),
    ("BMP of OS/2", bmp(12, [0x80, 2, 0xE0, 1]), .bmp, 640, 480),
  ]

  @Test("The size is read from the bytes", arguments: table)
  func size(name: String, bytes: [UInt8], format: PictureFormat, width: Int, height: Int) throws {
    let header = try bytes.withUnsafeBytes { try PictureHeader(reading: $0) }
    #expect(
      header == PictureHeader(format: format, size: PixelSize(width: width, height: height)))
  }

  @Test("A header that is cut anywhere is incomplete or not a picture, never a trap")
  func cut() async {
    for (name, bytes, _, _, _) in Self.table {
      for count in 0..<bytes.count {
        let kind = await errorKind {
          _ = try bytes.prefix(count).withUnsafeBytes { try PictureHeader(reading: $0) }
        }
        // The size may be complete before its header is.
        let isExpected = kind == nil || kind == .incomplete || kind == .notAPicture(nil)
        #expect(isExpected, "\(name) cut at \(count): \(String(describing: kind))")
      }
    }
  }

  @Test("A picture over the limits is refused from the header")
  func limits() async {
    let pictures: [([UInt8], Int, Int)] = [
      (PNGWriter(width: 30_000, height: 30_000).header(), 30_000, 30_000),
      (PNGWriter(width: 20_001, height: 1).header(), 20_001, 1),
      (PNGWriter(width: 0xFFFF_FFFF, height: 0xFFFF_FFFF).header(), 0xFFFF_FFFF, 0xFFFF_FFFF),
      (Self.jpeg(65_500, 65_500), 65_500, 65_500),
      (Array("GIF89a".utf8) + [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0], 65_535, 65_535),
    ]
    for (bytes, width, height) in pictures {
      let expected = PictureError.Kind.tooManyPixels(
        PixelSize(width: width, height: height), limit: 50_000_000, sideLimit: 20_000)
      #expect(await errorKind { _ = try PictureDecoder.admit(Data(bytes)) } == expected)
      let decoder = PictureDecoder(limits: .network)
      #expect(await errorKind { _ = try await decoder.decode(bytes) } == expected)
    }
  }

  @Test("What comes from the network is limited by its cost as well, before it is decoded")
  func costs() async throws {
    let side = PixelSize(width: 7_000, height: 7_000)
    let picture =
      Array("RIFF....WEBP".utf8) + WebPWriter.chunk("ALPH", [1, 0])
      + WebPWriter.chunk("VP8 ", [UInt8](repeating: 0, count: 10))
    let pictures: [(PictureFormat, [UInt8])] = [
      (.webp, WebPWriter(width: 7_000, height: 7_000, picture: picture).bytes()),
      (.heic, HEIFWriter(items: [HEIFWriter.hevc(7_000, 7_000, depth: 10)]).bytes()),
    ]
    for (format, bytes) in pictures {
      let kind = await errorKind { _ = try PictureDecoder.admit(Data(bytes)) }
      #expect(kind == .tooCostly(format, side))
      // The user's own may be as large.
      #expect(try PictureDecoder.header(of: Data(bytes)).size == side)
    }
    let whole = Data(try fixture("red-panda.jpg"))
    #expect(try PictureDecoder.admit(whole) == PictureDecoder.header(of: whole))
  }

  @Test("Limits are inclusive, and w x h x 4 is checked for overflow")
  func limitsAreInclusive() {
    let limits = PictureLimits(bytes: 10, pixels: 100, side: 50)
    #expect(throws: Never.self) { try limits.check(byteCount: 10) }
    #expect(throws: PictureError.self) { try limits.check(byteCount: 11) }
    #expect(throws: Never.self) { try limits.check(PixelSize(width: 50, height: 2)) }
    #expect(throws: PictureError.self) { try limits.check(PixelSize(width: 51, height: 1)) }
    #expect(throws: PictureError.self) { try limits.check(PixelSize(width: 11, height: 10)) }
    let none = PictureLimits(pixels: .max, side: .max)
    #expect(throws: PictureError.self) { try none.check(PixelSize(width: .max, height: 1)) }
    #expect(throws: PictureError.self) { try none.check(PixelSize(width: .max, height: .max)) }
  }

  @Test("A file over the limit is refused unread")
  func bytes() async {
    let limits = PictureLimits(bytes: 99)
    let data = Data(count: 100)
    let expected = PictureError.Kind.tooManyBytes(100, limit: 99)
    #expect(await errorKind { _ = try PictureDecoder.header(of: data, limits: limits) } == expected)
    let decoder = PictureDecoder(limits: limits)
    let target = PixelSize(width: 1, height: 1)
    #expect(await errorKind { _ = try await decoder.decode(data, covering: target) } == expected)
  }

  @Test("A side of 0 is damage")
  func empty() async {
    for bytes in [PNGWriter(width: 0, height: 9).header(), Self.jpeg(640, 0)] {
      #expect(await errorKind { _ = try PictureDecoder.header(of: Data(bytes)) } == .damaged)
    }
  }

  @Test("Formats that are not decoded are named")
  func unsupported() async {
    let bmp = Data(Self.bmp(40, [1, 0, 0, 0, 1, 0, 0, 0]))
    #expect(await errorKind { _ = try PictureDecoder.header(of: bmp) } == .unsupported(.bmp))
    let svg = Data("<svg>".utf8)
    #expect(await errorKind { _ = try PictureDecoder.header(of: svg) } == .unsupported(.svg))
    let page = Data("<html>".utf8)
    #expect(await errorKind { _ = try PictureDecoder.header(of: page) } == .notAPicture(.html))
  }

  @Test("A slice of data is read from its own beginning")
  func slice() throws {
    let data = Data([1, 2, 3] + PNGWriter(width: 5, height: 6).header())
    let header = try PictureDecoder.header(of: data[3...])
    #expect(header.size == PixelSize(width: 5, height: 6))
  }

  @Test(
    "Every error is a sentence that says why",
    arguments: [
      (
        PictureError.Kind.notAPicture(nil),
        "This is not a picture in any format that Panda knows."
      ),
      (.notAPicture(.html), "This is not a picture but a web page."),
      (
        .unsupported(.tiff),
        "TIFF pictures are not supported: Panda shows JPEG, PNG, GIF, WebP, AVIF and HEIC."
      ),
      (.unsupported(.jpeg), "This kind of JPEG picture is not supported yet."),
      (
        .tooManyBytes(20_000_001, limit: 20_000_000),
        "This picture is too large: the file has 20.1 MB, and Panda opens up to 20 MB."
      ),
      (
        .tooManyPixels(
          PixelSize(width: 30_000, height: 30_000), limit: 50_000_000, sideLimit: 20_000),
        "This picture is too large: it is 30000 x 30000 pixels, and Panda opens up to "
          + "50 megapixels and 20000 pixels a side."
      ),
      (
        .tooCostly(.png, PixelSize(width: 5_000, height: 5_000)),
        "This picture is too large for the way it is stored: it is 5000 x 5000 pixels, interlaced."
      ),
      (
        .tooCostly(.webp, PixelSize(width: 5_000, height: 5_000)),
        "This picture is too large for the way it is stored: it is 5000 x 5000 pixels, lossless "
          + "or transparent."
      ),
      (
        .tooSlow(limit: .seconds(3)),
        "This picture takes too long to decode: more than 3 seconds."
      ),
      (.damaged, "This picture is damaged: its data is inconsistent."),
      (.incomplete, "This picture is incomplete: its data ends too early."),
    ])
  func sentences(kind: PictureError.Kind, sentence: String) {
    #expect(PictureError(kind, detail: "libpng's own words").description == sentence)
  }

  /// A JPEG up to its frame header.
  static func jpeg(_ width: Int, _ height: Int) -> [UInt8] {
    let sides = [height >> 8, height & 255, width >> 8, width & 255].map(UInt8.init)
    return [0xFF, 0xD8, 0xFF, 0xC0, 0, 17, 8] + sides + [3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]
  }

  private static func webp(_ chunk: String, _ data: [UInt8]) -> [UInt8] {
    Array("RIFF....WEBP\(chunk)....".utf8) + data
  }

  private static func bmp(_ headerSize: UInt8, _ sides: [UInt8]) -> [UInt8] {
    Array("BM............".utf8) + [headerSize, 0, 0, 0] + sides
  }
}
