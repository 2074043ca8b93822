import PandaCore
import Testing

@testable import PandaTUI

@Suite struct SymbolOutputTests {
  /// Left half red, right half blue, the last row of pixels transparent.
  let bitmap = Bitmap(
    size: PixelSize(width: 16, height: 32),
    pixels: (0..<32).flatMap { y in
      (0..<16).flatMap { x -> [UInt8] in
        y == 31 ? [255, 255, 255, 0] : x < 8 ? [200, 0, 0, 255] : [0, 0, 200, 255]
      }
    })

  @Test func `each cell shows the colours of its part of the picture`() throws {
    let picture = try #require(
      SymbolOutput(symbols: .blocks).prepare(bitmap, filling: CellSize(columns: 2, rows: 2))
        as? SymbolPicture)
    let colors = picture.cells.map { cell in
      // A space shows its background only, a full block its foreground only.
      cell.symbol == "█" ? cell.foreground : cell.background
    }
    #expect(colors[0] >> 16 > 150 && colors[0] & 0xFF < 60)
    #expect(colors[1] >> 16 < 60 && colors[1] & 0xFF > 150)
  }

  @Test(arguments: [(1, 1), (80, 24), (3, 1)])
  func `any size is filled exactly`(_ columns: Int, _ rows: Int) {
    let size = CellSize(columns: columns, rows: rows)
    #expect(SymbolOutput(symbols: .blocks).prepare(bitmap, filling: size).size == size)
  }

  @Test func `where the locale has ASCII only, so has the picture`() throws {
    let picture = try #require(
      SymbolOutput(symbols: .ascii).prepare(bitmap, filling: CellSize(columns: 8, rows: 4))
        as? SymbolPicture)
    #expect(picture.cells.allSatisfy { $0.symbol.isASCII })
  }
}
