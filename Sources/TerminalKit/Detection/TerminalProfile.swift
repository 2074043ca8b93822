package import PictureCodecs

/// All that is known of the terminal.
package struct TerminalProfile: Hashable, Sendable {
  /// What stands between the program and the terminal.
  package enum Multiplexer: Hashable, Sendable {
    case tmux(passthrough: Bool)
    case screen
  }

  package var environment: TerminalEnvironment
  /// What the terminal answered; in tmux, what tmux answered.
  package var answers = TerminalAnswers()
  /// What the terminal that tmux runs in answered.
  package var outer = TerminalAnswers()
  package var multiplexer: Multiplexer?
  /// What tmux knows of the terminal that it runs in.
  package var surroundings = TmuxSurroundings()
  /// A cell's size in pixels as the window tells it; nil when it tells none.
  var windowCell: PixelSize?
  /// How many colours the terminal database says there are.
  package var declaredColors: Int?
  /// The locale's characters are Unicode's.
  package var isUnicode: Bool
  /// The terminal was asked at all.
  package var wasAsked = false
  /// How long the asking took.
  package var timeTaken = Duration.zero

  /// Describes a terminal that was not asked.
  package init(environment: TerminalEnvironment, isUnicode: Bool) {
    self.environment = environment
    self.isUnicode = isUnicode
  }

  /// Which terminal it is: by its answer, else by the environment.
  ///
  /// In tmux it is tmux.
  package var version: TerminalVersion? {
    // VS Code's widget answers for itself; only the environment tells VS Code from others.
    if let version = answers.version, version.name != "xterm.js" { return version }
    // WezTerm answers XTVERSION. A terminal that answers other questions and not this one was only
    // started from it, and has its variables.
    if answers.isComplete, answers.version == nil, environment.version?.product == .wezTerm {
      return nil
    }
    return environment.version ?? answers.version
  }

  /// The terminal that draws in the end: under tmux the one that tmux runs in, if it answered.
  package var drawing: TerminalAnswers { multiplexer == nil ? answers : outer }

  /// Which terminal draws in the end; nil when it is not known.
  package var drawingVersion: TerminalVersion? { multiplexer == nil ? version : outer.version }

  /// A cell's size in pixels; nil when nothing tells it.
  package var cell: PixelSize? { windowCell ?? answers.cell ?? outer.cell }

  /// The background; nil when it is not known.
  package var background: TerminalAnswers.Color? { drawing.background ?? answers.background }

  package var colors: ColorDepth {
    ColorDepth(
      environment: environment, declared: declaredColors, product: drawingVersion?.product)
  }

  /// The entry of the terminal database to draw text by, where that of TERM declares fewer colors
  /// than the terminal was found to have, as `xterm` does with 8; nil where TERM's serves.
  ///
  /// - Parameter colors: the number of colors that an entry declares; nil if there is no such entry.
  package func richerEntry(colors count: (String) -> Int?) -> String? {
    guard colors == .palette256 || colors == .direct, let declaredColors, declaredColors < 256
    else { return nil }
    let term = environment.term
    var names = ["\(term)-256color", "\(term.prefix { $0 != "-" })-256color"]
    // Each of them understands what xterm does.
    if multiplexer == nil, version?.product.hasDirectColor == true {
      names.append("xterm-256color")
    }
    return names.first { (count($0) ?? 0) >= 256 }
  }

  /// The terminal answers all it was asked.
  package var isAnswered: Bool { answers.isComplete }
}
