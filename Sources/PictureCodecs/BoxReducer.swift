/// Averages whole boxes of pixels as rows arrive.
///
/// A large picture is therefore never entirely in memory: the reducer holds one row of sums and the
/// result. A picture of w x h becomes ceil(w / factor) x ceil(h / factor); boxes at the right and
/// bottom edges average the pixels they have. Colors are weighted by alpha unless the picture is
/// opaque.
struct BoxReducer {
  /// The size of the result.
  package let size: PixelSize

  private let source: PixelSize
  private let factor: Int
  private let isOpaque: Bool

  // Red, green, blue and alpha of each box; with alpha the colors are multiplied by it. A box has
  // up to 50 million pixels of 255 * 255: more than 32 bits, but one row of a box fits into them.
  private var sums: [UInt64]
  private var rowsInBox = 0
  private var rowsDone = 0
  private var pixels: [UInt8]

  /// Prepares a reduction.
  ///
  /// - Precondition: The source is not empty and the factor is at least 1.
  init(source: PixelSize, factor: Int, isOpaque: Bool) {
    precondition(source.width > 0 && source.height > 0 && factor > 0)
    self.source = source
    self.factor = factor
    self.isOpaque = isOpaque
    size = PixelSize(
      width: (source.width + factor - 1) / factor, height: (source.height + factor - 1) / factor)
    sums = [UInt64](repeating: 0, count: factor == 1 ? 0 : size.width * 4)
    pixels = [UInt8](repeating: 0, count: size.width * size.height * 4)
  }

  /// Returns the largest factor that keeps both sides at least as large as the target's.
  ///
  /// The result's tighter side is then less than twice the target's.
  package static func factor(from source: PixelSize, covering target: PixelSize) -> Int {
    max(1, min(source.width / max(1, target.width), source.height / max(1, target.height)))
  }

  /// Adds the next row.
  ///
  /// It has `source.width * 4` bytes. Rows after the last are ignored.
  package mutating func add(_ row: UnsafePointer<UInt8>) {
    guard rowsDone < size.height else { return }
    if factor == 1 {
      pixels.withUnsafeMutableBytes { pixels in
        let start = rowsDone * source.width * 4
        pixels.baseAddress!.advanced(by: start).copyMemory(from: row, byteCount: source.width * 4)
      }
      rowsDone += 1
      return
    }
    if isOpaque { addOpaque(row) } else { addWeighted(row) }
    rowsInBox += 1
    if rowsInBox == factor { endBoxes() }
  }

  /// Finishes the reduction.
  ///
  /// Missing rows are transparent; incomplete boxes average the rows they have.
  consuming func finish() -> Bitmap {
    if rowsInBox > 0 { endBoxes() }
    return Bitmap(size: size, pixels: pixels)
  }

  private mutating func addOpaque(_ row: UnsafePointer<UInt8>) {
    let (width, factor) = (source.width, factor)
    sums.withUnsafeMutableBufferPointer { sums in
      var (x, out) = (0, 0)
      while x < width {
        let end = min(x + factor, width)
        var (red, green, blue) = (UInt32(0), UInt32(0), UInt32(0))
        while x < end {
          red &+= UInt32(row[x &* 4])
          green &+= UInt32(row[x &* 4 &+ 1])
          blue &+= UInt32(row[x &* 4 &+ 2])
          x &+= 1
        }
        sums[out] &+= UInt64(red)
        sums[out &+ 1] &+= UInt64(green)
        sums[out &+ 2] &+= UInt64(blue)
        out &+= 4
      }
    }
  }

  private mutating func addWeighted(_ row: UnsafePointer<UInt8>) {
    let (width, factor) = (source.width, factor)
    sums.withUnsafeMutableBufferPointer { sums in
      var (x, out) = (0, 0)
      while x < width {
        let end = min(x + factor, width)
        var (red, green, blue, alpha) = (UInt32(0), UInt32(0), UInt32(0), UInt32(0))
        while x < end {
          let weight = UInt32(row[x &* 4 &+ 3])
          red &+= UInt32(row[x &* 4]) &* weight
          green &+= UInt32(row[x &* 4 &+ 1]) &* weight
          blue &+= UInt32(row[x &* 4 &+ 2]) &* weight
          alpha &+= weight
          x &+= 1
        }
        sums[out] &+= UInt64(red)
        sums[out &+ 1] &+= UInt64(green)
        sums[out &+ 2] &+= UInt64(blue)
        sums[out &+ 3] &+= UInt64(alpha)
        out &+= 4
      }
    }
  }

  /// Writes one row of the result and resets the sums.
  private mutating func endBoxes() {
    let (source, size, factor, isOpaque) = (source, size, factor, isOpaque)
    let (rows, start) = (rowsInBox, rowsDone * size.width * 4)
    sums.withUnsafeMutableBufferPointer { sums in
      pixels.withUnsafeMutableBufferPointer { pixels in
        var x = 0
        while x < size.width {
          let (from, into) = (x &* 4, start &+ x &* 4)
          let count = min(factor, source.width &- x &* factor) &* rows
          // One division per pixel instead of four: sums stay far below Double's 53 bits.
          let weight = isOpaque ? 1 / Double(count) : 1 / max(1, Double(sums[from &+ 3]))
          pixels[into] = UInt8(Double(sums[from]) * weight + 0.5)
          pixels[into &+ 1] = UInt8(Double(sums[from &+ 1]) * weight + 0.5)
          pixels[into &+ 2] = UInt8(Double(sums[from &+ 2]) * weight + 0.5)
          pixels[into &+ 3] =
            isOpaque ? 255 : UInt8(Double(sums[from &+ 3]) / Double(count) + 0.5)
          x &+= 1
        }
      }
      sums.update(repeating: 0)
    }
    rowsInBox = 0
    rowsDone += 1
  }
}
