/// A picture made of symbols, each in two colours.
final class SymbolPicture: PreparedPicture {
  /// One symbol.
  struct Cell: Hashable, Sendable {
    var symbol: UnicodeScalar
    /// 0xRRGGBB.
    var foreground: UInt32
    /// 0xRRGGBB.
    var background: UInt32
  }

  let size: CellSize
  /// Row by row from the top.
  let cells: [Cell]

  init(size: CellSize, cells: [Cell]) {
    precondition(cells.count == size.columns * size.rows, "cells must fill the size exactly")
    self.size = size
    self.cells = cells
  }

  func draw(row: Int, columns: Range<Int>, at point: CellPoint, into bytes: inout [UInt8]) {
    let columns = columns.clamped(to: 0..<size.columns)
    guard (0..<size.rows).contains(row), !columns.isEmpty else { return }
    bytes += "\u{1B}[\(point.row + 1);\(point.column + 1)H".utf8
    var foreground: UInt32?
    var background: UInt32?
    let start = row * size.columns
    for cell in cells[start + columns.lowerBound..<start + columns.upperBound] {
      if cell.foreground != foreground {
        bytes.appendColor("38", cell.foreground)
        foreground = cell.foreground
      }
      if cell.background != background {
        bytes.appendColor("48", cell.background)
        background = cell.background
      }
      bytes += UTF8.encode(cell.symbol)!
    }
    bytes += "\u{1B}[0m".utf8
  }
}

extension [UInt8] {
  /// Appends `ESC [ kind ; 2 ; r ; g ; b m`: a direct colour (ISO 8613-6, as xterm writes it).
  fileprivate mutating func appendColor(_ kind: String, _ color: UInt32) {
    self += "\u{1B}[\(kind);2;".utf8
    appendDecimal(UInt8(truncatingIfNeeded: color >> 16))
    append(UInt8(ascii: ";"))
    appendDecimal(UInt8(truncatingIfNeeded: color >> 8))
    append(UInt8(ascii: ";"))
    appendDecimal(UInt8(truncatingIfNeeded: color))
    append(UInt8(ascii: "m"))
  }

  private mutating func appendDecimal(_ value: UInt8) {
    if value >= 100 { append(UInt8(ascii: "0") + value / 100) }
    if value >= 10 { append(UInt8(ascii: "0") + value / 10 % 10) }
    append(UInt8(ascii: "0") + value % 10)
  }
}
