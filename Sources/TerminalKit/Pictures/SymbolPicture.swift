/// A picture made of symbols, each in two colors.
final class SymbolPicture: PreparedPicture {
  struct Cell: Hashable, Sendable {
    var symbol: UnicodeScalar
    /// 0xRRGGBB, or a palette index.
    var foreground: UInt32
    /// 0xRRGGBB, or a palette index.
    package var background: UInt32
  }

  package let size: CellSize
  let repair = PictureRepair.cells
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
    for row in part.rowRange {
      var ink = Ink()
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
      let hasForeground = cell.symbol != " " && cell.foreground != ink.foreground
      let hasBackground = cell.background != ink.background
      if hasForeground { ink.foreground = cell.foreground }
      if hasBackground { ink.background = cell.background }
      bytes.appendColors(
        hasForeground ? cell.foreground : nil, hasBackground ? cell.background : nil, of: colors)
      bytes += UTF8.encode(cell.symbol)!
    }
  }
}

extension [UInt8] {
  /// Appends the sequences that set the colors that are not nil.
  fileprivate mutating func appendColors(
    _ foreground: UInt32?, _ background: UInt32?, of colors: SymbolColors
  ) {
    switch colors {
    case .direct: appendDirect(foreground, background)
    case .palette(let palette):
      if let foreground {
        self += palette.foreground[Swift.min(Int(foreground), palette.count - 1)]
      }
      if let background {
        self += palette.background[Swift.min(Int(background), palette.count - 1)]
      }
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

  /// Appends `ESC [ 38 ; 2 ; r ; g ; b ; 48 ; 2 ; r ; g ; b m`, or the half of it.
  private mutating func appendDirect(_ foreground: UInt32?, _ background: UInt32?) {
    guard foreground != nil || background != nil else { return }
    self += "\u{1B}[".utf8
    if let foreground { appendDirect("38;2;", foreground) }
    if foreground != nil, background != nil { append(UInt8(ascii: ";")) }
    if let background { appendDirect("48;2;", background) }
    append(UInt8(ascii: "m"))
  }

  private mutating func appendDirect(_ kind: String, _ color: UInt32) {
    self += kind.utf8
    appendDecimal(UInt8(truncatingIfNeeded: color >> 16))
    append(UInt8(ascii: ";"))
    appendDecimal(UInt8(truncatingIfNeeded: color >> 8))
    append(UInt8(ascii: ";"))
    appendDecimal(UInt8(truncatingIfNeeded: color))
  }

  private mutating func appendDecimal(_ value: UInt8) {
    if value >= 100 { append(UInt8(ascii: "0") + value / 100) }
    if value >= 10 { append(UInt8(ascii: "0") + value / 10 % 10) }
    append(UInt8(ascii: "0") + value % 10)
  }
}
