internal import Foundation
internal import PandaCore
internal import PictureCodecs

/// Renders a program's output of colored symbols to pixels.
struct SymbolScreen {
  private struct Cell {
    var symbol: Unicode.Scalar = " "
    var foreground: [UInt8] = [255, 255, 255]
    var background: [UInt8] = [0, 0, 0]
  }

  /// A cell's size in pixels.
  static let cell = PixelSize(width: 8, height: 16)

  private var rows: [[Cell]] = []

  /// Parses lines of symbols with direct colors (`38;2`, `48;2`), reverse and reset.
  init(_ output: Data) {
    var cell = Cell()
    var isReversed = false
    for line in String(decoding: output, as: UTF8.self).split(separator: "\n") {
      var row: [Cell] = []
      var rest = Substring(line).unicodeScalars
      while let scalar = rest.popFirst() {
        guard scalar == "\u{1B}" else {
          var shown = cell
          shown.symbol = scalar
          if isReversed { swap(&shown.foreground, &shown.background) }
          row.append(shown)
          continue
        }
        guard rest.popFirst() == "[" else { continue }
        let body = rest.prefix { !(0x40...0x7E).contains($0.value) }
        rest = rest.dropFirst(body.count)
        let final = rest.popFirst()
        guard final == "m" else { continue }
        Self.select(
          body.split(separator: ";").compactMap { Int(String($0)) }[...], &cell, &isReversed)
      }
      if !row.isEmpty { rows.append(row) }
    }
  }

  private static func select(
    _ parameters: ArraySlice<Int>, _ cell: inout Cell, _ isReversed: inout Bool
  ) {
    var parameters = parameters.isEmpty ? [0] : parameters
    while let parameter = parameters.popFirst() {
      switch parameter {
      case 0: (cell, isReversed) = (Cell(), false)
      case 7: isReversed = true
      case 27: isReversed = false
      case 38, 48:
        guard parameters.popFirst() == 2, parameters.count >= 3 else { return }
        let color = parameters.prefix(3).map { UInt8(clamping: $0) }
        parameters = parameters.dropFirst(3)
        if parameter == 38 { cell.foreground = color } else { cell.background = color }
      case 39: cell.foreground = Cell().foreground
      case 49: cell.background = Cell().background
      default: break
      }
    }
  }

  var columns: Int { rows.first?.count ?? 0 }
  var lines: Int { rows.count }

  /// Returns the peak signal-to-noise ratio in dB of the rendered symbols against a picture.
  ///
  /// The picture must have as many pixels; the result is nil if a symbol's shape is unknown.
  func psnr(against picture: Bitmap) -> Double? {
    guard picture.size.width == columns * Self.cell.width,
      picture.size.height == lines * Self.cell.height
    else { return nil }
    var sum = 0.0
    for (line, row) in rows.enumerated() {
      for (column, cell) in row.enumerated() {
        guard let ink = Self.ink(cell.symbol) else { return nil }
        for y in 0..<Self.cell.height {
          for x in 0..<Self.cell.width {
            let color = ink(x, y) ? cell.foreground : cell.background
            let index =
              ((line * Self.cell.height + y) * picture.size.width + column * Self.cell.width + x)
              * 4
            for channel in 0..<3 {
              let difference = Double(picture.pixels[index + channel]) - Double(color[channel])
              sum += difference * difference
            }
          }
        }
      }
    }
    let mean = sum / Double(picture.size.width * picture.size.height * 3)
    return 10 * log10(255 * 255 / mean)
  }

  /// Returns which of a cell's 8x16 pixels a symbol paints.
  ///
  /// The shapes come from Unicode's charts of Block Elements and of Symbols for Legacy Computing.
  private static func ink(_ symbol: Unicode.Scalar) -> ((Int, Int) -> Bool)? {
    let value = Int(symbol.value)
    switch value {
    case 0x20, 0xA0: return { _, _ in false }
    case 0x2580: return { _, y in y < 8 }
    case 0x2581...0x2588: return { _, y in y >= 16 - (value - 0x2580) * 2 }
    case 0x2589...0x258F: return { x, _ in x < 0x2590 - value }
    case 0x2590: return { x, _ in x >= 4 }
    case 0x2594: return { _, y in y < 2 }
    case 0x2595: return { x, _ in x >= 7 }
    case 0x2596...0x259F:
      // Quadrants: upper left, upper right, lower left, lower right.
      let masks = [
        0b0010, 0b0001, 0b1000, 0b1011, 0b1001, 0b1110, 0b1101, 0b0100, 0b0110, 0b0111,
      ]
      let mask = masks[value - 0x2596]
      return { x, y in mask & (8 >> ((y < 8 ? 0 : 2) + (x < 4 ? 0 : 1))) != 0 }
    case 0x1FB00...0x1FB3B:
      // Sextants are numbered by their bits, except for the empty one and those that are half
      // blocks.
      var bits = value - 0x1FB00 + 1
      if bits >= 0b010101 { bits += 1 }
      if bits >= 0b101010 { bits += 1 }
      let pattern = bits
      return { x, y in pattern & (1 << ((min(y * 3 / 16, 2)) * 2 + (x < 4 ? 0 : 1))) != 0 }
    default: return nil
    }
  }
}
