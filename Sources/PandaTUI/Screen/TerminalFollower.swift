internal import PandaCore
internal import TerminalKit

/// Follows what the terminal can do and looks like while the program runs.
///
/// It is asked again when something may have changed, and in tmux when another terminal may be
/// attached. Nothing waits for the answers.
@MainActor
final class TerminalFollower {
  /// The time without keys after which another terminal may be attached.
  private static let pause = Duration.seconds(2)
  /// The time between two looks at a window that is not shown.
  private static let lookAgain = Duration.seconds(1)

  /// The time after which questions through tmux are sent again, and how often.
  ///
  /// tmux drops what passes through while it redraws a terminal, as after one was attached.
  private static let askAgain = (after: Duration.seconds(2), atMost: 5)

  private(set) var terminal: DetectedTerminal
  /// Called before questions are sent, so that their answers are expected.
  var onQuestions: @MainActor () -> Void = {}
  /// Called when it is asked whether pictures have arrived, and when the answer is given up.
  var onArrivalQuestion: @MainActor (_ isAsked: Bool) -> Void = { _ in }
  /// Called after the terminal has changed, with the former one.
  var onChange: @MainActor (_ former: DetectedTerminal) -> Void = { _ in }
  /// Called when a window is shown again that has missed pictures.
  var onMissedPictures: @MainActor () -> Void = {}

  private let display: any Display
  private let clock: any AppClock
  private let askTmux: @Sendable () async -> TmuxAnswer?
  private var socket: TmuxSocketWatch?
  private var lastKey: Duration
  /// The questions through tmux so far, and how often lost ones may be sent again.
  private var outerRequests = 0
  private var retriesLeft = TerminalFollower.askAgain.atMost
  private var uploadCount = 0
  /// The time after which pictures have not arrived: longer than a slow line takes for one.
  private static let arrivalPatience = Duration.seconds(5)
  /// The number of times that pictures are sent again if no answer ever comes.
  private static let mostResends = 3
  private var arrivalCount = 0
  private var awaited: Set<Int> = []
  private var resendsLeft = TerminalFollower.mostResends
  /// Whether it is being asked if the window is shown, or will be soon.
  private var isLooking = false
  /// The time of the last look.
  private var lastLook: Duration?
  /// Whether pictures were sent that no terminal got.
  private var hasMissedPictures = false

  init(
    _ terminal: DetectedTerminal, on display: any Display, clock: any AppClock,
    askTmux: @escaping @Sendable () async -> TmuxAnswer? = { await TmuxAnswer.current() }
  ) {
    self.terminal = terminal
    self.display = display
    self.clock = clock
    self.askTmux = askTmux
    lastKey = clock.moment
    socket = TmuxSocketWatch(terminal.profile.environment) { [weak self] in
      self?.retriesLeft = Self.askAgain.atMost
      self?.ask(restarting: true)
    }
  }

  /// Begins to follow; asks what was not answered before.
  func begin() {
    if terminal.isHalfAsked { ask(restarting: true) }
  }

  /// Stops following tmux.
  func end() { socket?.stop() }

  /// Asks the terminal again.
  func ask(restarting: Bool = false) {
    perform(terminal.ask(restarting: restarting))
  }

  /// Takes an answer or a report of the terminal.
  func take(_ reply: TerminalReply) {
    if case .colorScheme = reply { return ask() }
    noteArrival(reply)
    change { $0.take(reply) }
  }

  /// Notes a key press; after a pause, it may come from another terminal.
  func noteKey() {
    let moment = clock.moment
    defer { lastKey = moment }
    guard case .tmux = terminal.profile.multiplexer, moment - lastKey > Self.pause else { return }
    ask()
  }

  /// Notes a frame, whose pictures tmux drops where the window is not shown, or is being redrawn.
  ///
  /// A question follows them on the same way: one that is not answered was dropped with them.
  func noteFrame() {
    guard let output = display.output, output.uploadCount != uploadCount else { return }
    uploadCount = output.uploadCount
    guard terminal.choice.path == .kittyPlaceholders(throughTmux: true), !hasMissedPictures else {
      return
    }
    let ids = OwedAnswers.arrivals
    let id = ids.lowerBound + arrivalCount % ids.count
    arrivalCount += 1
    awaited.insert(id)
    onArrivalQuestion(true)
    display.send(Array(TerminalQuestions.arrivalThroughTmux(id: id).utf8))
    clock.after(Self.arrivalPatience) { [weak self] in
      guard let self, awaited.remove(id) != nil else { return }
      onArrivalQuestion(false)
      guard resendsLeft > 0, !hasMissedPictures else { return }
      resendsLeft -= 1
      hasMissedPictures = true
      look()
    }
  }

  /// Notes that pictures have arrived, if that is what an answer says.
  private func noteArrival(_ reply: TerminalReply) {
    guard case .kittyGraphics(let id?, _) = reply, awaited.remove(id) != nil else { return }
    resendsLeft = Self.mostResends
  }

  /// Asks whether the window is shown, at most once a second.
  private func look() {
    guard !isLooking else { return }
    isLooking = true
    let wait = lastLook.map { $0 + Self.lookAgain - clock.moment } ?? .zero
    if wait > .zero {
      clock.after(wait) { [weak self] in self?.lookNow() }
    } else {
      lookNow()
    }
  }

  private func lookNow() {
    lastLook = clock.moment
    isLooking = false
    Task { [askTmux] in
      if let answer = await askTmux() { note(answer) }
    }
  }

  /// Notes whether pictures reach a terminal.
  private func note(_ answer: TmuxAnswer) {
    if answer.isReached {
      guard hasMissedPictures else { return }
      hasMissedPictures = false
      onMissedPictures()
    } else if hasMissedPictures {
      // The socket tells when a terminal is attached.
      guard answer.isAttached || socket == nil else { return }
      look()
    }
  }

  /// Asks once more if the terminal that tmux runs in does not answer.
  private func watchOuter() {
    outerRequests += 1
    guard retriesLeft > 0 else { return }
    clock.after(Self.askAgain.after) { [weak self, outerRequests] in
      guard let self, self.outerRequests == outerRequests, terminal.awaitsOuter else { return }
      retriesLeft -= 1
      ask(restarting: true)
    }
  }

  private func change(_ body: (inout DetectedTerminal) -> TerminalRequest?) {
    let former = terminal
    let next = body(&terminal)
    if terminal.profile != former.profile || terminal.choice != former.choice { onChange(former) }
    perform(next)
  }

  private func perform(_ request: TerminalRequest?) {
    switch request {
    case nil: break
    case .send(let questions):
      onQuestions()
      display.send(Array(questions.utf8))
      if terminal.awaitsOuter { watchOuter() }
    case .askTmux:
      Task { [askTmux] in
        let answer = await askTmux()
        change { $0.take(answer) }
        if let answer { note(answer) }
      }
    }
  }
}
