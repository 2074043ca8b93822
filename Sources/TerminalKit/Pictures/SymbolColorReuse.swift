/// Keeps the colors that a row of cells has set already, where the difference is too small to see.
///
/// A terminal receives up to 19 bytes for each color. A cell's symbol in its best colors still
/// differs from the picture; where other colors, or a space, add little to that difference, they
/// are as good. In flat parts nearly nothing may be added, so that gradients stay smooth.
struct SymbolColorReuse {
  /// A cell's best symbol and colors, and how well they show its pixels.
  struct Choice {
    var symbol: UInt32
    /// The number of pixels in the foreground.
    var area: Float
    var foreground: SIMD4<Float>
    var background: SIMD4<Float>
    var mean: SIMD4<Float>
    /// The sum of squared differences of the best colors, and how much more it is with the mean.
    var error: Float
    var gain: Float
  }

  /// The number of pixels of a cell.
  static let count: Float = 128
  /// The part of a cell's error that may be added: 1.5 dB if all cells took it; photos lose 0.1.
  private static let share: Float = 0.4
  /// The error that may be added in any case: 0.7 steps of each channel.
  private static let least: Float = count * 3 / 2
  /// The price of setting a color, as an error: 6.5 steps of each channel.
  ///
  /// The fewest bytes at any cost below the limits take 0.15 dB more for the same size.
  private static let price: Float = 16_000

  /// The colors that are set.
  private var foreground: UInt32?
  private var background: UInt32?

  /// Returns the cell to show for the next choice in a row.
  mutating func cell(for choice: Choice) -> SymbolPicture.Cell {
    var best = (
      cell: SymbolPicture.Cell(
        symbol: UnicodeScalar(choice.symbol) ?? " ", foreground: Self.color(choice.foreground),
        background: Self.color(choice.background)), cost: Float.infinity
    )
    let limit = max(Self.least, choice.error * Self.share)
    func consider(
      _ symbol: UInt32, _ foreground: UInt32, _ background: UInt32, colors: Int, _ added: Float
    ) {
      let cost = added + Float(colors) * Self.price
      guard added <= limit, cost < best.cost else { return }
      let cell = SymbolPicture.Cell(
        symbol: UnicodeScalar(symbol) ?? " ", foreground: foreground, background: background)
      best = (cell, cost)
    }

    let mean = Self.color(choice.mean)
    consider(0x20, mean, mean, colors: 1, choice.gain)
    if let background {
      consider(
        0x20, background, background, colors: 0,
        choice.gain + Self.difference(background, choice.mean) * Self.count)
    }
    if choice.area > 0 {
      considerReuse(choice.symbol, choice.foreground, choice.background, choice.area)
      if let inverse = Self.inverse(of: choice.symbol) {
        considerReuse(inverse, choice.background, choice.foreground, Self.count - choice.area)
      }
    }
    func considerReuse(
      _ symbol: UInt32, _ ink: SIMD4<Float>, _ paper: SIMD4<Float>, _ area: Float
    ) {
      let (newInk, newPaper) = (Self.color(ink), Self.color(paper))
      let addedInk = foreground.map { Self.difference($0, ink) * area }
      let addedPaper = background.map { Self.difference($0, paper) * (Self.count - area) }
      consider(symbol, newInk, newPaper, colors: 2, 0)
      if let foreground, let addedInk {
        consider(symbol, foreground, newPaper, colors: 1, addedInk)
        if let background, let addedPaper {
          consider(symbol, foreground, background, colors: 0, addedInk + addedPaper)
        }
      }
      if let background, let addedPaper {
        consider(symbol, newInk, background, colors: 1, addedPaper)
      }
    }

    if best.cell.symbol != " " { foreground = best.cell.foreground }
    background = best.cell.background
    return best.cell
  }

  /// Returns 0xRRGGBB.
  private static func color(_ mean: SIMD4<Float>) -> UInt32 {
    let channels = SIMD4<UInt32>(clamping: SIMD4<Int32>(mean + 0.5))
    return channels.x << 16 | channels.y << 8 | channels.z
  }

  /// Returns the squared difference of two colors.
  private static func difference(_ color: UInt32, _ mean: SIMD4<Float>) -> Float {
    let channels = SIMD4<Float>(
      Float(color >> 16 & 0xFF), Float(color >> 8 & 0xFF), Float(color & 0xFF), 0)
    let difference = channels - mean
    return (difference * difference).sum()
  }

  /// Returns the symbol with foreground and background swapped, if the terminal shows it too.
  private static func inverse(of symbol: UInt32) -> UInt32? {
    switch symbol {
    case 0x2584: 0x2580
    case 0x258C: 0x2590
    case 0x2596: 0x259C
    case 0x2597: 0x259B
    case 0x2598: 0x259F
    case 0x259A: 0x259E
    case 0x259D: 0x2599
    // Sextants are numbered by their bits, without those of the two half blocks.
    case 0x1FB00...0x1FB1D: 0x1FB3B - (symbol - 0x1FB00)
    default: nil
    }
  }
}
