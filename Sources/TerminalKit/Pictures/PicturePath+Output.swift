extension PicturePath {
  /// Returns the output for this path; nil if it shows no pictures.
  ///
  /// Symbols are monochrome if the terminal lacks the detected colors.
  @MainActor
  package func output(on screen: Screen, profile: TerminalProfile) -> (any PictureOutput)? {
    switch self {
    case .kittyPlaceholders(let throughTmux):
      KittyOutput(
        .placeholders(repeatsCharacters: !throughTmux && screen.repeatsCharacters),
        images: KittyImages(route: throughTmux ? .tmux : .direct),
        readsFiles: profile.drawing.readsFiles,
        plays: profile.drawingVersion?.playsAnimations == true)
    case .kittyPlacement:
      KittyOutput(
        .placements, images: KittyImages(route: .direct),
        readsFiles: profile.drawing.readsFiles,
        plays: profile.drawingVersion?.playsAnimations == true)
    case .sixel: profile.multiplexer == nil ? SixelOutput() : .multiplexed
    case .iterm2: InlineImageOutput()
    case .symbols(let symbols, let depth):
      SymbolOutput(
        symbols: symbols, colors: SymbolColors(depth, palette: screen.palette))
    case .none: nil
    }
  }
}

extension SymbolColors {
  /// Creates the colors of a depth.
  fileprivate init(_ depth: ColorDepth, palette: (_ count: Int) -> TerminalPalette?) {
    switch depth {
    case .mono: self = .none
    case .palette8: self = palette(8).map { .palette($0) } ?? .none
    case .palette16: self = palette(16).map { .palette($0) } ?? .none
    case .palette256: self = palette(256).map { .palette($0) } ?? .none
    case .direct: self = .direct
    }
  }
}
