package import PictureCodecs

package struct TerminalProfile: Hashable, Sendable {
  package enum Multiplexer: Hashable, Sendable {
    case tmux, screen, zellij
  }

  package var environment: TerminalEnvironment
  /// The terminal's answers; those of the multiplexer itself if there is one.
  package var answers = TerminalAnswers()
  package var multiplexer: Multiplexer?
  /// tmux's knowledge of the terminal that it runs in; nil if it did not answer.
  package var surroundings: TmuxSurroundings?
  /// A cell's size in pixels as reported by the window; nil if unreported.
  package var windowCell: PixelSize?
  /// The number of colors according to the terminal database.
  package var declaredColors: Int?
  /// Whether the locale's character set is Unicode.
  package var isUnicode: Bool
  package var wasAsked = false
  /// The duration of the query.
  package var timeTaken = Duration.zero

  /// Describes a terminal that was not queried.
  package init(environment: TerminalEnvironment, isUnicode: Bool) {
    self.environment = environment
    self.isUnicode = isUnicode
  }

  /// The terminal's identity, from its answer or else the environment.
  ///
  /// In tmux it is tmux.
  package var version: TerminalVersion? {
    // VS Code's widget answers only for itself; the environment distinguishes VS Code from others.
    if let version = answers.version, version.name != "xterm.js" { return version }
    // WezTerm always answers XTVERSION. A terminal that answers other questions but not this one
    // was merely started from WezTerm and inherited its variables.
    if answers.isComplete, answers.version == nil, environment.version?.product == .wezTerm {
      return nil
    }
    return environment.version ?? answers.version
  }

  /// The identity of the terminal that ultimately draws; nil if unknown.
  package var drawingVersion: TerminalVersion? {
    multiplexer == nil ? version : surroundings?.version
  }

  /// Whether the terminal that ultimately draws shows sixel pictures, as does what is in between.
  package var showsSixel: Bool {
    answers.hasSixel && (multiplexer != .tmux || surroundings?.hasSixel == true)
  }

  /// Whether kitty's graphics pass through tmux to a terminal that shows them in text cells.
  ///
  /// That follows from its name and version: it cannot be asked.
  package var passesPlaceholders: Bool {
    multiplexer == .tmux && surroundings?.hasPassthrough == true && isUnicode
      && surroundings?.version?.hasPlaceholders == true
  }

  /// The way in which emoji sequences can be drawn.
  ///
  /// Not whole behind a multiplexer, which counts cells in its own way.
  package var emojiSequences: EmojiSequences {
    guard isUnicode, multiplexer == nil else { return .firstEmoji }
    if answers.version?.sizesText == true { return .sized }
    return answers.joinsClusters ? .joined : .firstEmoji
  }

  package var cell: PixelSize? {
    PixelSize.believedCell(window: windowCell, answered: answeredCell)
  }

  /// A cell's size in pixels as the terminal answered, in tmux to tmux; nil if it did not.
  package var answeredCell: PixelSize? { surroundings?.cell ?? answers.cell }

  /// The largest sixel picture that is shown; nil if there is no limit, or none is known.
  ///
  /// xterm drops what is larger. One that does not answer has the limit of its documentation
  /// (maxGraphicSize, 1000x1000).
  package var largestSixel: PixelSize? {
    answers.largestSixel
      ?? (drawingVersion?.product == .xterm ? PixelSize(width: 1000, height: 1000) : nil)
  }

  package var background: TerminalAnswers.Color? { answers.background }

  package var foreground: TerminalAnswers.Color? { answers.foreground }

  package var colors: ColorDepth { ColorDepth(of: self) }

  /// Returns a richer terminal database entry to draw text with; nil if TERM's entry will do.
  ///
  /// TERM may declare fewer colors than were detected, as `xterm` does with 8.
  ///
  /// - Parameter colors: the number of colors that an entry declares; nil if there is no such
  ///   entry.
  package func richerEntry(colors count: (String) -> Int?) -> String? {
    guard colors == .palette256 || colors == .direct, let declaredColors, declaredColors < 256
    else { return nil }
    let term = environment.term
    var names = ["\(term)-256color", "\(term.prefix { $0 != "-" })-256color"]
    // Each of these terminals understands what xterm does.
    if multiplexer == nil, version?.product.hasDirectColor == true {
      names.append("xterm-256color")
    }
    return names.first { (count($0) ?? 0) >= 256 }
  }

  package var isAnswered: Bool { answers.isComplete }
}
