/// The colours that symbols can have.
enum SymbolColors: Sendable {
  /// 24 bits, as `38;2;r;g;b` (ISO 8613-6, as xterm writes it).
  case direct
  /// Numbered ones: 256 (of which the first 16, which people change, are not used), 16 or 8.
  case palette(Palette)
  /// The terminal's own two.
  case none

  /// What selects the numbered colours of a terminal, from terminfo's `setaf`, `setab` and `sgr0`.
  struct Palette: Sendable {
    let foreground: [[UInt8]]
    let background: [[UInt8]]
    let reset: [UInt8]

    var count: Int { min(foreground.count, background.count) }
  }

  /// The colours of a depth, by the sequences of ECMA-48 and xterm, which need no terminfo.
  static func standard(_ depth: ColorDepth) -> SymbolColors {
    switch depth {
    case .mono: .none
    case .palette8: .palette(Palette(standard: 8))
    case .palette16: .palette(Palette(standard: 16))
    case .palette256: .palette(Palette(standard: 256))
    case .direct: .direct
    }
  }
}

extension SymbolColors.Palette {
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
