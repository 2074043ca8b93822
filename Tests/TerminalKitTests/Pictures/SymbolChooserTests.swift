import Testing

@testable import PictureCodecs
@testable import TerminalKit

@Suite struct SymbolChooserTests {
  /// A cell that `isInk` paints red on blue.
  func cell(_ isInk: (Int, Int) -> Bool) -> SymbolPicture.Cell {
    let bitmap = Bitmap(
      size: SymbolChooser.cell,
      pixels: (0..<16).flatMap { y in
        (0..<8).flatMap { x -> [UInt8] in isInk(x, y) ? [200, 10, 20, 255] : [10, 20, 200, 255] }
      })
    return SymbolChooser.cells(of: bitmap, size: CellSize(columns: 1, rows: 1), .sextants)[0]
  }

  /// Checks that a pattern is shown by a symbol, or by its inverse in swapped colors.
  func expect(
    _ symbol: Unicode.Scalar, inverse: Unicode.Scalar? = nil,
    sourceLocation: SourceLocation = #_sourceLocation, _ isInk: (Int, Int) -> Bool
  ) {
    let red: UInt32 = 0xC80A14
    let blue: UInt32 = 0x0A14C8
    let chosen = cell(isInk)
    let isItself = chosen == .init(symbol: symbol, foreground: red, background: blue)
    let isInverse =
      inverse.map { chosen == .init(symbol: $0, foreground: blue, background: red) } ?? false
    #expect(isItself || isInverse, "\(chosen)", sourceLocation: sourceLocation)
  }

  @Test func `one color is a space`() {
    #expect(cell { _, _ in false }.symbol == " ")
    #expect(cell { _, _ in false }.background == 0x0A14C8)
    #expect(cell { _, _ in true }.background == 0xC80A14)
  }

  @Test func `eighths from below and from the left`() throws {
    for step in 1..<8 {
      let lower = try #require(Unicode.Scalar(UInt32(0x2580 + step)))
      expect(lower, inverse: step == 4 ? "▀" : nil) { _, y in y >= 16 - step * 2 }
      let left = try #require(Unicode.Scalar(UInt32(0x2590 - step)))
      expect(left, inverse: step == 4 ? "▐" : nil) { x, _ in x < step }
    }
    // Their inverses are the same symbols in swapped colors.
    #expect(
      cell { _, y in y < 6 } == .init(symbol: "▅", foreground: 0x0A14C8, background: 0xC80A14))
  }

  @Test func `quadrants`() {
    expect("▘") { x, y in x < 4 && y < 8 }
    expect("▝") { x, y in x >= 4 && y < 8 }
    expect("▖") { x, y in x < 4 && y >= 8 }
    expect("▗") { x, y in x >= 4 && y >= 8 }
    expect("▚") { x, y in (x < 4) == (y < 8) }
  }

  @Test func `sextants, by their numbers in Unicode's chart`() {
    // BLOCK SEXTANT-1, -1234, -235 and -12345.
    expect("\u{1FB00}") { x, y in x < 4 && y < 6 }
    expect("\u{1FB0E}") { _, y in y < 11 }
    expect("\u{1FB14}") { x, y in
      let number = min(y * 3 / 16, 2) * 2 + (x < 4 ? 1 : 2)
      return [2, 3, 5].contains(number)
    }
    expect("\u{1FB1D}") { x, y in x < 4 || y < 11 }
  }

  @Test(arguments: [
    (PictureMethod.Symbols.quadrants, UInt32(0x2580)...0x259F), (.halves, 0x2580...0x2590),
  ])
  func `only symbols that the terminal shows are chosen`(
    _ symbols: PictureMethod.Symbols, allowed: ClosedRange<UInt32>
  ) {
    var seed: UInt64 = 7
    let size = CellSize(columns: 40, rows: 20)
    let bitmap = Bitmap(
      size: PixelSize(width: 320, height: 320),
      pixels: (0..<320 * 320).flatMap { index -> [UInt8] in
        // Noise in blocks of two by two pixels, so that every shape occurs.
        if index % 2 == 0 { seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407 }
        let value = UInt8(truncatingIfNeeded: seed >> 33) & 0x80
        return [value, value, value, 255]
      })
    let found = Set(SymbolChooser.cells(of: bitmap, size: size, symbols).map(\.symbol.value))
    let halves: Set<UInt32> = [0x2580, 0x2584, 0x258C, 0x2590]
    #expect(found.subtracting([0x20]).allSatisfy(allowed.contains), "\(found)")
    #expect(symbols != .halves || found.subtracting([0x20]).isSubset(of: halves))
    #expect(found.count > 2)
  }

  @Test func `colors are the means of their parts, and transparent is black`() {
    let bitmap = Bitmap(
      size: SymbolChooser.cell,
      pixels: (0..<16).flatMap { y in
        (0..<8).flatMap { x -> [UInt8] in
          y < 8 ? [x % 2 == 0 ? 100 : 200, 0, 0, 255] : [255, 255, 255, 0]
        }
      })
    let chosen = SymbolChooser.cells(of: bitmap, size: CellSize(columns: 1, rows: 1), .sextants)[0]
    #expect(chosen == .init(symbol: "▄", foreground: 0, background: 0x960000))
  }

  @Test func `bands on all cores match a single thread`() {
    let noise = Bitmap.noise(PixelSize(width: 500, height: 700))
    let size = CellSize(columns: 61, rows: 43)
    func cells() -> [SymbolPicture.Cell] {
      SymbolChooser.cells(
        of: noise.scaled(filling: size, cell: SymbolChooser.cell), size: size, .sextants)
    }
    let serial = RowBands.$pixels.withValue(.max) { cells() }
    // As many bands as rows, and as usual.
    #expect(RowBands.$pixels.withValue(1) { cells() } == serial)
    #expect(cells() == serial)
  }
}

extension Bitmap {
  /// Returns a picture of random colors and alphas, the same ones each time.
  fileprivate static func noise(_ size: PixelSize) -> Bitmap {
    var seed: UInt64 = 5
    return Bitmap(
      size: size,
      pixels: (0..<size.width * size.height * 4).map { _ in
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: seed >> 33)
      })
  }
}
