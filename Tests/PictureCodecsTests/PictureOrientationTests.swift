internal import Foundation
internal import Testing

@testable import PictureCodecs

/// Test EXIF data: a TIFF file with one directory.
struct EXIFWriter {
  var isLittleEndian = true
  /// Tag, type and value; the tag 0x0112 of type 3 is the orientation.
  var entries: [(tag: Int, type: Int, value: Int)]
  /// The offset of the directory according to the header.
  var directory = 8
  /// The number of entries according to the directory.
  var count: Int?

  init(_ orientation: Int, isLittleEndian: Bool = true) {
    self.isLittleEndian = isLittleEndian
    entries = [(0x010F, 2, 7), (0x0112, 3, orientation), (0x011A, 5, 0)]
  }

  /// The TIFF file.
  func bytes() -> [UInt8] {
    var bytes = Array((isLittleEndian ? "II" : "MM").utf8) + number(42, 2) + number(directory, 4)
    bytes += number(count ?? entries.count, 2)
    for entry in entries {
      bytes += number(entry.tag, 2) + number(entry.type, 2) + number(1, 4)
      bytes += number(entry.value, 2) + [0, 0]
    }
    // The next directory is this one again.
    return bytes + number(8, 4)
  }

  /// A JPEG with an APP1 segment of this.
  func inserted(intoJPEG bytes: [UInt8]) -> [UInt8] {
    let content = Array("Exif".utf8) + [0, 0] + self.bytes()
    let length = content.count + 2
    return bytes[..<2] + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + content
      + bytes[2...]
  }

  private func number(_ number: Int, _ count: Int) -> [UInt8] {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    return isLittleEndian ? bytes : bytes.reversed()
  }
}

@Suite("The orientation of a picture")
struct PictureOrientationTests {
  private let decoder = PictureDecoder()

  /// The stored quadrants that are displayed top left, top right, bottom left and bottom right,
  /// according to Pillow's `exif_transpose`.
  private static let table: [(orientation: Int, shown: [Int])] = [
    (1, [0, 1, 2, 3]), (2, [1, 0, 3, 2]), (3, [3, 2, 1, 0]), (4, [2, 3, 0, 1]),
    (5, [0, 2, 1, 3]), (6, [2, 0, 3, 1]), (7, [3, 1, 2, 0]), (8, [1, 3, 0, 2]),
  ]

  private static func size(_ orientation: Int) -> PixelSize {
    orientation < 5 ? PixelSize(width: 48, height: 24) : PixelSize(width: 24, height: 48)
  }

  /// Checks that a picture is displayed with its orientation.
  private func judge(_ bytes: [UInt8], _ orientation: Int, _ shown: [Int]) async throws {
    let header = try PictureDecoder.header(of: Data(bytes))
    #expect(header.size == Self.size(orientation))
    #expect(header.orientation.rawValue == orientation)
    let picture = try await decoder.decode(bytes)
    #expect(picture.bitmap.size == header.size)
    #expect(picture.originalSize == header.size)
    #expect(!picture.isIncomplete)
    let expected = shown.map { quadrants[$0] }
    #expect(picture.bitmap.shows(expected, within: 8), "\(picture.bitmap.quadrantMiddles)")
    // The target is the displayed picture's.
    let target = PixelSize(width: header.size.width / 2, height: header.size.height / 2)
    let small = try await decoder.decode(Data(bytes), covering: target).bitmap
    #expect(small.size.width >= target.width && small.size.width < target.width * 2)
    #expect(small.size.height >= target.height && small.size.height < target.height * 2)
    #expect(small.shows(expected, within: 12))
  }

  @Test("A JPEG is turned as EXIF says", arguments: table, [true, false])
  func jpeg(row: (orientation: Int, shown: [Int]), isLittleEndian: Bool) async throws {
    let exif = EXIFWriter(row.orientation, isLittleEndian: isLittleEndian)
    let bytes = exif.inserted(intoJPEG: try JPEGWriter(width: 48, height: 24).bytes())
    try await judge(bytes, row.orientation, row.shown)
  }

  @Test("A PNG is turned as eXIf says", arguments: table)
  func png(orientation: Int, shown: [Int]) async throws {
    let writer = PNGWriter(
      width: 48, height: 24, extra: PNGWriter.chunk("eXIf", EXIFWriter(orientation).bytes())
    ) { x, y in quadrants[quadrant(x, y, 48, 24)].prefix(3).map(Int.init) }
    try await judge(writer.bytes(), orientation, shown)
  }

  @Test("A WebP is turned as its EXIF chunk says", arguments: table, [true, false])
  func webP(row: (orientation: Int, shown: [Int]), isIntroduced: Bool) async throws {
    let exif = EXIFWriter(row.orientation).bytes()
    // The picture of turned.webp, without its own EXIF.
    var picture = try fixture("turned.webp")
    let start = try #require(picture.indices.first { picture[$0...].starts(with: "VP8L".utf8) })
    let end = try #require(picture.indices.first { picture[$0...].starts(with: "EXIF".utf8) })
    picture = Array(picture[..<12] + picture[start..<end])
    let writer = WebPWriter(
      width: 48, height: 24, picture: picture, pictureSize: PixelSize(width: 48, height: 24),
      exif: (isIntroduced ? Array("Exif".utf8) + [0, 0] : []) + exif)
    try await judge(writer.bytes(), row.orientation, row.shown)
  }

  @Test("A file by another program is turned")
  func fixtureWebP() async throws {
    try await judge(try fixture("turned.webp"), 6, [2, 0, 3, 1])
  }

  @Test("EXIF that is invalid, truncated, cyclic or without an orientation is ignored")
  func badEXIF() async throws {
    let jpeg = try JPEGWriter(width: 48, height: 24).bytes()
    var writers = [EXIFWriter(0), EXIFWriter(9), EXIFWriter(0xFFFF)]
    for directory in [0, 4, 7, 1_000, 0x7FFF_FFFF, 0xFFFF_FFFF] {
      var writer = EXIFWriter(6)
      writer.directory = directory
      writers.append(writer)
    }
    var many = EXIFWriter(6)
    many.count = 0xFFFF
    many.entries = [(0x010F, 2, 7)]
    var text = EXIFWriter(6)
    text.entries[1].type = 2
    var none = EXIFWriter(6)
    none.entries = []
    for writer in writers + [many, text, none] {
      let bytes = writer.inserted(intoJPEG: jpeg)
      #expect(try PictureDecoder.header(of: Data(bytes)).orientation == .topLeft)
      #expect(try await decoder.decode(bytes).bitmap.shows(within: 8))
    }
  }

  @Test("EXIF cut anywhere, or with any byte changed, is an orientation or nothing")
  func brokenEXIF() {
    for isLittleEndian in [true, false] {
      let exif = EXIFWriter(6, isLittleEndian: isLittleEndian).bytes()
      for count in 0...exif.count {
        exif.prefix(count).withUnsafeBytes {
          _ = PictureOrientation(exif: $0, in: 0..<exif.count)
        }
      }
      for offset in exif.indices {
        for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
          var broken = exif
          broken[offset] = value
          broken.withUnsafeBytes { _ = PictureOrientation(exif: $0, in: 0..<broken.count) }
        }
      }
    }
  }

  @Test("Turning by an orientation and back gives the picture again")
  func thereAndBack() {
    let size = PixelSize(width: 3, height: 2)
    let bitmap = Bitmap(size: size, pixels: (0..<24).map(UInt8.init))
    let inverse: [PictureOrientation: PictureOrientation] = [
      .rightTop: .leftBottom, .leftBottom: .rightTop,
    ]
    for orientation in PictureOrientation.allCases {
      let turned = bitmap.oriented(orientation)
      #expect(turned.size == orientation.applied(to: size))
      #expect(turned.oriented(inverse[orientation] ?? orientation) == bitmap)
    }
    let empty = Bitmap(size: PixelSize(width: 0, height: 5), pixels: [])
    #expect(empty.oriented(.rightTop).size == PixelSize(width: 5, height: 0))
  }
}
