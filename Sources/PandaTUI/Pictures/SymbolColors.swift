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
}
