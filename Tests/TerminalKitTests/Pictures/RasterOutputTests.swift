import Foundation
import Testing

@testable import PictureCodecs
@testable import TerminalKit

/// Sixel and inline images: their bytes are decoded back to pixels.
@Suite struct RasterOutputTests {
  static let cell = PixelSize(width: 10, height: 20)
  static let size = CellSize(columns: 8, rows: 4)
  static let bitmap = Bitmap.gradient(80, 80)
  static let part = CellRect(column: 2, row: 1, columns: 5, rows: 2)

  /// What an `ESC ] 1337 ; File=` sequence says and holds.
  func inlineImage(_ bytes: [UInt8]) throws -> (keys: Set<String>, data: Data) {
    let text = String(decoding: bytes, as: UTF8.self)
    let start = try #require(text.range(of: "\u{1B}]1337;File="))
    let colon = try #require(text.range(of: ":", range: start.upperBound..<text.endIndex))
    #expect(text.hasSuffix("\u{7}"))
    let keys = text[start.upperBound..<colon.lowerBound].split(separator: ";").map(String.init)
    let data = try #require(Data(base64Encoded: String(text[colon.upperBound...].dropLast())))
    return (Set(keys), data)
  }

  @Test func `an original that fits is sent unchanged`() throws {
    let original = try Self.bitmap.pngData()
    let picture = InlineImageOutput().prepare(
      Self.bitmap, encoded: original, filling: Self.size, cell: Self.cell)
    var bytes: [UInt8] = []
    picture.draw(picture.whole, at: CellPoint(column: 4, row: 9), into: &bytes)
    #expect(bytes.starts(with: "\u{1B}[10;5H".utf8))
    let (keys, data) = try inlineImage(bytes)
    #expect(data == original)
    let expected: Set<String> = [
      "inline=1", "width=8", "height=4", "preserveAspectRatio=0", "size=\(original.count)",
    ]
    #expect(keys.isSuperset(of: expected))
  }

  @Test func `a part, a large original and one in another format are sent as PNG`() async throws {
    let original = try Self.bitmap.pngData()
    let huge = Data(original + Data(count: 600_000))
    let cases: [(encoded: Data?, part: CellRect)] = [
      (original, Self.part), (nil, CellRect(Self.size)), (huge, CellRect(Self.size)),
      (Data("GIF89a".utf8), CellRect(Self.size)),
    ]
    for (encoded, part) in cases {
      let picture = InlineImageOutput().prepare(
        Self.bitmap, encoded: encoded, filling: Self.size, cell: Self.cell)
      var bytes: [UInt8] = []
      picture.draw(part, at: CellPoint(column: 0, row: 0), into: &bytes)
      let (keys, data) = try inlineImage(bytes)
      #expect(keys.isSuperset(of: ["width=\(part.columns)", "height=\(part.rows)"]))
      let decoded = try await PictureDecoder().decode(data, covering: Self.bitmap.size)
      #expect(decoded.bitmap == Self.bitmap.cropped(to: part.pixels(cell: Self.cell)))
    }
  }

  @Test func `a picture too large for tmux is shown as symbols`() {
    let picture = SixelOutput(limit: 1_000, repair: .part).prepare(
      Self.bitmap, encoded: nil, filling: Self.size, cell: Self.cell)
    #expect(picture is SymbolPicture)
    #expect(picture.size == Self.size)
  }

  @Test(arguments: [CellRect(RasterOutputTests.size), RasterOutputTests.part])
  func `sixels decode to the picture`(_ part: CellRect) throws {
    let picture = SixelOutput().prepare(
      Self.bitmap, encoded: nil, filling: Self.size, cell: Self.cell)
    var bytes: [UInt8] = []
    picture.draw(part, at: CellPoint(column: 0, row: 0), into: &bytes)
    let decoded = try #require(SixelModel(bytes))
    let expected = Self.bitmap.cropped(to: part.pixels(cell: Self.cell))
    #expect(decoded.size == expected.size)
    // No pixel is left out, or the former picture would show through.
    #expect(decoded.pixels.count == expected.size.width * expected.size.height)
    var error = 0
    for (index, color) in decoded.pixels {
      for channel in 0..<3 {
        error += abs(Int(expected.pixels[index * 4 + channel]) - color[channel])
      }
    }
    // 256 colors for a picture of 6,400.
    #expect(error / (decoded.pixels.count * 3) < 12)
  }

  @Test(arguments: [(80, 80, 1), (79, 80, 2), (80, 60, 2), (30, 61, 6), (1, 1, 16)])
  func `a picture larger than the terminal takes is sent as a few`(
    _ width: Int, _ height: Int, _ count: Int
  ) throws {
    let largest = PixelSize(width: width, height: height)
    let picture = SixelOutput(largest: largest).prepare(
      Self.bitmap, encoded: nil, filling: Self.size, cell: Self.cell)
    var bytes: [UInt8] = []
    picture.draw(picture.whole, at: CellPoint(column: 3, row: 7), into: &bytes)
    let images = PicturePieces.split(bytes)
    #expect(images.count == count)
    var painted = 0
    var error = 0
    for image in images {
      let text = String(decoding: image.prefix(20), as: UTF8.self)
      let place = try #require(text.firstMatch(of: /\e\[(\d+);(\d+)H/))
      let (x, y) = ((Int(place.2)! - 4) * 10, (Int(place.1)! - 8) * 20)
      let decoded = try #require(SixelModel(Array(image)))
      // A column of cells, and rows of whole cells and sixels, are sent even if they are too large.
      #expect(decoded.size.width <= max(10, width) && decoded.size.height <= max(60, height))
      painted += decoded.pixels.count
      for (index, color) in decoded.pixels {
        let column = x + index % decoded.size.width
        let row = y + index / decoded.size.width
        for channel in 0..<3 {
          error += abs(Int(Self.bitmap.pixels[(row * 80 + column) * 4 + channel]) - color[channel])
        }
      }
    }
    #expect(painted == 80 * 80)
    #expect(error / (painted * 3) < 12)
    // As lines of text, all of them begin at the first cell.
    let printed = String(decoding: picture.printed, as: UTF8.self)
    #expect(printed.ranges(of: "\u{1B}P").count == count)
    #expect(printed.ranges(of: "\u{1B}8").count == count)
  }
}

/// What sixels show (DEC STD 070).
struct SixelModel {
  var size = PixelSize(width: 0, height: 0)
  /// Red, green and blue, by the number of the pixel.
  var pixels: [Int: [Int]] = [:]

  init?(_ bytes: [UInt8]) {
    guard let start = bytes.firstIndex(of: UInt8(ascii: "q")),
      let end = bytes.lastIndex(of: 0x1B)
    else { return nil }
    var rest = bytes[(start + 1)..<end]
    func numbers() -> [Int] {
      var text = ""
      while let byte = rest.first, byte == UInt8(ascii: ";") || (48...57).contains(byte) {
        text.append(Character(UnicodeScalar(byte)))
        rest = rest.dropFirst()
      }
      return text.split(separator: ";").compactMap { Int($0) }
    }
    var colors: [Int: [Int]] = [:]
    var color = 0
    var (x, band) = (0, 0)
    while let byte = rest.first {
      rest = rest.dropFirst()
      switch byte {
      case UInt8(ascii: "\""):
        let raster = numbers()
        guard raster.count == 4 else { return nil }
        size = PixelSize(width: raster[2], height: raster[3])
      case UInt8(ascii: "#"):
        let values = numbers()
        color = values[0]
        if values.count == 5 { colors[color] = values[2...].map { ($0 * 255 + 50) / 100 } }
      case UInt8(ascii: "$"): x = 0
      case UInt8(ascii: "-"): (x, band) = (0, band + 1)
      default:
        let count = byte == UInt8(ascii: "!") ? numbers()[0] : 1
        guard let sixel = byte == UInt8(ascii: "!") ? rest.popFirst() : byte,
          (63...126).contains(sixel)
        else { return nil }
        for bit in 0..<6 where (sixel - 63) >> bit & 1 == 1 {
          let y = band * 6 + bit
          guard y < size.height, x + count <= size.width else { return nil }
          for column in x..<x + count { pixels[y * size.width + column] = colors[color] }
        }
        x += count
      }
    }
  }
}
