internal import Glibc
internal import PictureCodecs

/// Finds out what the terminal can do, before ncurses starts.
///
/// One write of questions, one reader, and DA1 last, which every terminal answers: xterm within
/// 0.4 ms, kitty within 20 ms. A silent terminal costs the deadline.
package enum TerminalDetection {
  /// How long it may take.
  package struct Patience: Sendable {
    /// For all the answers of the terminal.
    package var terminal: Duration
    /// For the client of tmux.
    package var tmux: Duration

    /// Before the first frame: what cannot be noticed.
    package static let launch = Self(terminal: .milliseconds(150), tmux: .milliseconds(100))
    /// When the answers are all that is wanted.
    package static let thorough = Self(terminal: .seconds(2), tmux: .seconds(2))

    package init(terminal: Duration, tmux: Duration) {
      self.terminal = terminal
      self.tmux = tmux
    }
  }

  /// Asks the terminal; it stays in raw mode, so that no late answer is echoed.
  ///
  /// Give its modes back with `TerminalGuard`.
  ///
  /// - Parameters:
  ///   - input: the terminal to read.
  ///   - output: the terminal to write.
  package static func detect(
    input: Int32, output: Int32, environment: TerminalEnvironment = .current,
    patience: Patience = .launch
  ) -> (profile: TerminalProfile, input: EarlyInput) {
    let patience = environment.answerPatience.map { Patience(terminal: $0, tmux: $0) } ?? patience
    let start = ContinuousClock.now
    var profile = TerminalProfile(environment: environment, isUnicode: localeShowsUnicode)
    var probe = TerminalProbe()
    // A client of tmux reads TMUX; where that is not set nothing can be asked.
    let tmux =
      environment["TMUX"] == nil ? nil : TmuxQuery(deadline: start + patience.tmux)
    profile.declaredColors = TerminalDatabase.colors(of: environment.term, on: output)
    profile.windowCell = windowCell(of: output)

    let file = mayReadFiles(environment) ? ProbeFile() : nil
    defer { file?.remove() }
    let deadline = start + patience.terminal
    if let questions = firstQuestions(environment, file: file?.path),
      RawMode.begin(on: input) != nil
    {
      profile.wasAsked = true
      profile.answers = ask(
        questions, with: &probe, input: input, output: output, until: deadline)
    }
    profile.multiplexer = multiplexer(environment, profile.answers)
    // The client is waited for in any case: a child must not be left behind.
    let (letsThrough, surroundings) =
      switch consume tmux {
      case .some(let query): query.answer()
      case .none: (false, TmuxSurroundings())
      }
    switch profile.multiplexer {
    case .tmux:
      profile.surroundings = surroundings
      profile.multiplexer = .tmux(passthrough: letsThrough)
      if letsThrough, profile.answers.isComplete {
        profile.outer = ask(
          TerminalQuestions.identityThroughTmux, with: &probe, input: input, output: output,
          until: deadline)
      }
      // Only placeholders keep their place in tmux, so only a terminal that has them is asked.
      if profile.outer.isComplete, profile.outer.version?.hasPlaceholders == true {
        let graphics = ask(
          TerminalQuestions.kittyThroughTmux(file: file?.path), with: &probe, input: input,
          output: output, until: deadline)
        profile.outer.showsKittyGraphics = graphics.showsKittyGraphics
        profile.outer.readsFiles = graphics.readsFiles
      }
    case nil where environment.mayBeTmux && profile.answers.isComplete:
      // It was started in tmux, in a window of its own: its own answer says that nothing stands in
      // front of it.
      profile.answers = ask(
        TerminalQuestions.all(asksForKitty: true, file: file?.path), with: &probe, input: input,
        output: output, until: deadline)
    case .screen, nil: break
    }
    profile.timeTaken = .now - start
    return (profile, probe.input)
  }

  /// What to ask first; nil when the terminal understands nothing.
  static func firstQuestions(_ environment: TerminalEnvironment, file: String?) -> String? {
    if environment.isDumb { return nil }
    if environment.understandsLittle { return TerminalQuestions.harmless }
    if environment.mayBeTmux { return TerminalQuestions.identity }
    return TerminalQuestions.all(
      asksForKitty: environment.version?.product != .appleTerminal, file: file)
  }

  /// What stands in front of the terminal, by its answer, else by the environment.
  package static func multiplexer(
    _ environment: TerminalEnvironment, _ answers: TerminalAnswers
  ) -> TerminalProfile.Multiplexer? {
    switch answers.version?.product {
    case .tmux: .tmux(passthrough: false)
    case .screen: .screen
    // A terminal that says who it is stands in front itself, whatever was inherited. tmux before
    // 3.2 does not say.
    case .some: nil
    case nil where environment["TMUX"] != nil: .tmux(passthrough: false)
    case nil where environment.mayBeScreen: .screen
    case nil where environment.mayBeTmux: .tmux(passthrough: false)
    case nil: nil
    }
  }

  private static func ask(
    _ questions: String, with probe: inout TerminalProbe, input: Int32, output: Int32,
    until deadline: ContinuousClock.Instant
  ) -> TerminalAnswers {
    probe.beginQuestions()
    do {
      try TerminalGuard.write(Array(questions.utf8), to: output)
    } catch {
      // A terminal that is gone answers nothing; the first frame will find it out.
      return TerminalAnswers()
    }
    TerminalInput.read(input, until: deadline) { bytes in
      probe.read(bytes)
      return !probe.answers.isComplete
    }
    return probe.answers
  }

  /// Files are offered only to a terminal on this computer: another one's would not find them, or
  /// find others.
  private static func mayReadFiles(_ environment: TerminalEnvironment) -> Bool {
    !environment.isRemote && !environment.isDumb && !environment.understandsLittle
  }

  private static func windowCell(of descriptor: Int32) -> PixelSize? {
    var window = winsize()
    // No answer, or no pixels in it, as on a serial line: the terminal is asked.
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0
    else { return nil }
    let size = PixelSize(
      width: Int(window.ws_xpixel / window.ws_col), height: Int(window.ws_ypixel / window.ws_row))
    return size.width > 0 && size.height > 0 ? size : nil
  }
}
