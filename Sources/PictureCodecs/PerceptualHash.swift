package import FoundationEssentials

/// A fingerprint of a picture's look, which hardly changes with its size, format or quality.
///
/// This is the difference hash (dHash) in both directions: of the picture reduced to 9 x 8 gray
/// pixels, a bit tells whether a pixel is lighter than its left neighbor; of 8 x 9 pixels, whether
/// one is lighter than the one above. Of drawings with the same pose, 64 bits take some for one.
package struct PerceptualHash: Hashable, Sendable {
  /// The steps from left to right, row by row.
  package let across: UInt64
  /// The steps from top to bottom.
  package let down: UInt64

  /// The greatest number of different bits between pictures that look the same.
  ///
  /// Sizes from a quarter to twice as large change up to 7 bits, and so do JPEG and WebP from a
  /// quality of 10 on. A crop changes more, as measured with 40 drawings. So many of them are near:
  ///
  /// | loss of the width or height | at one edge | at all edges |
  /// | --- | --- | --- |
  /// | 1 percent | 159 of 160 | 36 of 40 |
  /// | 2 percent | 104 of 160 | 10 of 40 |
  /// | 3 percent | 35 of 160 | 1 of 40 |
  /// | 5 percent | 1 of 160 | 0 of 40 |
  ///
  /// A greater distance would not do: of 79,800 pairs of different drawings, the nearest differ in
  /// 8 bits, and 77 in no more than 15, as half of the crops by 3 percent at all edges do.
  package static let nearDistance = 7

  /// A neighbor must be lighter by this much, of 255: less is noise in an even area.
  private static let leastStep: Float = 1

  /// The size at which a picture is decoded: the hash of more pixels is the same.
  private static let decodedSize = PixelSize(width: 72, height: 72)

  package init(across: UInt64, down: UInt64) {
    self.across = across
    self.down = down
  }

  package init(of bitmap: Bitmap) {
    across = Self.bits(of: bitmap, columns: 9, rows: 8, step: 1)
    down = Self.bits(of: bitmap, columns: 8, rows: 9, step: 8)
  }

  /// Computes the hash of a picture file, off the caller's actor.
  ///
  /// - Throws: what ``PictureDecoder/decode(_:covering:)`` throws.
  package init(of data: Data, decoder: PictureDecoder) async throws {
    self.init(of: try await decoder.decode(data, covering: Self.decodedSize).bitmap)
  }

  /// Whether the picture has anything that distinguishes it: one of a single color has not.
  package var isDistinct: Bool { across | down != 0 }

  /// Returns the number of bits that differ.
  package func distance(to other: PerceptualHash) -> Int {
    (across ^ other.across).nonzeroBitCount + (down ^ other.down).nonzeroBitCount
  }

  /// Compares each of 8 x 8 pixels with the one so many pixels after it.
  private static func bits(of bitmap: Bitmap, columns: Int, rows: Int, step: Int) -> UInt64 {
    let small = bitmap.scaled(to: PixelSize(width: columns, height: rows))
    let grays = small.grays
    var bits: UInt64 = 0
    for row in 0..<8 {
      for column in 0..<8 {
        let place = row * columns + column
        bits = bits << 1 | (grays[place + step] - grays[place] > leastStep ? 1 : 0)
      }
    }
    return bits
  }
}

extension Bitmap {
  /// The luma of each pixel from 0 to 255; a transparent one is black.
  fileprivate var grays: [Float] {
    (0..<size.width * size.height).map { pixel in
      let color = pixels[(pixel * 4)..<(pixel * 4 + 4)].map(Float.init)
      return (0.299 * color[0] + 0.587 * color[1] + 0.114 * color[2]) * color[3] / 255
    }
  }
}
