internal import Glibc
internal import PictureCodecs

extension PictureMethod {
  /// Returns the output for this path on the screen; nil if it shows no pictures.
  ///
  /// Symbols are monochrome if the terminal lacks the detected colors.
  @MainActor
  package func output(on screen: Screen, profile: TerminalProfile) -> (any PictureOutput)? {
    output(profile: profile, repeatsCharacters: screen.repeatsCharacters) {
      SymbolColors($0, palette: screen.palette)
    }
  }

  /// Returns the output for pictures among lines of text; nil if it shows no pictures.
  ///
  /// - Parameter isMoving: whether they are the frames of an animation. Those need an id, which a
  ///   still picture does without.
  package func outputInText(
    profile: TerminalProfile, isMoving: Bool = false
  ) -> (any PictureOutput)? {
    // Other pictures in this terminal must keep their ids.
    output(
      profile: profile, process: .random(in: 1...pid_t.max),
      placing: isMoving ? .cursor : .placements, colors: SymbolColors.standard)
  }

  private func output(
    profile: TerminalProfile, repeatsCharacters: Bool = false, process: pid_t = getpid(),
    placing: KittyOutput.Method = .placements, colors: (ColorDepth) -> SymbolColors
  ) -> (any PictureOutput)? {
    func kitty(_ method: KittyOutput.Method, _ route: KittyCommand.Route) -> KittyOutput {
      KittyOutput(
        method, images: KittyImages(route: route, process: process),
        readsFiles: profile.answers.readsFiles,
        plays: profile.drawingVersion?.playsAnimations == true)
    }
    return switch self {
    case .kittyPlaceholders(throughTmux: true):
      kitty(.placeholders(repeatsCharacters: false), .tmux)
    case .kittyPlaceholders(throughTmux: false):
      kitty(.placeholders(repeatsCharacters: repeatsCharacters), .direct)
    case .kittyPlacement: kitty(placing, .direct)
    case .sixel:
      profile.multiplexer == nil ? SixelOutput(largest: profile.largestSixel) : .multiplexed
    case .iterm2: InlineImageOutput()
    case .symbols(let symbols, let depth): SymbolOutput(symbols: symbols, colors: colors(depth))
    case .none: nil
    }
  }
}

extension SymbolColors {
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
