import Glibc
import Testing

@testable import TerminalKit

@Suite struct CanvasTests {
  init() throws {
    // The tests' own, whatever the environment says: the locale belongs to the whole process.
    try #require(setlocale(LC_CTYPE, "C.UTF-8") != nil)
  }

  func picture(_ columns: Int, _ rows: Int) -> SymbolPicture {
    SymbolPicture(
      size: CellSize(columns: columns, rows: rows),
      cells: (0..<columns * rows).map {
        SymbolPicture.Cell(symbol: "▄", foreground: UInt32($0), background: 0x010203)
      })
  }

  @Test func `text is clipped at the edges`() {
    var canvas = Canvas(size: CellSize(columns: 5, rows: 2))
    canvas.draw("panda", at: CellPoint(column: 3, row: 0))
    canvas.draw("panda", at: CellPoint(column: -3, row: 1))
    canvas.draw("panda", at: CellPoint(column: 0, row: 7))
    #expect(canvas.text == "   pa\nda   ")
  }

  @Test func `a wide character fills two cells, or none`() {
    var canvas = Canvas(size: CellSize(columns: 5, rows: 1))
    canvas.draw("熊猫熊", at: CellPoint(column: 0, row: 0))
    #expect(canvas.rows[0].map(\.text) == ["熊", "", "猫", "", " "])
    canvas.draw("x", at: CellPoint(column: 1, row: 0))
    #expect(canvas.rows[0].map(\.text) == [" ", "x", "猫", "", " "])
    canvas.draw("x", at: CellPoint(column: 2, row: 0))
    #expect(canvas.rows[0].map(\.text) == [" ", "x", "x", " ", " "])
  }

  @Test func `guard cells lie under a picture, and later drawing covers it`() {
    var canvas = Canvas(size: CellSize(columns: 8, rows: 3))
    let rect = CellRect(column: 2, row: 1, columns: 5, rows: 2)
    canvas.place(picture(5, 2), in: rect, clip: CellRect(canvas.size))
    #expect(canvas.columnsUnderPicture(row: 0, in: rect.columnRange).isEmpty)
    #expect(canvas.columnsUnderPicture(row: 1, in: rect.columnRange) == [2..<7])
    canvas.draw("xy", at: CellPoint(column: 3, row: 1))
    #expect(canvas.columnsUnderPicture(row: 1, in: rect.columnRange) == [2..<3, 5..<7])
  }

  @Test func `a picture is clipped to the part of the screen it may use`() {
    var canvas = Canvas(size: CellSize(columns: 8, rows: 3))
    let rect = CellRect(column: 5, row: 0, columns: 6, rows: 2)
    canvas.place(picture(6, 2), in: rect, clip: CellRect(column: 0, row: 0, columns: 7, rows: 1))
    #expect(canvas.columnsUnderPicture(row: 0, in: 0..<8) == [5..<7])
    #expect(canvas.columnsUnderPicture(row: 1, in: 0..<8).isEmpty)
  }

  @Test func `a frame has its title in its top edge`() {
    var canvas = Canvas(size: CellSize(columns: 12, rows: 3))
    canvas.drawFrame(CellRect(canvas.size), title: "Keys", ink: .dim, titleInk: .title)
    #expect(canvas.text == "╭─ Keys ───╮\n│          │\n╰──────────╯")
  }
}

@Suite struct SymbolPictureTests {
  @Test func `a row is one run of symbols, with a color only where it changes`() {
    let picture = SymbolPicture(
      size: CellSize(columns: 3, rows: 1),
      cells: [
        .init(symbol: "a", foreground: 0xFF0010, background: 0),
        .init(symbol: "b", foreground: 0xFF0010, background: 0),
        .init(symbol: "▄", foreground: 0x0A0B0C, background: 0),
      ])
    var bytes: [UInt8] = []
    picture.draw(CellRect(picture.size), at: CellPoint(column: 4, row: 9), into: &bytes)
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "\u{1B}[10;5H\u{1B}[38;2;255;0;16;48;2;0;0;0mab\u{1B}[38;2;10;11;12m▄\u{1B}[0m")
  }
}
