package enum SymbolColors: Sendable {
  /// 24 bits, as `38;2;r;g;b` (ISO 8613-6, as xterm writes it).
  case direct
  /// Palette colors: 256 (without the first 16, which users redefine), 16 or 8.
  case palette(TerminalPalette)
  /// The terminal's default foreground and background.
  case none

  /// Returns the colors of a depth with the sequences of ECMA-48 and xterm, which need no terminfo.
  package static func standard(_ depth: ColorDepth) -> SymbolColors {
    switch depth {
    case .mono: .none
    case .palette8: .palette(TerminalPalette(standard: 8))
    case .palette16: .palette(TerminalPalette(standard: 16))
    case .palette256: .palette(TerminalPalette(standard: 256))
    case .direct: .direct
    }
  }
}

extension TerminalPalette {
  fileprivate init(standard count: Int) {
    func sequence(_ base: Int, _ number: Int) -> [UInt8] {
      let parameters =
        count > 16
        ? "\(base + 8);5;\(number)" : "\(number < 8 ? base + number : base + 52 + number)"
      return Array("\u{1B}[\(parameters)m".utf8)
    }
    foreground = (0..<count).map { sequence(30, $0) }
    background = (0..<count).map { sequence(40, $0) }
    reset = Array("\u{1B}[0m".utf8)
  }
}
