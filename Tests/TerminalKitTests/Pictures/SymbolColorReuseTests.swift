import Testing

@testable import PictureCodecs
@testable import TerminalKit

@Suite struct SymbolColorReuseTests {
  private let red = SIMD4<Float>(200, 10, 20, 0)
  private let blue = SIMD4<Float>(10, 20, 200, 0)
  private let step = SIMD4<Float>(1, 1, 1, 0)

  /// A cell whose upper left quadrant has one color, and the rest another.
  private func quadrant(
    _ foreground: SIMD4<Float>, _ background: SIMD4<Float>, error: Float
  ) -> SymbolColorReuse.Choice {
    let mean = (foreground * 32 + background * 96) / 128
    let difference = foreground - background
    return SymbolColorReuse.Choice(
      symbol: 0x2598, area: 32, foreground: foreground, background: background, mean: mean,
      error: error, gain: (difference * difference).sum() * 32 * 96 / 128)
  }

  @Test func `colors that hardly differ are kept`() {
    var colors = SymbolColorReuse()
    let first = colors.cell(for: quadrant(red, blue, error: 0))
    #expect(first == .init(symbol: "▘", foreground: 0xC80A14, background: 0x0A14C8))
    #expect(colors.cell(for: quadrant(red + 0.6 * step, blue - 0.6 * step, error: 0)) == first)
  }

  @Test func `colors are kept in the inverse of a symbol too`() {
    var colors = SymbolColorReuse()
    _ = colors.cell(for: quadrant(red, blue, error: 0))
    #expect(
      colors.cell(for: quadrant(blue, red, error: 0))
        == .init(symbol: "▟", foreground: 0xC80A14, background: 0x0A14C8))
  }

  @Test func `a cell that is already inexact tolerates a larger color difference`() {
    for (error, isKept) in [(Float(0), false), (100_000, true)] {
      var colors = SymbolColorReuse()
      let first = colors.cell(for: quadrant(red, blue, error: error))
      let second = colors.cell(for: quadrant(red + 4 * step, blue - 4 * step, error: error))
      #expect((second == first) == isKept)
    }
  }

  @Test func `a color is set where keeping another would add too much for its bytes`() {
    var colors = SymbolColorReuse()
    _ = colors.cell(for: quadrant(red, blue, error: 1_000_000))
    // 96 pixels of a quadrant's rest: 20 steps away is more than a color may save.
    let second = colors.cell(for: quadrant(red, blue + 20 * step, error: 1_000_000))
    #expect(second == .init(symbol: "▘", foreground: 0xC80A14, background: 0x1E28DC))
  }

  @Test func `a cell of nearly one color is a space`() {
    var colors = SymbolColorReuse()
    let cell = colors.cell(for: quadrant(red, red + SIMD4(2, 0, 0, 0), error: 0))
    #expect(cell == .init(symbol: " ", foreground: 0xCA0A14, background: 0xCA0A14))
  }

  @Test func `an inverse paints exactly what its symbol leaves out`() throws {
    // All patterns of six parts, and of four quadrants; the upper third is an eighth block.
    for mask in 1..<63 where mask != 3 && mask != 60 {
      try expectInverse { x, y in mask & 1 << (min(y * 3 / 16, 2) * 2 + x / 4) != 0 }
    }
    for mask in 1..<15 { try expectInverse { x, y in mask & 1 << (y / 8 * 2 + x / 4) != 0 } }
  }

  /// Checks that a cell after one in swapped colors keeps these colors.
  private func expectInverse(_ isInk: (Int, Int) -> Bool) throws {
    let bitmap = Bitmap(
      size: PixelSize(width: 16, height: 16),
      pixels: (0..<16).flatMap { y in
        (0..<16).flatMap { x -> [UInt8] in
          isInk(x % 8, y) == (x < 8) ? [200, 10, 20, 255] : [10, 20, 200, 255]
        }
      })
    let cells = SymbolChooser.cells(of: bitmap, size: CellSize(columns: 2, rows: 1), .sextants)
    #expect(cells[0].foreground == cells[1].foreground)
    #expect(cells[0].background == cells[1].background)
    #expect(try isForeground(cells[0].symbol, isInk) != isForeground(cells[1].symbol, isInk))
  }

  /// Returns whether a symbol paints a pattern rather than what the pattern leaves out.
  ///
  /// Fails if it paints neither.
  private func isForeground(
    _ symbol: UnicodeScalar, _ isInk: (Int, Int) -> Bool
  ) throws -> Bool {
    let pixels = (0..<16).flatMap { y in (0..<8).map { x in (x, y) } }
    let shape = try #require(SymbolShape.ink(symbol))
    let equal = pixels.filter { shape($0.0, $0.1) == isInk($0.0, $0.1) }.count
    try #require(equal == 0 || equal == pixels.count, "\(symbol.value)")
    return equal > 0
  }
}

/// The shapes of symbols in Unicode's charts of Block Elements and Symbols for Legacy Computing.
private enum SymbolShape {
  /// Returns which of a cell's 8x16 pixels a symbol paints; nil if it is none of these.
  static func ink(_ symbol: UnicodeScalar) -> ((Int, Int) -> Bool)? {
    let value = Int(symbol.value)
    switch value {
    case 0x2580: return { _, y in y < 8 }
    case 0x2584: return { _, y in y >= 8 }
    case 0x258C: return { x, _ in x < 4 }
    case 0x2590: return { x, _ in x >= 4 }
    case 0x2596...0x259F:
      // Bits: upper left, upper right, lower left, lower right.
      let mask = [4, 8, 1, 13, 9, 7, 11, 2, 6, 14][value - 0x2596]
      return { x, y in mask & 1 << (y / 8 * 2 + x / 4) != 0 }
    case 0x1FB00...0x1FB3B:
      // Numbered by their bits, without those of the two half blocks.
      var mask = value - 0x1FB00 + 1
      if mask >= 0b010101 { mask += 1 }
      if mask >= 0b101010 { mask += 1 }
      return { x, y in mask & 1 << (min(y * 3 / 16, 2) * 2 + x / 4) != 0 }
    default: return nil
    }
  }
}
