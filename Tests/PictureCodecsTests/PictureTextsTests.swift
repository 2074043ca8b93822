internal import Foundation
internal import Testing

@testable import PictureCodecs

/// Writes the texts of EXIF and IPTC as cameras and archives do.
enum TextsWriter {
  /// A JPEG with an ImageDescription in EXIF.
  static func exif(_ description: [UInt8], in jpeg: [UInt8]) -> [UInt8] {
    // One entry of type ASCII, whose text follows the directory.
    var tiff = Array("MM\0*\0\0\0\u{8}".utf8) + [0, 1, 0x01, 0x0E, 0, 2]
    tiff += PNGWriter.bigEndian(description.count) + PNGWriter.bigEndian(26) + [0, 0, 0, 0]
    return segment(0xE1, Array("Exif\0\0".utf8) + tiff + description, in: jpeg)
  }

  /// A JPEG with datasets of IPTC's application record.
  static func iptc(_ datasets: [(Int, [UInt8])], in jpeg: [UInt8]) -> [UInt8] {
    var records: [UInt8] = []
    for (number, text) in datasets {
      records += [28, 2, UInt8(number)] + PNGWriter.bigEndian(text.count).suffix(2) + text
    }
    // A resource of another kind, with a name, comes first.
    var resources = Array("8BIM".utf8) + [0x03, 0xED, 3] + Array("abc".utf8)
    resources += PNGWriter.bigEndian(3) + [1, 2, 3, 0]
    resources += Array("8BIM".utf8) + [0x04, 0x04, 0, 0]
    resources += PNGWriter.bigEndian(records.count) + records + (records.count % 2 == 1 ? [0] : [])
    return segment(0xED, Array("Photoshop 3.0\0".utf8) + resources, in: jpeg)
  }

  private static func segment(
    _ marker: UInt8, _ content: [UInt8], in jpeg: [UInt8]
  ) -> [UInt8] {
    jpeg[..<2] + [0xFF, marker] + PNGWriter.bigEndian(content.count + 2).suffix(2) + content
      + jpeg[2...]
  }
}

@Suite("Texts in picture files")
struct PictureTextsTests {
  private let jpeg: [UInt8]

  init() throws { jpeg = try JPEGWriter().bytes() }

  @Test("The description of EXIF is read, in UTF-8 or Latin-1")
  func description() {
    let utf8 = PictureTexts(of: Data(TextsWriter.exif(Array("Bär\0x".utf8), in: jpeg)))
    #expect(utf8.description == "Bär")
    let latin = PictureTexts(
      of: Data(TextsWriter.exif([0x42, 0xE4, 0x72, 0x20, 0x32, 0], in: jpeg)))
    #expect(latin.description == "Bär 2")
    let camera = TextsWriter.exif(Array("OLYMPUS DIGITAL CAMERA         \0".utf8), in: jpeg)
    #expect(PictureTexts(of: Data(camera)).description == nil)
    #expect(PictureTexts(of: Data(jpeg)) == PictureTexts(of: Data()))
  }

  @Test("The texts of IPTC are read, and come before those of EXIF")
  func iptc() {
    let bytes = TextsWriter.iptc(
      [
        (5, Array("A title".utf8)), (25, Array("red panda".utf8)), (25, Array("snow".utf8)),
        (80, Array("Ada".utf8)), (120, Array("In the snow".utf8)),
      ], in: TextsWriter.exif(Array("Other\0".utf8), in: jpeg))
    let texts = PictureTexts(of: Data(bytes))
    #expect(texts.title == "A title" && texts.description == "In the snow")
    #expect(texts.creator == "Ada" && texts.keywords == ["red panda", "snow"])
  }

  @Test("Texts that are cut anywhere, or with any byte changed, do no harm")
  func broken() {
    let bytes = TextsWriter.iptc(
      [(25, Array("snow".utf8)), (120, Array("In the snow".utf8))],
      in: TextsWriter.exif(Array("Other\0".utf8), in: jpeg))
    for index in 0..<260 {
      _ = PictureTexts(of: Data(bytes[..<index]))
      for value: UInt8 in [0, 1, 127, 128, 255] {
        var changed = bytes
        changed[index] = value
        _ = PictureTexts(of: Data(changed))
      }
    }
  }

  @Test("fault 100: the orientation is read from text, and as a long number")
  func orientation() async throws {
    let exif = Array("Exif\0\0".utf8) + EXIFWriter(6).bytes()
    let digits = exif.map { String(format: "%02x", $0) }.joined()
    let lines = digits.enumerated().map {
      $0.offset % 72 == 71 ? "\($0.element)\n" : "\($0.element)"
    }
    let text = "\nexif\n  \(exif.count)\n\(lines.joined())\n"
    for keyword in ["Raw profile type exif", "Raw profile type APP1"] {
      let plain = PNGWriter.chunk("tEXt", Array("\(keyword)\0\(text)".utf8))
      let packed = PNGWriter.chunk(
        "zTXt", Array("\(keyword)\0\0".utf8) + PNGWriter.zlibStored(Array(text.utf8)))
      for chunk in [plain, packed] {
        let bytes = PNGWriter(extra: chunk).bytes()
        let orientation = try bytes.withUnsafeBytes { try PictureHeader(reading: $0).orientation }
        #expect(orientation == .rightTop, "\(keyword)")
      }
    }
    for isLittleEndian in [true, false] {
      var long = EXIFWriter(1, isLittleEndian: isLittleEndian)
      long.entries = [(0x0112, 4, isLittleEndian ? 8 : 0)]
      var bytes = long.bytes()
      // A long number's low half comes last in big-endian order.
      if !isLittleEndian { bytes[21] = 8 }
      let file = try JPEGWriter().bytes()
      let content = Array("Exif\0\0".utf8) + bytes
      let own =
        file[..<2] + [0xFF, 0xE1] + PNGWriter.bigEndian(content.count + 2).suffix(2) + content
        + file[2...]
      let orientation = try Array(own).withUnsafeBytes {
        try PictureHeader(reading: $0).orientation
      }
      #expect(orientation == .leftBottom, "\(isLittleEndian)")
    }
  }
}
