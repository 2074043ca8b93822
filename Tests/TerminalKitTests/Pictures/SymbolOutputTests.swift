import Testing

@testable import PictureCodecs
@testable import TerminalKit

@Suite struct SymbolOutputTests {
  /// Left half red, right half blue, the last row of pixels transparent.
  let bitmap = Bitmap(
    size: PixelSize(width: 16, height: 32),
    pixels: (0..<32).flatMap { y in
      (0..<16).flatMap { x -> [UInt8] in
        y == 31 ? [255, 255, 255, 0] : x < 8 ? [200, 0, 0, 255] : [0, 0, 200, 255]
      }
    })

  let cell = PixelSize(width: 8, height: 16)

  @Test func `each cell shows the colors of its part of the picture`() throws {
    let picture = try #require(
      SymbolOutput(symbols: .sextants).prepare(
        bitmap, encoded: nil, filling: CellSize(columns: 2, rows: 2), cell: cell)
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
    let picture = SymbolOutput(symbols: .sextants).prepare(
      bitmap, encoded: nil, filling: size, cell: cell)
    #expect(picture.size == size)
  }

  @Test func `in an ASCII locale the picture is ASCII too`() throws {
    let picture = try #require(
      SymbolOutput(symbols: .ascii).prepare(
        bitmap, encoded: nil, filling: CellSize(columns: 8, rows: 4), cell: cell)
        as? SymbolPicture)
    #expect(picture.cells.allSatisfy { $0.symbol.isASCII })
  }

  @Test(arguments: [8, 16, 256, 0])
  func `libchafa chooses only symbols that the terminal shows`(_ colors: Int) throws {
    var seed: UInt64 = 11
    let noise = Bitmap(
      size: PixelSize(width: 320, height: 320),
      pixels: (0..<320 * 320 * 4).map { index -> UInt8 in
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return index % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: seed >> 33)
      })
    let allowed: [(PictureMethod.Symbols, Set<UInt32>)] = [
      (.sextants, Set(0x2580...0x259F).union(0x1FB00...0x1FB3B)),
      (.quadrants, Set(0x2580...0x259F)),
      (.halves, [0x2580, 0x2584, 0x2588, 0x258C, 0x2590]), (.ascii, Set(0x20...0x7E)),
    ]
    for (symbols, allowed) in allowed {
      let output = SymbolOutput(
        symbols: symbols, colors: colors == 0 ? .none : .palette(palette(colors)))
      let picture = try #require(
        output.prepare(noise, encoded: nil, filling: CellSize(columns: 40, rows: 20), cell: cell)
          as? SymbolPicture)
      let found = Set(picture.cells.map(\.symbol.value)).subtracting([0x20])
      #expect(found.isSubset(of: allowed), "\(symbols): \(found.subtracting(allowed))")
      #expect(!found.isEmpty)
    }
  }

  func palette(_ count: Int) -> TerminalPalette {
    TerminalPalette(
      foreground: (0..<count).map { Array("<f\($0)>".utf8) },
      background: (0..<count).map { Array("<b\($0)>".utf8) }, reset: Array("<r>".utf8))
  }

  func drawn(_ colors: SymbolColors) -> String {
    let picture = SymbolOutput(symbols: .sextants, colors: colors).prepare(
      bitmap, encoded: nil, filling: CellSize(columns: 4, rows: 2), cell: cell)
    var bytes: [UInt8] = []
    picture.draw(picture.whole, at: CellPoint(column: 0, row: 0), into: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The numbers of the colors in what was drawn.
  func numbers(in text: String) -> [Int] {
    text.split(separator: ">").compactMap { piece in
      piece.lastIndex(where: { $0 == "f" || $0 == "b" }).flatMap {
        Int(piece[piece.index(after: $0)...])
      }
    }
  }

  @Test func `palette colors use the terminal's own sequences`() {
    let few = numbers(in: drawn(.palette(palette(8))))
    #expect(!few.isEmpty && few.allSatisfy { (0..<8).contains($0) })
    let sixteen = numbers(in: drawn(.palette(palette(16))))
    #expect(!sixteen.isEmpty && sixteen.allSatisfy { (0..<16).contains($0) })
    // The first 16 of 256 are what each person has made of them.
    let many = numbers(in: drawn(.palette(palette(256))))
    #expect(!many.isEmpty && many.allSatisfy { (16..<256).contains($0) })
    #expect(drawn(.palette(palette(256))).hasSuffix("<r>"))
  }

  @Test func `without colors there are symbols only`() {
    let text = drawn(.none)
    #expect(!text.contains("\u{1B}[38") && !text.contains("\u{1B}[0m"))
    // Two moves of the cursor, and eight symbols.
    #expect(text.split(separator: "H").count == 3)
    #expect(text.replacing(/\u{1B}\[[0-9;]*H/, with: "").count == 8)
  }
}
