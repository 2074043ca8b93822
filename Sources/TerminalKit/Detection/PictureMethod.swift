package enum PictureMethod: Hashable, Sendable {
  /// kitty graphics, placed by text cells of U+10EEEE; inside tmux the uploads are wrapped.
  case kittyPlaceholders(throughTmux: Bool)
  /// kitty graphics, placed at the cursor.
  case kittyPlacement
  case sixel
  /// iTerm2's inline pictures (OSC 1337).
  case iterm2
  case symbols(Symbols, colors: ColorDepth)
  /// No pictures, only their descriptions.
  case none

  package enum Symbols: String, Hashable, Sendable, CaseIterable {
    /// Sextants (U+1FB00 to U+1FB3B), quadrants, halves and eighths.
    case sextants
    /// Quadrants, halves and eighths (U+2580 to U+259F).
    case quadrants
    /// Half blocks.
    case halves
    case ascii
  }

  package var words: String {
    switch self {
    case .kittyPlaceholders(throughTmux: false): "kitty graphics in text cells"
    case .kittyPlaceholders(throughTmux: true): "kitty graphics in text cells, through tmux"
    case .kittyPlacement: "kitty graphics"
    case .sixel: "sixel"
    case .iterm2: "iTerm2 inline pictures"
    case .symbols(.ascii, _): "ASCII symbols"
    case .symbols(let symbols, _): "symbols, \(symbols.rawValue)"
    case .none: "none"
    }
  }
}

/// The user's choice of a way to show pictures.
package enum GraphicsOption: String, Hashable, Sendable, CaseIterable {
  case auto, kitty, sixel, iterm, symbols, ascii, none
}

package struct PictureChoice: Hashable, Sendable {
  package let path: PictureMethod
  /// A complete sentence.
  package let reason: String
  /// Whether the reason is that a library is missing.
  package let lacksLibrary: Bool

  package init(path: PictureMethod, reason: String, lacksLibrary: Bool = false) {
    self.path = path
    self.reason = reason
    self.lacksLibrary = lacksLibrary
  }
}
