internal import FoundationEssentials
internal import Glibc

/// Detects the terminal's capabilities before ncurses starts.
///
/// All questions go out in one write, one reader collects the answers, and DA1 comes last because
/// every terminal answers it: xterm within 0.4 ms, kitty within 20 ms. A silent terminal costs the
/// full deadline.
package enum TerminalDetection {
  package struct Patience: Sendable {
    /// The limit for all of the terminal's answers.
    package var terminal: Duration
    package var tmux: Duration

    /// For the time before the first frame: imperceptible.
    package static let launch = Self(terminal: .milliseconds(150), tmux: .milliseconds(100))
    /// For when the answers themselves are the goal.
    package static let thorough = Self(terminal: .seconds(2), tmux: .seconds(2))

    package init(terminal: Duration, tmux: Duration) {
      self.terminal = terminal
      self.tmux = tmux
    }
  }

  /// Queries the terminal, leaving it in raw mode so that no late answer is echoed.
  ///
  /// Restore its modes with `TerminalGuard`.
  ///
  /// - Parameters:
  ///   - input: the descriptor to read from.
  ///   - output: the descriptor to write to.
  package static func detect(
    input: Int32, output: Int32, environment: TerminalEnvironment = .current,
    patience: Patience = .launch
  ) -> (profile: TerminalProfile, input: EarlyInput) {
    let start = ContinuousClock.now
    var profile = TerminalProfile(environment: environment, isUnicode: localeShowsUnicode)
    var probe = TerminalProbe()
    // The tmux client needs TMUX; without it there is nothing to query.
    let tmux =
      environment["TMUX"] == nil
      ? nil : TmuxQuery(environment, deadline: start + patience.tmux)
    profile.declaredColors = TerminalDatabase.colors(of: environment.term, on: output)
    profile.windowCell = TerminalWindow(of: output).cell

    // One pixel; of a program that is killed meanwhile, the next start removes it.
    let file = mayReadFiles(environment) ? HandoverFiles.own.write(Data([0, 0, 0])) : nil
    defer { if let file { HandoverFiles.own.remove(file) } }
    let deadline = start + patience.terminal
    if let questions = firstQuestions(environment, file: file),
      RawMode.begin(on: input) != nil
    {
      profile.wasAsked = true
      profile.answers = ask(
        questions, with: &probe, input: input, output: output, until: deadline)
    }
    profile.multiplexer = multiplexer(environment, profile.answers)
    // Always wait for the client, so that no child process is left behind.
    let surroundings: TmuxSurroundings? =
      switch consume tmux {
      case .some(let query): query.answer()
      case .none: nil
      }
    switch profile.multiplexer {
    case .tmux:
      profile.surroundings = surroundings
      // tmux answers for itself, to the pane that asks. GNU screen would pass this on.
      if profile.answers.isComplete {
        profile.answers.takeColors(
          of: ask(
            TerminalQuestions.colors, with: &probe, input: input, output: output, until: deadline))
      }
    case nil where environment.mayBeMultiplexed && profile.answers.isComplete:
      // The terminal was started from tmux but has a window of its own: its own answer shows that
      // no multiplexer is in between.
      profile.answers = ask(
        TerminalQuestions.all(asksForGraphics: true, file: file), with: &probe, input: input,
        output: output, until: deadline)
    case .screen, .zellij, nil: break
    }
    profile.timeTaken = .now - start
    return (profile, probe.input)
  }

  /// The first questions; nil if the terminal understands none.
  static func firstQuestions(_ environment: TerminalEnvironment, file: String?) -> String? {
    if environment.isDumb { return nil }
    // Zellij passes on what it does not know, from 0.45.
    if environment.understandsLittle || environment.isZellij { return TerminalQuestions.harmless }
    if environment.mayBeMultiplexed { return TerminalQuestions.identity }
    return TerminalQuestions.all(
      asksForGraphics: environment.version?.product != .appleTerminal, file: file)
  }

  /// Identifies the multiplexer by the terminal's answer, or else by the environment.
  package static func multiplexer(
    _ environment: TerminalEnvironment, _ answers: TerminalAnswers
  ) -> TerminalProfile.Multiplexer? {
    switch answers.version?.product {
    case _ where environment.isZellij: .zellij
    case .tmux: .tmux
    case .screen: .screen
    // A terminal that identifies itself is not behind a multiplexer, whatever was inherited.
    case .some: nil
    case nil where environment["STY"] != nil: .screen
    case nil where environment["TMUX"] != nil || environment.term.hasPrefix("tmux"): .tmux
    case nil: environment.term.hasPrefix("screen") ? .screen : nil
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
      // A terminal that is gone answers nothing; drawing the first frame will report it.
      return TerminalAnswers()
    }
    TerminalInput.read(input, until: deadline) { bytes in
      probe.read(bytes)
      return !probe.answers.isComplete
    }
    return probe.answers
  }

  /// Whether to offer files: only a local terminal can find them.
  ///
  /// A remote one would not find them, or would find different ones.
  private static func mayReadFiles(_ environment: TerminalEnvironment) -> Bool {
    !environment.isRemote && !environment.isDumb && !environment.understandsLittle
  }
}
