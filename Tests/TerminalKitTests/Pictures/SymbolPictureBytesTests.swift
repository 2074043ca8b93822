import Testing

@testable import PictureCodecs
@testable import TerminalKit

/// What a terminal shows of the bytes of symbols in direct colors.
@Suite struct SymbolPictureBytesTests {
  /// Returns the cells that the lines of a printed picture show; the foreground of a space is that
  /// of the picture's, since it is invisible.
  private func shown(_ picture: SymbolPicture, _ bytes: [UInt8]) throws -> [SymbolPicture.Cell] {
    var cells: [SymbolPicture.Cell] = []
    var colors: [Int: UInt32] = [:]
    var rest = String(decoding: bytes, as: UTF8.self).unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "\u{1B}" else {
        guard scalar != "\n" else { continue }
        let background = try #require(colors[48])
        let foreground = scalar == " " ? picture.cells[cells.count].foreground : colors[38]
        cells.append(
          .init(symbol: scalar, foreground: try #require(foreground), background: background))
        continue
      }
      #expect(rest.popFirst() == "[")
      let body = rest.prefix { $0 != "m" }
      rest = rest.dropFirst(body.count + 1)
      var numbers = String(body).split(separator: ";").map { UInt32($0)! }[...]
      if numbers == [0] { (colors, numbers) = ([:], []) }
      while let kind = numbers.popFirst() {
        #expect(numbers.popFirst() == 2)
        let color = numbers.prefix(3)
        colors[Int(kind)] = color.reduce(0) { $0 << 8 | $1 }
        numbers = numbers.dropFirst(3)
      }
    }
    return cells
  }

  @Test func `the terminal shows every cell although set colors are not resent`() throws {
    let colors: [UInt32] = [0x000000, 0xFF0A63, 0x0102C8]
    let symbols: [UnicodeScalar] = [" ", "▄", "▌", "\u{1FB00}"]
    var seed: UInt64 = 3
    let size = CellSize(columns: 40, rows: 8)
    func next(_ count: Int) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(seed >> 33) % count
    }
    let picture = SymbolPicture(
      size: size,
      cells: (0..<size.columns * size.rows).map { _ in
        .init(
          symbol: symbols[next(4)], foreground: colors[next(3)], background: colors[next(3)])
      })
    #expect(try shown(picture, picture.printed) == picture.cells)
  }

  @Test func `both colors are set by one sequence`() {
    let picture = SymbolPicture(
      size: CellSize(columns: 2, rows: 1),
      cells: [
        .init(symbol: "▄", foreground: 0x010203, background: 0x040506),
        .init(symbol: "▌", foreground: 0x010203, background: 0x070809),
      ])
    let text = String(decoding: picture.printed, as: UTF8.self)
    #expect(text == "\u{1B}[38;2;1;2;3;48;2;4;5;6m▄\u{1B}[48;2;7;8;9m▌\u{1B}[0m\n")
  }
}
