/// The questions to the terminal while the program runs, one series at a time.
///
/// A terminal's answers expire: a desktop turns light, a font grows, another terminal attaches. A
/// pure state machine; what it requests is done by its owner, and never waited for. Silence changes
/// nothing.
struct TerminalInquiry: Sendable {
  /// The time after which answers count as lost, as when tmux was detached.
  private static let patience = Duration.seconds(2)

  private enum Stage {
    case terminal
    case tmux
    /// The terminal that tmux runs in is asked who it is.
    case outer(TmuxAnswer)
    /// It is asked for kitty graphics, after its other answers.
    case outerGraphics(TmuxAnswer, TerminalAnswers)
  }

  private var stage: Stage?
  private var beginning: ContinuousClock.Instant?
  /// The answers of this stage.
  private var answers = TerminalAnswers()
  /// Whether there was another occasion meanwhile.
  private var isWantedAgain = false

  /// Whether the terminal that tmux runs in owes answers.
  var awaitsOuter: Bool {
    switch stage {
    case .outer, .outerGraphics: true
    case nil, .terminal, .tmux: false
    }
  }

  /// Continues the questions of the launch, if they are unanswered and no others depend on them.
  init(continuing profile: TerminalProfile) {
    guard profile.wasAsked, !profile.answers.isComplete, profile.multiplexer == nil,
      !profile.environment.mayBeTmux
    else { return }
    stage = .terminal
    answers = profile.answers
  }

  /// Begins, or notes that it is to begin again once the questions under way are answered.
  ///
  /// - Parameters:
  ///   - restarting: whether questions under way are given up: another terminal may be there, or
  ///     the user thinks that something is wrong.
  mutating func begin(
    _ profile: TerminalProfile, at moment: ContinuousClock.Instant, restarting: Bool
  ) -> TerminalRequest? {
    guard profile.wasAsked, !profile.environment.understandsLittle else { return nil }
    if isUnderWay(at: moment, profile, restarting: restarting) {
      isWantedAgain = true
      return nil
    }
    (beginning, answers, isWantedAgain, stage) = (moment, TerminalAnswers(), false, nil)
    switch profile.multiplexer {
    case .tmux where profile.environment["TMUX"] != nil:
      stage = .tmux
      return .askTmux
    case .tmux, .screen: return nil
    case nil:
      stage = .terminal
      let isApple = profile.environment.version?.product == .appleTerminal
      return .send(TerminalQuestions.again(asksForGraphics: !isApple))
    }
  }

  /// Whether answers are still to be waited for.
  private func isUnderWay(
    at moment: ContinuousClock.Instant, _ profile: TerminalProfile, restarting: Bool
  ) -> Bool {
    switch stage {
    case nil: false
    // The tmux client always answers, or is killed.
    case .tmux: true
    case .terminal, .outer, .outerGraphics:
      // A terminal that has never answered is not asked more often for its silence.
      !restarting && !(profile.isAnswered && beginning.map { moment - $0 > Self.patience } ?? true)
    }
  }

  /// Takes an answer of the terminal.
  ///
  /// - Returns: the next request, and whether the profile is complete again.
  mutating func take(
    _ reply: TerminalReply, _ profile: inout TerminalProfile
  ) -> (next: TerminalRequest?, isComplete: Bool) {
    answers.take(reply)
    guard answers.isComplete, let stage else { return (nil, false) }
    var completed = answers
    switch stage {
    case .tmux: return (nil, false)
    case .terminal:
      completed.keyboardFlags = completed.keyboardFlags ?? profile.answers.keyboardFlags
      completed.keepFiles(of: profile.answers)
      profile.answers = completed
    case .outer(let tmux) where completed.version?.hasPlaceholders == true:
      self.stage = .outerGraphics(tmux, completed)
      answers = TerminalAnswers()
      return (.send(TerminalQuestions.kittyThroughTmux(file: nil)), false)
    case .outer(let tmux):
      profile.take(tmux)
      profile.outer = completed
    case .outerGraphics(let tmux, var outer):
      profile.take(tmux)
      outer.showsKittyGraphics = completed.showsKittyGraphics
      outer.keepFiles(of: profile.outer)
      profile.outer = outer
    }
    self.stage = nil
    return (nil, true)
  }

  /// Takes the answer of tmux; nil if there was none.
  mutating func take(
    _ answer: TmuxAnswer?, _ profile: inout TerminalProfile
  ) -> (next: TerminalRequest?, isComplete: Bool) {
    guard case .tmux = stage else { return (nil, false) }
    stage = nil
    // With no terminal attached, there is nothing to learn.
    guard let answer, answer.isAttached else { return (nil, false) }
    if answer.hasPassthrough, answer.isReached {
      stage = .outer(answer)
      answers = TerminalAnswers()
      return (.send(TerminalQuestions.identityThroughTmux), false)
    }
    profile.take(answer)
    return (nil, true)
  }

  /// Begins again if that was wanted meanwhile.
  mutating func beginAgain(
    _ profile: TerminalProfile, at moment: ContinuousClock.Instant
  ) -> TerminalRequest? {
    guard isWantedAgain, stage == nil else { return nil }
    return begin(profile, at: moment, restarting: false)
  }
}

/// What the owner of a ``DetectedTerminal`` is to do.
package enum TerminalRequest: Hashable, Sendable {
  /// Send questions, which end with a sentinel.
  case send(String)
  /// Ask the tmux client, and pass its answer on.
  case askTmux
}

extension TerminalAnswers {
  /// Keeps that a terminal reads files, which is asked at launch only, if it is the same one.
  fileprivate mutating func keepFiles(of former: TerminalAnswers) {
    guard showsKittyGraphics, version == former.version, former.readsFiles else { return }
    readsFiles = true
  }
}

extension TerminalProfile {
  fileprivate mutating func take(_ tmux: TmuxAnswer) {
    surroundings = tmux.surroundings
    multiplexer = .tmux(passthrough: tmux.hasPassthrough)
  }
}
