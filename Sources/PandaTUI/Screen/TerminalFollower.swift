internal import TerminalKit

/// Follows what the terminal can do and looks like while the program runs.
///
/// It is asked again when something may have changed; in tmux, tmux is asked what it knows. Nothing
/// waits for the answers.
@MainActor
final class TerminalFollower {
  private(set) var terminal: DetectedTerminal
  /// Called before questions are sent, so that their answers are expected.
  var onQuestions: @MainActor () -> Void = {}
  /// Called after the terminal has changed, with the former one.
  var onChange: @MainActor (_ former: DetectedTerminal) -> Void = { _ in }

  private let display: any Display
  private let askTmux: @Sendable () async -> TmuxSurroundings?

  init(
    _ terminal: DetectedTerminal, on display: any Display,
    askTmux: @escaping @Sendable () async -> TmuxSurroundings? = {
      // Nothing waits for it, and a busy machine may take long.
      await TmuxSurroundings.current(within: .seconds(30))
    }
  ) {
    self.terminal = terminal
    self.display = display
    self.askTmux = askTmux
  }

  /// Begins to follow; asks tmux again if it was too busy, or did not yet know its terminal.
  func begin() {
    let profile = terminal.profile
    if profile.multiplexer == .tmux, profile.environment["TMUX"] != nil,
      profile.surroundings?.version == nil
    {
      ask()
    }
  }

  func ask(restarting: Bool = false) {
    perform(terminal.ask(restarting: restarting))
  }

  /// Takes an answer or a report of the terminal.
  func receive(_ reply: TerminalReply) {
    if case .colorScheme = reply { return ask() }
    change { $0.receive(reply) }
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
    case .askTmux:
      Task { [askTmux] in
        let answer = await askTmux()
        change { $0.receive(answer) }
      }
    }
  }
}
