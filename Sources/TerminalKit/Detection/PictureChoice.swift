extension PictureChoice {
  /// Chooses how pictures reach a terminal.
  ///
  /// - Parameters:
  ///   - option: what the person asked for; honoured even when the terminal did not offer it.
  ///   - symbols: which symbols the user asked for, where pictures are symbols.
  package init(
    for profile: TerminalProfile, option: GraphicsOption = .auto, symbols: SymbolsOption = .auto
  ) {
    let symbols = PicturePath.symbols(
      SymbolChoice(for: profile, option: symbols).symbols, colors: profile.colors)
    self =
      switch option {
      case .auto: Self.automatic(profile, symbols)
      case .kitty: Self.kitty(profile)
      case .sixel:
        Self.forced(
          .sixel, option,
          isOffered: profile.answers.hasSixel
            && (profile.multiplexer == nil || profile.outer.hasSixel))
      case .iterm:
        Self.forced(
          .iterm2, option, isOffered: profile.multiplexer == nil && profile.showsInlinePictures)
      case .symbols:
        PictureChoice(
          path: symbols, reason: "--graphics symbols asks for it.")
      case .ascii:
        PictureChoice(
          path: .symbols(.ascii, colors: profile.colors),
          reason: "--graphics ascii asks for it.")
      case .none: PictureChoice(path: .none, reason: "--graphics none asks for it.")
      }
  }

  // MARK: By what the terminal offers

  private static func automatic(
    _ profile: TerminalProfile, _ symbols: PicturePath
  ) -> PictureChoice {
    switch profile.multiplexer {
    case .tmux(let passthrough): throughTmux(profile, passthrough: passthrough, symbols)
    case .screen:
      PictureChoice(path: symbols, reason: "GNU screen lets no pictures through.")
    case nil: direct(profile, symbols)
    }
  }

  /// Without anything in front of the terminal.
  private static func direct(
    _ profile: TerminalProfile, _ symbols: PicturePath
  ) -> PictureChoice {
    let name = profile.name
    if profile.showsPlaceholders(profile.answers), profile.isUnicode {
      return PictureChoice(
        path: .kittyPlaceholders(throughTmux: false),
        reason: "\(name) shows kitty graphics in text cells.")
    }
    // Before kitty's protocol, which WezTerm speaks too: there it is young, and yazi chooses iTerm2's
    // for these terminals as well (yazi-rs.github.io/docs/image-preview). mintty speaks sixel as
    // well, in fewer colours.
    if profile.showsInlinePictures {
      return PictureChoice(path: .iterm2, reason: "\(name) shows iTerm2's inline pictures.")
    }
    // Before sixel, in Konsole above all: it does not clear sixel under cells of the default
    // background (ratatui-image's table of terminals). Exact colours, and pictures can be freed.
    if profile.answers.showsKittyGraphics {
      return PictureChoice(
        path: .kittyPlacement, reason: "\(name) answered that it shows kitty graphics.")
    }
    if profile.answers.hasSixel {
      return PictureChoice(path: .sixel, reason: "\(name) says that it shows sixel graphics.")
    }
    return PictureChoice(path: symbols, reason: whyNoPictures(profile))
  }

  private static func throughTmux(
    _ profile: TerminalProfile, passthrough: Bool, _ symbols: PicturePath
  ) -> PictureChoice {
    guard passthrough else {
      return PictureChoice(
        path: symbols,
        reason: profile.environment["TMUX"] == nil
          ? "tmux on another computer cannot be asked whether it lets pictures through; "
            + "--graphics kitty tries it."
          : "tmux lets no pictures through; to change that: tmux set -g allow-passthrough on")
    }
    guard profile.isUnicode else {
      return PictureChoice(
        path: symbols,
        reason: "Pictures in tmux need a UTF-8 locale; this one is "
          + "\(profile.environment.shownLocale).")
    }
    if profile.showsPlaceholders(profile.outer) {
      return PictureChoice(
        path: .kittyPlaceholders(throughTmux: true),
        reason: "tmux lets pictures through to \(profile.name), which shows kitty graphics in "
          + "text cells.")
    }
    // tmux 3.4 and later keeps sixel pictures itself; it draws a box where the terminal that it
    // runs in cannot show them, so both must say so.
    if profile.answers.hasSixel, profile.outer.hasSixel {
      return PictureChoice(
        path: .sixel, reason: "tmux and \(profile.name) both show sixel graphics.")
    }
    return PictureChoice(
      path: symbols,
      reason: profile.outer.isComplete
        ? "tmux lets pictures through, but \(profile.name) shows none that tmux can keep in place."
        : "tmux lets pictures through, but the terminal that it runs in did not answer.")
  }

  private static func whyNoPictures(_ profile: TerminalProfile) -> String {
    if profile.answers.isComplete {
      return "\(profile.name) offers no graphics."
    }
    return profile.wasAsked
      ? "The terminal did not answer within \(profile.timeTaken.inMilliseconds)."
      : "The terminal \(profile.environment.shownTerm) can show no graphics."
  }

  // MARK: By what the person asks for

  private static func forced(
    _ path: PicturePath, _ option: GraphicsOption, isOffered: Bool
  ) -> PictureChoice {
    PictureChoice(path: path, reason: reason(option, isOffered: isOffered))
  }

  private static func reason(_ option: GraphicsOption, isOffered: Bool) -> String {
    isOffered
      ? "--graphics \(option.rawValue) asks for it."
      : "--graphics \(option.rawValue) asks for it; the terminal did not offer it."
  }

  /// The better of kitty's ways where it is known to work.
  ///
  /// Of a terminal that is not known the older one is expected; in tmux only the newer one keeps
  /// its place. Without UTF-8 there are no placeholders.
  private static func kitty(_ profile: TerminalProfile) -> PictureChoice {
    switch profile.multiplexer {
    case .tmux(let passthrough):
      forced(
        .kittyPlaceholders(throughTmux: true), .kitty,
        isOffered: passthrough && profile.isUnicode && profile.showsPlaceholders(profile.outer))
    case .screen: forced(.kittyPlacement, .kitty, isOffered: false)
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

extension TerminalProfile {
  /// The name of the terminal that draws in the end.
  fileprivate var name: String { drawingVersion?.words ?? "The terminal" }

  /// It is a terminal with placeholders, and it answered that graphics are on.
  fileprivate func showsPlaceholders(_ answers: TerminalAnswers) -> Bool {
    answers.showsKittyGraphics && answers.version?.hasPlaceholders == true
  }

  /// It knows iTerm2's pictures, as far as its name tells: nothing can be asked.
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
  /// The name of the locale, fit to be shown.
  package var shownLocale: String { localeName.sanitized(upTo: 60) }

  /// The name of the terminal, fit to be shown.
  package var shownTerm: String { term.isEmpty ? "without a name" : term.sanitized(upTo: 60) }
}

extension Duration {
  /// Milliseconds with their unit: whole ones, below ten of them with a tenth.
  package var inMilliseconds: String {
    let tenths = components.seconds * 10_000 + components.attoseconds / 100_000_000_000_000
    return tenths < 100 && tenths % 10 != 0
      ? "\(tenths / 10).\(tenths % 10) ms" : "\(tenths / 10) ms"
  }
}
