internal import Foundation
internal import Testing

@testable import PictureCodecs

@Suite("Metadata that is left out")
struct PictureMetadataTests {
  private static let secret = Array("48.2082N 16.3738E 012345".utf8)

  private func segment(_ marker: UInt8, _ begin: String, _ content: [UInt8] = secret) -> [UInt8] {
    let content = Array(begin.utf8) + content
    let length = content.count + 2
    return [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + content
  }

  /// Checks that a picture looks the same without the secret, and has nothing left to remove.
  private func expectClean(_ bytes: [UInt8], keeping kept: [String] = []) async throws {
    #expect(Data(bytes).firstRange(of: Self.secret) != nil)
    let stripped = try #require(PictureMetadata.stripped(Data(bytes)))
    #expect(stripped.firstRange(of: Self.secret) == nil)
    for text in kept { #expect(stripped.firstRange(of: Data(text.utf8)) != nil, "\(text)") }
    #expect(PictureMetadata.stripped(stripped) == stripped)
    let header = try PictureDecoder.header(of: Data(bytes))
    #expect(try PictureDecoder.header(of: stripped) == header)
    let decoder = PictureDecoder()
    let before = try await decoder.decode(Data(bytes), covering: header.size)
    let after = try await decoder.decode(stripped, covering: header.size)
    #expect(before.bitmap == after.bitmap && !after.isIncomplete)
  }

  /// A profile that says more than the colors.
  private static let profile = ICCWriter.rgb(
    ICCWriter.displayP3, ICCWriter.sRGBCurve, text: secret)

  @Test(arguments: 1...8) func `fault 104: a JPEG keeps orientation and profile, and no text`(
    orientation: Int
  ) async throws {
    let bytes = try fixture("red-panda.jpg")
    let exif = EXIFWriter(orientation).bytes() + Self.secret
    let middle = Self.profile.count / 2
    let inserted =
      segment(0xE0, "JFIF\0\u{1}\u{1}\0\0\u{1}\0\u{1}\0\0")
      + segment(0xE1, "Exif\0\0", exif) + segment(0xE1, "http://ns.adobe.com/xap/1.0/\0")
      + segment(0xED, "Photoshop 3.0\0") + segment(0xFE, "") + segment(0xE2, "MPF\0")
      + segment(0xE2, "ICC_PROFILE\0\u{2}\u{2}", Array(Self.profile[middle...]))
      + segment(0xE2, "ICC_PROFILE\0\u{1}\u{2}", Array(Self.profile[..<middle]))
      + segment(0xE0, "JFXX\0") + segment(0xE7, "") + segment(0xDC, "")
      + segment(0xEE, "Adobe\0d\0\0\0\0\u{1}")
    try await expectClean(
      bytes[..<2] + inserted + bytes[2...] + Self.secret,
      keeping: ["ICC_PROFILE", "rTRC", "Adobe", "JFIF"])
  }

  @Test func `the texts of a profile are no notes of the picture's`() throws {
    let jpeg = try fixture("red-panda.jpg")
    let head = segment(0xE2, "ICC_PROFILE\0\u{1}\u{1}", Self.profile)
    let colored = Data(jpeg[..<2] + head + jpeg[2...])
    #expect(!PictureMetadata.hasNotes(Data(jpeg)) && !PictureMetadata.hasNotes(colored))
    #expect(PictureMetadata.stripped(colored) != colored)
    #expect(PictureMetadata.hasNotes(Data(jpeg[..<2] + head + segment(0xFE, "") + jpeg[2...])))
    let png = PNGWriter(
      extra: PNGWriter.chunk("iCCP", [0x69, 0, 0] + PNGWriter.zlibStored(Self.profile)))
    #expect(!PictureMetadata.hasNotes(Data(png.bytes())))
    #expect(PictureMetadata.hasNotes(Data(try fixture("notes.heic"))))
    #expect(!PictureMetadata.hasNotes(Data(try fixture("display-p3.heic"))))
  }

  @Test func `fault 104: a false profile goes, whatever the file`() async throws {
    let jpeg = try fixture("red-panda.jpg")
    for piece in [Self.secret, [1, 1] + Self.secret, [1, 2] + Self.profile] {
      try await expectClean(jpeg[..<2] + segment(0xE2, "ICC_PROFILE\0", piece) + jpeg[2...])
    }
    let png = PNGWriter(
      extra: PNGWriter.chunk("iCCP", Self.secret) + PNGWriter.chunk("gAMA", [0, 0] + Self.secret))
    try await expectClean(png.bytes())
    let webp = try fixture("lossy-alpha.webp")
    try await expectClean(
      WebPWriter.file(webp[12..<30] + WebPWriter.chunk("ICCP", Self.secret) + webp[30...]))
  }

  @Test(arguments: [
    "cmyk-adobe.jpg", "ycck.jpg", "rgb.jpg", "arithmetic-progressive.jpg", "restarts.jpg",
  ])
  func `a JPEG of every kind has the same pixels`(name: String) async throws {
    let bytes = try fixture(name)
    try await expectClean(bytes[..<2] + segment(0xFE, "") + bytes[2...])
  }

  @Test func `a JPEG that is cut off stays as far as it goes`() throws {
    let bytes = try fixture("red-panda.jpg")
    let cut = Data(bytes[..<2] + segment(0xFE, "") + bytes[2..<(bytes.count / 2)])
    let stripped = try #require(PictureMetadata.stripped(cut))
    #expect(stripped.count == cut.count - segment(0xFE, "").count)
  }

  @Test func `a PNG keeps orientation and color`() async throws {
    let bytes = [UInt8](
      try Bitmap(
        size: PixelSize(width: 9, height: 5), pixels: Array(0..<180)
      ).pngData())
    #expect(PictureMetadata.stripped(Data(bytes)) == Data(bytes))
    let inserted =
      PNGWriter.chunk("eXIf", EXIFWriter(6).bytes() + Self.secret)
      + PNGWriter.chunk("tEXt", Array("Comment\0".utf8) + Self.secret)
      + PNGWriter.chunk("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + Self.secret)
      + PNGWriter.chunk("gAMA", [0, 0, 0xB1, 0x8F]) + PNGWriter.chunk("prVt", Self.secret)
      + PNGWriter.chunk(
        "iCCP", Self.secret.prefix(20) + [0, 0] + PNGWriter.zlibStored(Self.profile))
    try await expectClean(
      bytes[..<33] + inserted + bytes[33...] + Self.secret, keeping: ["gAMA", "iCCP"])
  }

  @Test func `a GIF keeps its repetition`() async throws {
    let images = [GIFWriter.Image(delay: 10), GIFWriter.Image(delay: 20)]
    let bytes = GIFWriter(images: images, repetitions: 3).bytes()
    let start = 13 + GIFBlocks.paletteSize(bytes[10])
    let block = [UInt8(Self.secret.count)] + Self.secret + [0]
    let inserted =
      [0x21, 0xFE] + block + [0x21, 0xFF, 11] + Array("XMP DataXMP".utf8) + block
      + [0x21, 0xFF, 11] + Array("ICCRGBG1012".utf8) + block
      + [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 3, 0] + block
    try await expectClean(
      bytes[..<start] + inserted + bytes[start...] + Self.secret, keeping: ["NETSCAPE2.0"])
  }

  @Test(arguments: [2, 6]) func `a WebP keeps orientation, profile and animation`(
    orientation: Int
  ) async throws {
    let exif = EXIFWriter(orientation).bytes() + Self.secret
    for name in ["lossy-alpha.webp", "animated.webp"] {
      let bytes = try fixture(name)
      #expect(Data(bytes[12..<16]) == Data("VP8X".utf8))
      var chunks = Array(bytes[12...])
      chunks[8] |= 0x2C
      chunks.insert(contentsOf: WebPWriter.chunk("ICCP", Self.profile), at: 18)
      chunks += WebPWriter.chunk("EXIF", exif) + WebPWriter.chunk("XMP ", Self.secret)
      chunks += WebPWriter.chunk("prVt", Self.secret)
      let file = WebPWriter.file(chunks) + Self.secret
      try await expectClean(file, keeping: ["ICCP", "rTRC"])
      let stripped = [UInt8](try #require(PictureMetadata.stripped(Data(file))))
      #expect(stripped[20] & 0x2C == 0x28)
      let size = Int(stripped[4]) | Int(stripped[5]) << 8 | Int(stripped[6]) << 16
      #expect(size == stripped.count - 8)
    }
  }
}
