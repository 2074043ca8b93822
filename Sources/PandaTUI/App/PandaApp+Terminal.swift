internal import PandaCore
internal import PandaSession
internal import TerminalKit

// The program in a terminal that changes.
extension PandaApp: ScreenProgram {
  private var log: Log { context.log }

  func terminalIsGone() { context.quit() }

  /// Has the terminal asked again, and what it says drawn.
  func followTerminal() {
    context.askTerminal = { [follower] in follower.ask(restarting: true) }
    follower.onChange = { [weak self] in self?.adopt(insteadOf: $0) }
  }

  func handle(_ signals: Set<TerminalGuard.Signal>) {
    if signals.contains(.stopRequested) {
      log.notice(.terminal, "Asked to stop by a signal")
      commands.perform(.program(.suspend))
    } else if signals.contains(.continued) {
      log.notice(.terminal, "Continued by a signal")
      context.display.resume()
      follower.ask(restarting: true)
    } else if signals.contains(.resized) {
      return resize()
    }
    context.redraw()
  }

  /// How long a window must keep its size before the screen follows it.
  static let resizePause = Duration.milliseconds(50)

  /// Follows the window after the last of many resizes: each would decode and send all pictures.
  private func resize() {
    resizes += 1
    context.clock.after(Self.resizePause) { [weak self, resizes] in
      guard let self, resizes == self.resizes else { return }
      context.display.resize()
      follower.ask()
      context.redraw()
    }
  }

  /// Draws as the terminal is now: another theme, another size of cells, other pictures.
  private func adopt(insteadOf former: DetectedTerminal) {
    let terminal = follower.terminal
    if terminal.choice.lacksLibrary != former.choice.lacksLibrary { reportMissingLibrary() }
    log.notice(.terminal, "Asked again: \(TerminalWords.sentence(terminal))")
    do {
      try context.display.adopt(
        terminal.profile, terminal.choice, theme: context.configuration.theme)
    } catch {
      // Too late: the program is already ending.
      return
    }
    if PictureRoute(terminal.profile, terminal.choice)
      != PictureRoute(former.profile, former.choice)
    {
      context.cardView.show(by: context.display.output)
      context.carousel.show(by: context.display.output)
      context.zoom.show(by: context.display.output)
    }
    context.redraw()
  }

  /// Says that pictures are not shown as they could be, for lack of a library.
  ///
  /// A late answer of the terminal may be the reason that none is needed any more.
  func reportMissingLibrary() {
    let choice = follower.terminal.choice
    guard choice.lacksLibrary else {
      if context.model.trouble?.isMissingLibrary == true {
        context.model.trouble = nil
        context.model.clearMessage()
      }
      return
    }
    let trouble = Trouble.missingLibrary(choice, at: context.clock.date)
    context.record(trouble)
    context.say(.problem(trouble.what))
  }
}
