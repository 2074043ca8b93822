/// What is left of a picture after each of many cuts, in bits.
///
/// Of the mean grays of 17 cells along an axis, a bit tells whether a cell is lighter than the one
/// before. They are taken along the width of the upper and of the lower half of the picture, and
/// along the height of the left and of the right half: four words.
struct CropSketch {
  typealias Words = SIMD4<UInt16>

  /// The cuts at one end of an axis.
  private static let cuts: [Float] = [0, 0.025, 0.05, 0.075, 0.1]

  /// The most bits by which a word of a part differs from that of the best cut.
  static let mostBits = 3

  /// The most bits by which all four do.
  private static let mostBitsOfAll = 7

  /// The words for each cut at the beginning and the end of an axis; the first is for none.
  let words: [Words]

  /// The words of the whole picture.
  var whole: Words { words[0] }

  /// Makes the sketch of 32 x 32 levels.
  init(_ levels: [Float]) {
    let sums = Self.sums(levels)
    words = Self.cuts.flatMap { start in Self.cuts.map { Self.words(sums, start, $0) } }
  }

  /// Returns the cut after which the picture is nearest to another one; nil if it is not near.
  func cut(nearestTo other: Words) -> Cut? {
    guard let across = nearest(to: other, words: 0), let down = nearest(to: other, words: 2),
      across.bits + down.bits <= Self.mostBitsOfAll
    else { return nil }
    return Cut(left: across.start, top: down.start, right: across.end, bottom: down.end)
  }

  /// Returns the best cut along one axis, and the different bits after it.
  private func nearest(
    to other: Words, words first: Int
  ) -> (start: Float, end: Float, bits: Int)? {
    var best: Int?
    var least = Self.mostBitsOfAll + 1
    for index in words.indices {
      let different = words[index] ^ other
      let (one, two) = (different[first].nonzeroBitCount, different[first + 1].nonzeroBitCount)
      guard one <= Self.mostBits, two <= Self.mostBits, one + two < least else { continue }
      (best, least) = (index, one + two)
    }
    let count = Self.cuts.count
    return best.map { (Self.cuts[$0 / count], Self.cuts[$0 % count], least) }
  }

  /// Returns the sums of the grays before each cell along the axis of each word.
  private static func sums(_ levels: [Float]) -> [SIMD4<Float>] {
    let side = PictureShape.side
    var sums = [SIMD4<Float>](repeating: SIMD4(), count: side + 1)
    for line in 0..<side {
      // The halves overlap, so that a cut moves little from one to the other.
      let place = (Float(line) + 0.5) / Float(side)
      let first = min(max((0.65 - place) / 0.3, 0), 1)
      let second = min(max((place - 0.35) / 0.3, 0), 1)
      let weights = SIMD4(first, second, first, second)
      for cell in 0..<side {
        let across = levels[line * side + cell]
        let down = levels[cell * side + line]
        sums[cell + 1] += weights * SIMD4(across, across, down, down)
      }
    }
    for cell in 0..<side { sums[cell + 1] += sums[cell] }
    return sums
  }

  private static func words(_ sums: [SIMD4<Float>], _ start: Float, _ end: Float) -> Words {
    let side = Float(PictureShape.side)
    var words = Words()
    var (before, last) = (SIMD4<Float>(), SIMD4<Float>())
    for corner in 0...17 {
      let place = side * (start + (1 - start - end) * Float(corner) / 17)
      let index = min(Int(place), PictureShape.side - 1)
      let sum = sums[index] + (sums[index + 1] - sums[index]) * (place - Float(index))
      let gray = sum - before
      if corner > 1 {
        words = (words &<< 1) | Words().replacing(with: 1, where: lighter(gray, last))
      }
      (before, last) = (sum, gray)
    }
    return words
  }

  private static func lighter(
    _ one: SIMD4<Float>, _ other: SIMD4<Float>
  ) -> SIMDMask<SIMD4<Int16>> {
    let mask = one .> other
    var lighter = SIMDMask<SIMD4<Int16>>()
    for lane in 0..<4 { lighter[lane] = mask[lane] }
    return lighter
  }
}

/// A table of the words that differ in few bits from one of a sketch: a bit for each word.
struct NearWords {
  /// What the bits of a near word may differ by.
  private static let differences: [UInt16] = (0...UInt16.max).filter {
    $0.nonzeroBitCount <= CropSketch.mostBits
  }

  private var bits = [UInt64](repeating: 0, count: 4 * 1_024)

  /// Replaces the table by that of a sketch.
  ///
  /// - Complexity: 697 bits for each of at most 100 different words, about 0.1 milliseconds.
  mutating func fill(_ sketch: CropSketch) {
    bits.withUnsafeMutableBufferPointer { bits in
      bits.update(repeating: 0)
      for axis in 0..<4 {
        for word in Set(sketch.words.map { $0[axis] }) {
          for difference in Self.differences {
            let near = Int(word ^ difference)
            bits[axis << 10 | near >> 6] |= 1 << UInt64(near & 63)
          }
        }
      }
    }
  }

  /// Returns whether each word is near one for the same axis and half.
  func contains(_ words: CropSketch.Words) -> Bool {
    for axis in 0..<4 {
      let word = Int(words[axis])
      guard bits[axis << 10 | word >> 6] >> UInt64(word & 63) & 1 == 1 else { return false }
    }
    return true
  }
}
