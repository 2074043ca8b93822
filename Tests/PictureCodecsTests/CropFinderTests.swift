import Foundation
import Testing

@testable import Grove
@testable import PictureCodecs

@Suite struct CropFinderTests {
  private let decoder = PictureDecoder()

  private func drawing(_ seed: UInt64) -> Bitmap {
    BambooGrove.drawing(seed: seed, size: PixelSize(width: 320, height: 240)).bitmap
  }

  /// The percents cut off at the left, the top, the right and the bottom: at all edges, at each
  /// one, and at each two.
  private static func cuts(_ percent: Int) -> [[Int]] {
    let edges = [0b1111, 0b0001, 0b0010, 0b0100, 0b1000]
    let two = [0b0011, 0b0101, 0b1001, 0b0110, 0b1010, 0b1100]
    return (edges + two).map { edges in (0..<4).map { (edges >> $0 & 1) * percent } }
  }

  /// A part of a picture, at half its size, as a JPEG file.
  private func file(_ bitmap: Bitmap, without cut: [Int], quality: Int32) throws -> Data {
    let (width, height) = (bitmap.size.width, bitmap.size.height)
    let (x, y) = (width * cut[0] / 100, height * cut[1] / 100)
    let size = PixelSize(
      width: width - x - width * cut[2] / 100, height: height - y - height * cut[3] / 100)
    let part = bitmap.cropped(to: PixelRect(x: x, y: y, size: size))
    let half = part.scaled(to: PixelSize(width: size.width / 2, height: size.height / 2))
    return try #require(JPEGEncoder.encode(half, quality: quality))
  }

  private func shape(of data: Data) async throws -> PictureShape {
    try await PictureShape(of: data, decoder: decoder)
  }

  /// The numbers for more drawings are those of ``CropFinder/leastCorrelation``.
  @Test(arguments: [(percent: 1, least: 0.99), (3, 0.97), (5, 0.97), (10, 0.85)])
  func `parts of a drawing are found after another encoding`(
    percent: Int, least: Double
  ) async throws {
    var (found, count) = (0, 0)
    for seed in UInt64(0)..<12 {
      let bitmap = drawing(seed)
      let whole = PictureShape(of: bitmap)
      for (place, cut) in Self.cuts(percent).enumerated() {
        let file = try file(bitmap, without: cut, quality: Int32(60 + place * 2))
        let pairs = CropFinder([whole, try await shape(of: file)]).pairs()
        if !pairs.isEmpty { found += 1 }
        count += 1
      }
    }
    #expect(Double(found) >= least * Double(count), "\(found) of \(count)")
  }

  @Test(arguments: [(percent: 1, most: 0), (3, 2), (5, 2), (10, 8)])
  func `parts of a photo are found after another encoding`(
    percent: Int, most: Int
  ) async throws {
    let data = Data(try fixture("red-panda.jpg"))
    let bitmap = try await decoder.decode(data, covering: PixelSize(width: 360, height: 388)).bitmap
    let whole = try await shape(of: data)
    var missed = 0
    for cut in Self.cuts(percent) {
      for quality in [Int32(60), 80] {
        let file = try file(bitmap, without: cut, quality: quality)
        let pairs = CropFinder([try await shape(of: file), whole]).pairs()
        if !pairs.contains(where: { $0 == (whole: 1, part: 0) }) { missed += 1 }
      }
    }
    #expect(missed <= most, "\(missed) of 22 missed")
  }

  /// The last twelve are the nearest of 1,000: the same pose, season and weather.
  @Test func `different pandas and their parts are no pairs`() async throws {
    let alike: [UInt64] = [210, 421, 286, 325, 652, 636, 174, 764, 656, 62, 912, 941]
    let bitmaps = (Array(0..<48) + alike).map(drawing)
    var shapes = bitmaps.map { PictureShape(of: $0) }
    let photo = try await shape(of: Data(fixture("red-panda.jpg")))
    shapes.append(photo)
    #expect(CropFinder(shapes).pairs().isEmpty)
    for (index, bitmap) in bitmaps.enumerated().suffix(24) {
      let part = try file(bitmap, without: [3, 3, 3, 3], quality: 60)
      let pairs = CropFinder(shapes + [try await shape(of: part)]).pairs(since: shapes.count)
      #expect(pairs.allSatisfy { $0.whole == index || $0.part == index }, "\(index): \(pairs)")
    }
  }

  @Test func `the table finds what comparing each with each finds, and so do later pictures`() {
    let shapes = (0..<150).flatMap { number -> [PictureShape] in
      let bitmap = Self.waves(UInt64(number))
      let size = PixelSize(width: 92, height: 69)
      let part = bitmap.cropped(to: PixelRect(x: number % 5, y: number % 4, size: size))
      return [PictureShape(of: bitmap), PictureShape(of: part)]
    }
    let finder = CropFinder(shapes)
    let all = finder.pairs().map { [$0.whole, $0.part] }
    #expect(all.count > 100)
    // Of the first hundred, fewer are compared than a table needs.
    let later = finder.pairs(since: 100).map { [$0.whole, $0.part] }
    #expect(later == all.filter { $0.max()! >= 100 })
    #expect(finder.pairs(since: 300).isEmpty && CropFinder([]).pairs().isEmpty)
  }

  @Test func `a picture of one color is no part of anything`() {
    let even = PictureShape(
      of: Bitmap(
        size: PixelSize(width: 9, height: 9), pixels: [UInt8](repeating: 120, count: 324)))
    let nothing = PictureShape(of: Bitmap(size: PixelSize(width: 0, height: 0), pixels: []))
    let shapes = [even, even, nothing, PictureShape(of: Self.waves(1))]
    #expect(CropFinder(shapes).pairs().isEmpty)
  }

  @Test func `a shape is 512 bytes, and no other number makes one`() throws {
    let shape = PictureShape(of: Self.waves(3))
    #expect(shape.cells.count == 512)
    #expect(PictureShape(cells: shape.cells) == shape)
    #expect(
      PictureShape(cells: shape.cells.dropLast()) == nil && PictureShape(cells: Data()) == nil)
  }

  /// A picture of 96 x 72 with a few smooth waves.
  private static func waves(_ seed: UInt64) -> Bitmap {
    var generator = SeededGenerator(seed: seed)
    func random() -> Double { Double(generator.next() >> 11) / Double(1 << 53) }
    let waves = (0..<6).map { _ in (x: random() * 20 - 10, y: random() * 20 - 10, at: random() * 6)
    }
    var pixels: [UInt8] = []
    for y in 0..<72 {
      for x in 0..<96 {
        let sum = waves.reduce(0) {
          $0 + sin($1.x * Double(x) / 96 + $1.y * Double(y) / 72 + $1.at)
        }
        let gray = UInt8(127 + sum * 20)
        pixels += [gray, gray, gray, 255]
      }
    }
    return Bitmap(size: PixelSize(width: 96, height: 72), pixels: pixels)
  }
}
