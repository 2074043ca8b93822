extension PictureChoice {
  /// Chooses how pictures reach a terminal.
  ///
  /// Loads libchafa if the choice needs it; without it, symbols in direct color are left.
  ///
  /// - Parameters:
  ///   - option: the user's request; honored even if the terminal did not offer that protocol,
  ///     unless it understands no control codes.
  ///   - symbols: the user's choice of symbols, used where pictures are drawn as symbols.
  package init(
    for profile: TerminalProfile, option: GraphicsOption = .auto, symbols: SymbolsOption = .auto
  ) {
    let symbols = PictureMethod.symbols(
      SymbolChoice(for: profile, option: symbols).symbols, colors: profile.colors)
    // No choice has control codes written to a terminal that prints them.
    let isPrinted = profile.environment.isDumb && [.kitty, .sixel, .iterm].contains(option)
    let wanted =
      switch isPrinted ? .auto : option {
      case .auto: Self.automatic(profile, symbols)
      case .kitty: Self.kitty(profile)
      case .sixel:
        Self.forced(
          .sixel, option, isOffered: profile.showsSixel)
      case .iterm:
        Self.forced(
          .iterm2, option, isOffered: profile.multiplexer == nil && profile.showsInlinePictures)
      case .symbols:
        PictureChoice(
          path: symbols, reason: "You chose symbols.")
      case .ascii:
        PictureChoice(
          path: .symbols(.ascii, colors: profile.colors),
          reason: "You chose ASCII.")
      case .none: PictureChoice(path: .none, reason: "You chose no pictures.")
      }
    // With ASCII chosen, no other characters are used.
    self = wanted.withLoadedLibraries(else: option == .ascii ? wanted.path : symbols)
  }

  /// Replaces a path that lacks its library, by symbols if they can do without.
  package func withLoadedLibraries(else symbols: PictureMethod) -> PictureChoice {
    guard let missing = path.missingLibrary else { return self }
    return PictureChoice(
      path: symbols.missingLibrary == nil ? symbols : .none, reason: missing, lacksLibrary: true)
  }

  // MARK: Automatic choice

  private static func automatic(
    _ profile: TerminalProfile, _ symbols: PictureMethod
  ) -> PictureChoice {
    switch profile.multiplexer {
    case .tmux: throughTmux(profile, symbols)
    case .screen, .zellij:
      PictureChoice(
        path: profile.showsSixel ? .sixel : symbols,
        reason: profile.multiplexerName
          + (profile.showsSixel
            ? " says that it shows sixel graphics." : " does not pass pictures through."))
    case nil: direct(profile, symbols)
    }
  }

  /// Chooses for a terminal without a multiplexer.
  private static func direct(
    _ profile: TerminalProfile, _ symbols: PictureMethod
  ) -> PictureChoice {
    let name = profile.name
    if profile.showsPlaceholders, profile.isUnicode {
      return PictureChoice(
        path: .kittyPlaceholders(throughTmux: false),
        reason: "\(name) shows kitty graphics in text cells.")
    }
    // Preferred over kitty's protocol: WezTerm speaks both, but its kitty support is young, and
    // yazi chooses iTerm2's for these terminals as well (yazi-rs.github.io/docs/image-preview).
    // mintty also speaks sixel, but in fewer colors.
    if profile.showsInlinePictures {
      return PictureChoice(path: .iterm2, reason: "\(name) shows iTerm2's inline pictures.")
    }
    // Preferred over sixel, above all in Konsole, which does not clear sixel under cells of the
    // default background (ratatui-image's table of terminals). Colors are exact, and pictures can
    // be freed.
    if profile.answers.showsKittyGraphics {
      return PictureChoice(
        path: .kittyPlacement, reason: "\(name) answered that it shows kitty graphics.")
    }
    if profile.answers.hasSixel {
      return PictureChoice(path: .sixel, reason: "\(name) says that it shows sixel graphics.")
    }
    return PictureChoice(path: symbols, reason: whyNoPictures(profile))
  }

  /// Chooses by what tmux says of the terminal that it runs in.
  private static func throughTmux(
    _ profile: TerminalProfile, _ symbols: PictureMethod
  ) -> PictureChoice {
    if profile.passesPlaceholders {
      return PictureChoice(
        path: .kittyPlaceholders(throughTmux: true),
        reason: "tmux passes pictures through to \(profile.name), which shows kitty graphics in "
          + "text cells.")
    }
    // tmux 3.4 and later stores sixel pictures itself. It draws a box if the outer terminal cannot
    // show them, so both must support sixel.
    if profile.showsSixel {
      return PictureChoice(
        path: .sixel, reason: "tmux and \(profile.name) both show sixel graphics.")
    }
    return PictureChoice(path: symbols, reason: whyNoneInTmux(profile))
  }

  private static func whyNoneInTmux(_ profile: TerminalProfile) -> String {
    guard let surroundings = profile.surroundings else {
      return profile.environment["TMUX"] == nil
        ? "tmux on another computer cannot be queried for passthrough; choosing kitty tries it."
        : "tmux did not answer in time."
    }
    guard surroundings.hasPassthrough else {
      return "tmux does not pass pictures through; to change that: "
        + "tmux set -g allow-passthrough on"
    }
    guard profile.isUnicode else {
      return "Pictures in tmux need a UTF-8 locale; this one is "
        + "\(profile.environment.shownLocale)."
    }
    return surroundings.version == nil
      ? "tmux passes pictures through, but does not know the terminal that it runs in."
      : "tmux passes pictures through, but \(profile.name) shows none that tmux can keep in place."
  }

  private static func whyNoPictures(_ profile: TerminalProfile) -> String {
    if profile.answers.isComplete {
      return "\(profile.name) offers no graphics."
    }
    return profile.wasAsked
      ? "The terminal did not answer within \(profile.timeTaken.inMilliseconds)."
      : "The terminal \(profile.environment.shownTerm) cannot show graphics."
  }

  // MARK: The user's choice

  private static func forced(
    _ path: PictureMethod, _ option: GraphicsOption, isOffered: Bool
  ) -> PictureChoice {
    PictureChoice(path: path, reason: reason(option, isOffered: isOffered))
  }

  private static func reason(_ option: GraphicsOption, isOffered: Bool) -> String {
    isOffered
      ? "You chose \(option.rawValue)."
      : "You chose \(option.rawValue); the terminal did not offer it."
  }

  /// Chooses the better of kitty's two placement methods that is known to work.
  ///
  /// An unknown terminal is assumed to support only the older one. In tmux only the newer one keeps
  /// its position. Placeholders need UTF-8.
  private static func kitty(_ profile: TerminalProfile) -> PictureChoice {
    switch profile.multiplexer {
    case .tmux:
      forced(
        .kittyPlaceholders(throughTmux: true), .kitty, isOffered: profile.passesPlaceholders)
    case .screen, .zellij: forced(.kittyPlacement, .kitty, isOffered: false)
    case nil:
      if profile.isUnicode, profile.version?.hasPlaceholders == true {
        forced(
          .kittyPlaceholders(throughTmux: false), .kitty,
          isOffered: profile.answers.showsKittyGraphics)
      } else {
        forced(.kittyPlacement, .kitty, isOffered: profile.answers.showsKittyGraphics)
      }
    }
  }
}

extension PictureMethod {
  /// The failure of a required library, as a complete sentence; nil if there is none.
  ///
  /// Loads libchafa if this path needs it.
  fileprivate var missingLibrary: String? {
    switch self {
    case .kittyPlaceholders, .kittyPlacement, .iterm2, .none: nil
    case .symbols(let symbols, colors: .direct) where symbols != .ascii: nil
    case .sixel, .symbols: ChafaLibrary.reasonUnavailable
    }
  }
}

extension TerminalProfile {
  fileprivate var multiplexerName: String { multiplexer == .zellij ? "Zellij" : "GNU screen" }

  /// The name of the terminal that ultimately draws.
  fileprivate var name: String { drawingVersion?.words ?? "The terminal" }

  /// Whether the terminal has placeholders and answered that graphics are on.
  fileprivate var showsPlaceholders: Bool {
    answers.showsKittyGraphics && answers.version?.hasPlaceholders == true
  }

  /// Whether the terminal knows iTerm2's pictures, judging by its name: there is no query for it.
  fileprivate var showsInlinePictures: Bool {
    switch version?.product {
    case .iTerm2, .wezTerm, .mintty: true
    // One setting, terminal.integrated.enableImages, switches both kinds on and off.
    case .vsCode: answers.hasSixel
    default: false
    }
  }
}

extension TerminalEnvironment {
  /// The locale's name, sanitized for display.
  package var shownLocale: String { localeName.sanitized(upTo: 60) }

  /// The terminal's name, sanitized for display.
  package var shownTerm: String { term.isEmpty ? "without a name" : term.sanitized(upTo: 60) }
}

extension Duration {
  /// The duration in milliseconds with their unit, with one decimal below ten.
  package var inMilliseconds: String {
    let tenths = components.seconds * 10_000 + components.attoseconds / 100_000_000_000_000
    return tenths < 100 && tenths % 10 != 0
      ? "\(tenths / 10).\(tenths % 10) ms" : "\(tenths / 10) ms"
  }
}
