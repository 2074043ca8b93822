/// A picture made of symbols, each in two colors.
final class SymbolPicture: PreparedPicture {
  /// One symbol.
  struct Cell: Hashable, Sendable {
    var symbol: UnicodeScalar
    /// 0xRRGGBB, or a palette index.
    var foreground: UInt32
    /// 0xRRGGBB, or a palette index.
    package var background: UInt32
  }

  package let size: CellSize
  let repair = PictureRepair.rows
  /// The cells, row by row from the top.
  let cells: [Cell]
  private let colors: SymbolColors

  init(size: CellSize, cells: [Cell], colors: SymbolColors = .direct) {
    precondition(cells.count == size.columns * size.rows, "cells must fill the size exactly")
    self.size = size
    self.cells = cells
    self.colors = colors
  }

  package func draw(_ part: CellRect, at point: CellPoint, into bytes: inout [UInt8]) {
    var ink = Ink()
    for row in part.rowRange {
      bytes.appendMove(to: CellPoint(column: point.column, row: point.row + row - part.row))
      draw(row, part.columnRange, &ink, into: &bytes)
    }
    bytes.appendReset(of: colors)
  }

  /// The picture as lines of text.
  package var printed: [UInt8] {
    var bytes: [UInt8] = []
    for row in 0..<size.rows {
      var ink = Ink()
      draw(row, 0..<size.columns, &ink, into: &bytes)
      bytes.appendReset(of: colors)
      bytes.append(UInt8(ascii: "\n"))
    }
    return bytes
  }

  /// The colors currently set.
  private struct Ink {
    var foreground: UInt32?
    var background: UInt32?
  }

  private func draw(
    _ row: Int, _ columns: Range<Int>, _ ink: inout Ink, into bytes: inout [UInt8]
  ) {
    let start = row * size.columns
    for cell in cells[start + columns.lowerBound..<start + columns.upperBound] {
      // A space shows no foreground.
      if cell.foreground != ink.foreground, cell.symbol != " " {
        bytes.appendForeground(cell.foreground, of: colors)
        ink.foreground = cell.foreground
      }
      if cell.background != ink.background {
        bytes.appendBackground(cell.background, of: colors)
        ink.background = cell.background
      }
      bytes += UTF8.encode(cell.symbol)!
    }
  }
}

extension [UInt8] {
  fileprivate mutating func appendForeground(_ color: UInt32, of colors: SymbolColors) {
    switch colors {
    case .direct: appendDirect("38", color)
    case .palette(let palette): self += palette.foreground[Swift.min(Int(color), palette.count - 1)]
    case .none: break
    }
  }

  fileprivate mutating func appendBackground(_ color: UInt32, of colors: SymbolColors) {
    switch colors {
    case .direct: appendDirect("48", color)
    case .palette(let palette): self += palette.background[Swift.min(Int(color), palette.count - 1)]
    case .none: break
    }
  }

  fileprivate mutating func appendReset(of colors: SymbolColors) {
    switch colors {
    case .direct: self += "\u{1B}[0m".utf8
    case .palette(let palette): self += palette.reset
    case .none: break
    }
  }

  /// Appends `ESC [ kind ; 2 ; r ; g ; b m`.
  private mutating func appendDirect(_ kind: String, _ color: UInt32) {
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
