internal import PictureCodecs

/// Chooses each cell's symbol and two colors, by the smallest error, from the blocks a terminal
/// shows.
///
/// The error is the sum of squared differences over a cell's 8x16 pixels. A symbol divides them in
/// two; the best colors are the means of its parts, and the best symbol is the one for which `|S|^2
/// / a + |T - S|^2 / (n - a)` is greatest, where S is the sum of the colors of its a pixels and T
/// that of all n. The sums of 52 symbols follow from those of 8 columns, 8 pairs of rows, 6
/// sextants and 4 quadrants, so trying all of them is cheap; of a symbol and its inverse only one
/// is tried.
///
/// The search is exact: no other choice from these symbols has a higher PSNR. libchafa examines 8x8
/// pixels per cell and only some of the symbols. ``SymbolColorReuse`` then gives up about 0.1 dB
/// for fewer bytes.
enum SymbolChooser {
  /// The number of pixels examined per cell.
  package static let cell = PixelSize(width: 8, height: 16)

  /// Returns the cells of a picture that has 8x16 pixels for each cell.
  ///
  /// Transparent parts count as black.
  ///
  /// - Parameter symbols: the available symbols; not ASCII.
  /// - Complexity: O(pixels); 3 ms on one core for 80x40 cells.
  static func cells(
    of bitmap: Bitmap, size: CellSize, _ symbols: PictureMethod.Symbols
  ) -> [SymbolPicture.Cell] {
    precondition(symbols != .ascii, "letters are chosen by libchafa")
    precondition(
      bitmap.size.width == size.columns * cell.width
        && bitmap.size.height == size.rows * cell.height, "the bitmap must fill the cells exactly")
    let count = size.columns * size.rows
    return [SymbolPicture.Cell](unsafeUninitializedCapacity: count) { cells, initialized in
      bitmap.pixels.withUnsafeBufferPointer { pixels in
        guard let pixels = pixels.baseAddress, let cells = cells.baseAddress else { return }
        // Each band writes its own cells.
        nonisolated(unsafe) let (first, result) = (pixels, cells)
        let stride = bitmap.size.width * 4
        RowBands.forEach(rows: size.rows, pixels: count * Int(Self.count)) { rows in
          for row in rows {
            var colors = SymbolColorReuse()
            for column in 0..<size.columns {
              let corner = first + row * cell.height * stride + column * cell.width * 4
              (result + row * size.columns + column).initialize(
                to: colors.cell(for: choose(CellSums(corner, stride: stride), symbols)))
            }
          }
        }
      }
      initialized = count
    }
  }

  private static let count = SymbolColorReuse.count

  private static func choose(
    _ sums: CellSums, _ symbols: PictureMethod.Symbols
  ) -> SymbolColorReuse.Choice {
    let total = sums.total
    var best = (symbol: UInt32(0x20), area: Float(0), sum: SIMD4<Float>.zero)
    // Slightly more than zero: a uniform cell, where all symbols are equal, gets no symbol.
    let flatScore = (total * total).sum() / count
    var bestScore = flatScore + 0.5
    func consider(_ symbol: UInt32, _ area: Float, _ sum: SIMD4<Float>) {
      let rest = total - sum
      let score = (sum * sum).sum() / area + (rest * rest).sum() / (count - area)
      if score > bestScore {
        bestScore = score
        best = (symbol, area, sum)
      }
    }

    let hasEighths = symbols != .halves
    // Lower eighths, U+2581 to U+2587, from the bottom; left eighths, U+258F to U+2589, from the
    // left.
    var lower = SIMD4<Float>.zero
    var left = SIMD4<Float>.zero
    for step in 1..<8 {
      lower += sums.rowPairs[8 - step]
      left += sums.columns[step - 1]
      guard hasEighths || step == 4 else { continue }
      consider(0x2580 + UInt32(step), Float(step * 16), lower)
      consider(0x2590 - UInt32(step), Float(step * 16), left)
    }
    if symbols != .halves {
      // Quadrants that are neither halves nor the inverse of another.
      let quadrants = sums.quadrants
      consider(0x2598, 32, quadrants[0])
      consider(0x259D, 32, quadrants[1])
      consider(0x2596, 32, quadrants[2])
      consider(0x2597, 32, quadrants[3])
      consider(0x259A, 64, quadrants[0] + quadrants[3])
    }
    if symbols == .sextants {
      // Sextants by their bits; those with the sixth are inverses.
      var sextantSums = InlineArray<32, SIMD4<Float>>(repeating: .zero)
      var areas = InlineArray<32, Float>(repeating: 0)
      for mask in 1..<32 {
        let lowest = mask.trailingZeroBitCount
        sextantSums[mask] = sextantSums[mask & (mask - 1)] + sums.sextants[lowest]
        areas[mask] = areas[mask & (mask - 1)] + CellSums.sextantAreas[lowest]
        // 0b010101 is the left half, which has its own code point.
        if mask == 21 { continue }
        consider(
          0x1FB00 + UInt32(mask) - (mask > 21 ? 2 : 1), areas[mask], sextantSums[mask])
      }
    }

    let background = (total - best.sum) / (count - best.area)
    let score = best.area > 0 ? bestScore : flatScore
    return SymbolColorReuse.Choice(
      symbol: best.symbol, area: best.area,
      foreground: best.area > 0 ? best.sum / best.area : background, background: background,
      mean: total / count, error: max(0, sums.squares.sum() - score), gain: score - flatScore)
  }
}

private struct CellSums {
  /// Rows 0 to 5, 6 to 10 and 11 to 15, each 4 columns wide.
  static let sextantAreas: InlineArray<6, Float> = [24, 24, 20, 20, 20, 20]

  var total = SIMD4<Float>.zero
  /// Of the colors' squares.
  var squares = SIMD4<Float>.zero
  var columns = InlineArray<8, SIMD4<Float>>(repeating: .zero)
  var rowPairs = InlineArray<8, SIMD4<Float>>(repeating: .zero)
  /// Upper left, upper right, middle left and so on.
  var sextants = InlineArray<6, SIMD4<Float>>(repeating: .zero)
  /// Upper left, upper right, lower left, lower right.
  var quadrants = InlineArray<4, SIMD4<Float>>(repeating: .zero)

  init(_ first: UnsafePointer<UInt8>, stride: Int) {
    for y in 0..<16 {
      let row = first + y * stride
      var left = SIMD4<Float>.zero
      var right = SIMD4<Float>.zero
      for x in 0..<8 {
        let pixel = row + x * 4
        var color = SIMD4<Float>(Float(pixel[0]), Float(pixel[1]), Float(pixel[2]), 0)
        if pixel[3] != 255 { color *= Float(pixel[3]) / 255 }
        columns[x] += color
        squares += color * color
        if x < 4 { left += color } else { right += color }
      }
      let third = y * 3 / 16
      sextants[third * 2] += left
      sextants[third * 2 + 1] += right
      let half = y < 8 ? 0 : 2
      quadrants[half] += left
      quadrants[half + 1] += right
      rowPairs[y / 2] += left + right
      total += left + right
    }
  }
}
