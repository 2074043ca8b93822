internal import Foundation
internal import Testing

@testable import PictureCodecs

/// A kind of PNG and the colors its quadrants should have.
struct PNGKind: CustomTestStringConvertible, Sendable {
  let name: String
  let expected: [[UInt8]]
  let writer: @Sendable () -> PNGWriter

  var testDescription: String { name }

  static let grays: [[UInt8]] = [0, 85, 170, 255].map { [$0, $0, $0, 255] }

  static let all: [PNGKind] =
    [1, 2, 4, 8, 16].map { depth in
      let levels: [UInt8] = depth == 1 ? [0, 255, 0, 255] : [0, 85, 170, 255]
      return PNGKind(name: "gray of \(depth) bits", expected: levels.map { [$0, $0, $0, 255] }) {
        let top = (1 << depth) - 1
        return PNGWriter(depth: depth, color: .gray) { x, y in
          [Int(levels[quadrant(x, y, 32, 32)]) * top / 255]
        }
      }
    }
    + [2, 4, 8].map { depth in
      PNGKind(name: "palette of \(depth) bits", expected: quadrants) {
        PNGWriter(depth: depth, color: .palette, palette: quadrants.flatMap { $0.prefix(3) }) {
          [quadrant($0, $1, 32, 32)]
        }
      }
    }
    + [
      PNGKind(name: "RGB of 8 bits", expected: quadrants) { PNGWriter() },
      PNGKind(name: "RGB of 16 bits", expected: quadrants) {
        PNGWriter(depth: 16) { x, y in
          quadrants[quadrant(x, y, 32, 32)].prefix(3).map { Int($0) * 257 }
        }
      },
      PNGKind(name: "RGBA of 8 bits", expected: translucent) {
        PNGWriter(color: .rgba) { translucent[quadrant($0, $1, 32, 32)].map(Int.init) }
      },
      PNGKind(name: "RGBA of 16 bits", expected: translucent) {
        PNGWriter(depth: 16, color: .rgba) { x, y in
          translucent[quadrant(x, y, 32, 32)].map { Int($0) * 257 }
        }
      },
      PNGKind(name: "gray and alpha", expected: [0, 85, 170, 255].map { [$0, $0, $0, 255 - $0] }) {
        PNGWriter(color: .grayAlpha) { x, y in
          let level = quadrant(x, y, 32, 32) * 85
          return [level, 255 - level]
        }
      },
      PNGKind(name: "palette and tRNS", expected: translucent) {
        PNGWriter(
          color: .palette, palette: translucent.flatMap { $0.prefix(3) },
          transparency: translucent.map { $0[3] }
        ) { [quadrant($0, $1, 32, 32)] }
      },
      PNGKind(name: "gray and tRNS", expected: [grays[0], [85, 85, 85, 0], grays[2], grays[3]]) {
        PNGWriter(color: .gray, transparency: [0, 85]) { [quadrant($0, $1, 32, 32) * 85] }
      },
      PNGKind(name: "RGB and tRNS", expected: [[255, 0, 0, 0]] + quadrants[1...]) {
        PNGWriter(transparency: [0, 255, 0, 0, 0, 0])
      },
    ]

  private static let translucent: [[UInt8]] = [
    [255, 0, 0, 255], [0, 255, 0, 128], [10, 20, 30, 1], [255, 255, 255, 0],
  ]
}

@Suite("Decoding PNG")
struct PNGDecodingTests {
  private let decoder = PictureDecoder()

  @Test("Every kind has the right colors, interlaced too", arguments: PNGKind.all, [false, true])
  func colors(kind: PNGKind, isInterlaced: Bool) async throws {
    var writer = kind.writer()
    writer.isInterlaced = isInterlaced
    let picture = try await decoder.decode(writer.bytes())
    #expect(picture.bitmap.size == PixelSize(width: 32, height: 32))
    #expect(picture.bitmap.shows(kind.expected), "\(picture.bitmap.quadrantMiddles)")
    #expect(!picture.isIncomplete)
  }

  @Test("Every kind is reduced while it is read", arguments: PNGKind.all, [false, true])
  func reduced(kind: PNGKind, isInterlaced: Bool) async throws {
    var writer = kind.writer()
    writer.isInterlaced = isInterlaced
    let data = Data(writer.bytes())
    let picture = try await decoder.decode(data, covering: PixelSize(width: 9, height: 5))
    // 32 / 9 is 3: boxes of three.
    #expect(picture.bitmap.size == PixelSize(width: 11, height: 11))
    #expect(picture.originalSize == PixelSize(width: 32, height: 32))
    for (own, wanted) in zip(picture.bitmap.quadrantMiddles, kind.expected) where wanted[3] > 0 {
      #expect(own == wanted)
    }
  }

  @Test(
    "A narrow picture keeps its pixels", arguments: [(1, 900), (900, 1), (1, 1)], [false, true])
  func narrow(sides: (Int, Int), isInterlaced: Bool) async throws {
    let writer = PNGWriter(width: sides.0, height: sides.1, isInterlaced: isInterlaced)
    let data = Data(writer.bytes())
    let picture = try await decoder.decode(data, covering: PixelSize(width: 8, height: 8))
    #expect(picture.bitmap.size == PixelSize(width: sides.0, height: sides.1))
  }

  @Test("Chunks that inflate to megabytes are skipped")
  func chunkBombs() async throws {
    #expect(try await decoder.decode(try fixture("bombs.png")).bitmap.shows())
  }

  @Test("An animation's first frame is shown")
  func animation() async throws {
    let control = PNGWriter.bigEndian(2) + PNGWriter.bigEndian(0)
    let writer = PNGWriter(extra: PNGWriter.chunk("acTL", control))
    #expect(try await decoder.decode(writer.bytes()).bitmap.shows())
  }

  @Test("If the bytes end early, the rows before are kept", arguments: [false, true])
  func cut(isInterlaced: Bool) async throws {
    let bytes = PNGWriter(isInterlaced: isInterlaced).bytes()
    let picture = try await decoder.decode(Array(bytes.dropLast(bytes.count / 3)))
    #expect(picture.isIncomplete)
    #expect(picture.bitmap.quadrantMiddles.prefix(2) == quadrants.prefix(2))
    if !isInterlaced { #expect(picture.bitmap.pixel(31, 31) == [0, 0, 0, 0]) }
    let withoutEnd = try await decoder.decode(Array(bytes.dropLast(12)))
    #expect(withoutEnd.isIncomplete && withoutEnd.bitmap.shows())
    #expect(await errorKind { _ = try await decoder.decode(Array(bytes[..<60])) } == .incomplete)
  }

  @Test("A wrong checksum is damage")
  func checksum() async throws {
    var bytes = PNGWriter().bytes()
    bytes[bytes.count - 13] ^= 1
    #expect(await errorKind { _ = try await decoder.decode(bytes) } == .damaged)
  }

  @Test("A palette index past the palette is not a way into memory")
  func paletteIndex() async throws {
    let writer = PNGWriter(color: .palette, palette: [9, 9, 9]) { _, _ in [255] }
    #expect(try await decoder.decode(writer.bytes()).bitmap.pixel(0, 0) == [0, 0, 0, 255])
  }
}
