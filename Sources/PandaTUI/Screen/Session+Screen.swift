internal import FoundationEssentials
internal import PandaCore
internal import PandaSession
internal import TerminalKit

/// A program on the whole screen: where the events of its terminal go.
@MainActor
protocol ScreenProgram: AnyObject {
  /// The terminal's capabilities, queried again while the program runs.
  var follower: TerminalFollower { get }

  func handle(_ events: [InputEvent])
  func handle(_ signals: Set<TerminalGuard.Signal>)
  /// Ends the program, whose terminal is gone.
  func terminalIsGone()
  func run() async
}

extension Session {
  /// Refuses a terminal that can show no screen, before anything writes control codes to it.
  func checkTerminal() throws(Screen.Failure) {
    guard environment.isDumb else { return }
    throw environment.term.isEmpty
      ? .unknownTerminal("") : .cannotMoveCursor(environment.shownTerm)
  }

  /// Runs a program on the screen of the terminal, and gives the terminal back.
  ///
  /// - Parameter make: makes the program, once it is known what the terminal can do.
  /// - Returns: the program, which has ended.
  /// - Throws: `Screen.Failure` or `TerminalError`; the terminal is as it was then.
  func runOnScreen<Program: ScreenProgram>(
    making make: (DetectedTerminal, any Display) throws(TerminalError) -> Program
  ) async throws -> Program {
    let drawing = DrawingDescriptor.open()
    let owner = try TerminalGuard(descriptor: drawing.number)
    do {
      // The signal handler is installed before the program exists, so it looks it up later.
      var program: Program?
      // During the queries only the terminal's modes have changed: there is no screen to leave yet.
      try owner.install(restoring: "") { signals in program?.handle(signals) }
      let terminal = DetectedTerminal(
        option: configuration.graphics, symbols: configuration.symbols, patience: .ofUser())
      log.notice(.terminal, TerminalWords.sentence(terminal))
      try owner.setRestore(TerminalModes.restore)
      let screen: Screen
      do {
        screen = try Screen(
          entry: terminal.profile.richerEntry {
            TerminalDatabase.colors(of: $0, on: drawing.number)
          }, on: drawing)
      } catch {
        // The terminal is unknown, and its screen is as it was.
        try owner.setRestore("")
        throw error
      }
      let display = TerminalDisplay(screen, terminalGuard: owner, mouse: configuration.mouse)
      let running = try make(terminal, display)
      program = running
      let keyboard = Keyboard(
        terminalGuard: owner, early: terminal.input,
        onEvents: { running.handle($0) },
        onEnd: { [log] in
          log.error(.terminal, "The terminal's input has ended: it is gone")
          running.terminalIsGone()
        })
      running.follower.onQuestions = { keyboard.expectAnswers() }
      display.keyboard = keyboard
      keyboard.start()
      await running.run()
      display.end()
      owner.restore()
      // Its images are freed.
      HandoverFiles.own.removeAll()
      return running
    } catch {
      owner.restore()
      throw error
    }
  }
}
