/// A color of text, as a person chooses it.
package enum InkColor: Hashable, Sendable {
  /// A color of the terminal's palette; the first 16 are the terminal's own.
  case palette(UInt8)
  /// A color by its channels.
  case direct(red: UInt8, green: UInt8, blue: UInt8)

  /// The terminal's first 16 colors, in their order.
  package static let names =
    ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]
    + [
      "brightBlack", "brightRed", "brightGreen", "brightYellow", "brightBlue", "brightMagenta",
      "brightCyan", "brightWhite",
    ]

  /// Parses one of ``names``, or a color like `#d7875f`.
  package init?(name: String) {
    if let index = Self.names.firstIndex(of: name) {
      self = .palette(UInt8(index))
      return
    }
    let digits = name.utf8.dropFirst()
    guard name.utf8.first == UInt8(ascii: "#"), digits.count == 6,
      digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
      let value = UInt32(name.dropFirst(), radix: 16)
    else { return nil }
    self = .direct(
      red: UInt8(value >> 16), green: UInt8(value >> 8 & 0xFF), blue: UInt8(value & 0xFF))
  }

  /// The color's place in a palette of `count` colors: for channels, the nearest one.
  ///
  /// Of 256 the first 16 are left out, since users redefine them. The channels of the others are
  /// those of xterm's 256colres.h: a cube of 6x6x6 from 16, and 24 grays from 232.
  package func index(in count: Int) -> Int16 {
    switch self {
    case .palette(let index) where index < count: Int16(index)
    // A terminal with eight colors has no bright ones.
    case .palette(let index) where index < 16: Int16(index % 8)
    case .palette(let index):
      Self.nearest(to: Self.channels(of: Int(index)), in: count)
    case .direct(let red, let green, let blue):
      Self.nearest(to: [Int(red), Int(green), Int(blue)], in: count)
    }
  }

  private static func nearest(to channels: [Int], in count: Int) -> Int16 {
    let candidates = count >= 256 ? 16..<256 : 0..<min(max(count, 8), 16)
    func distance(_ index: Int) -> Int {
      zip(channels, self.channels(of: index)).map { ($0 - $1) * ($0 - $1) }.reduce(0, +)
    }
    return Int16(candidates.min { distance($0) < distance($1) } ?? 0)
  }

  /// The red, green and blue of a color of xterm's palette.
  private static func channels(of index: Int) -> [Int] {
    switch index {
    case ..<16:
      let full = index < 8 ? 205 : 255
      return (0..<3).map { index >> $0 & 1 == 1 ? full : 0 }
    case ..<232:
      let steps = [(index - 16) / 36, (index - 16) / 6 % 6, (index - 16) % 6]
      return steps.map { $0 == 0 ? 0 : 55 + 40 * $0 }
    default: return [Int](repeating: 8 + 10 * (index - 232), count: 3)
    }
  }
}

extension InkColor: CustomStringConvertible {
  /// The color as ``init(name:)`` parses it, or its number in the palette.
  package var description: String {
    switch self {
    case .palette(let index) where index < 16: Self.names[Int(index)]
    case .palette(let index): "\(index)"
    case .direct(let red, let green, let blue):
      "#"
        + [red, green, blue].map { channel in
          let digits = String(channel, radix: 16)
          return digits.count < 2 ? "0" + digits : digits
        }.joined()
    }
  }
}
