/// The questions to the terminal while the program runs, one series at a time.
///
/// A terminal's answers expire: a desktop turns light, a font grows, another terminal attaches. A
/// pure state machine; what it requests is done by its owner, and never waited for. Silence changes
/// nothing. A multiplexer gives answers to the pane that has the keyboard, so nothing is asked
/// through one: tmux is asked what it knows.
struct TerminalInquiry: Sendable {
  /// The time after which answers count as lost, as on a bad connection.
  private static let patience = Duration.seconds(2)

  private enum Stage {
    /// The terminal is asked; in tmux, tmux for its colors.
    case terminal
    case tmux
  }

  private var stage: Stage?
  private var beginning: ContinuousClock.Instant?
  /// The answers of this stage.
  private var answers = TerminalAnswers()
  /// Whether there was another occasion meanwhile.
  private var isWantedAgain = false

  /// Continues the questions of the launch, if they are unanswered and no others depend on them.
  init(continuing profile: TerminalProfile) {
    guard profile.wasAsked, !profile.answers.isComplete, profile.multiplexer == nil,
      !profile.environment.mayBeMultiplexed
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
    case .tmux:
      stage = .terminal
      return .send(TerminalQuestions.colors)
    case .screen, .zellij: return nil
    case nil:
      stage = .terminal
      let isApple = profile.environment.version?.product == .appleTerminal
      return .send(TerminalQuestions.again(asksForGraphics: !isApple))
    }
  }

  private func isUnderWay(
    at moment: ContinuousClock.Instant, _ profile: TerminalProfile, restarting: Bool
  ) -> Bool {
    switch stage {
    case nil: false
    // The tmux client always answers, or is killed.
    case .tmux: true
    case .terminal:
      // A terminal that has never answered is not asked more often for its silence.
      !restarting && !(profile.isAnswered && beginning.map { moment - $0 > Self.patience } ?? true)
    }
  }

  /// Takes an answer of the terminal; returns whether the profile is complete again.
  mutating func receive(_ reply: TerminalReply, _ profile: inout TerminalProfile) -> Bool {
    answers.receive(reply)
    guard answers.isComplete, case .terminal = stage else { return false }
    stage = nil
    guard profile.multiplexer == nil else {
      profile.answers.takeColors(of: answers)
      return true
    }
    var completed = answers
    completed.keyboardFlags = completed.keyboardFlags ?? profile.answers.keyboardFlags
    completed.keepFiles(of: profile.answers)
    profile.answers = completed
    return true
  }

  /// Takes the answer of tmux, nil if there was none; returns the next request.
  ///
  /// With no terminal attached, there is nothing to learn.
  mutating func receive(
    _ answer: TmuxSurroundings?, _ profile: inout TerminalProfile
  ) -> TerminalRequest? {
    guard case .tmux = stage else { return nil }
    if let answer, !answer.client.isEmpty { profile.surroundings = answer }
    (stage, answers) = (.terminal, TerminalAnswers())
    return .send(TerminalQuestions.colors)
  }

  /// Begins again if that was wanted meanwhile.
  mutating func beginAgain(
    _ profile: TerminalProfile, at moment: ContinuousClock.Instant
  ) -> TerminalRequest? {
    guard isWantedAgain, stage == nil else { return nil }
    return begin(profile, at: moment, restarting: false)
  }
}

/// A request to the owner of a ``DetectedTerminal``.
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
