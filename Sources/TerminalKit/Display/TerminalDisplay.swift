package import PictureCodecs

/// The terminal under guard as a display: ncurses for text, the terminal's own way for pictures.
@MainActor
package final class TerminalDisplay: Display {
  private let screen: Screen
  private let terminalGuard: TerminalGuard
  /// Gives the screen back before the program stops, and reads on after it was continued.
  package var keyboard: Keyboard?
  private let inputModes: String
  /// The terminal for which the output of pictures was made.
  private var route: PictureRoute?
  private var reportsColorScheme = false
  private var isMultiplexed = false
  /// The bytes that free all pictures, whatever was sent last.
  private var cleanup = ""

  /// Takes a screen whose terminal is guarded.
  ///
  /// - Parameter mouse: whether the terminal is to report the mouse.
  package init(_ screen: Screen, terminalGuard: TerminalGuard, mouse: Bool) {
    self.screen = screen
    self.terminalGuard = terminalGuard
    inputModes =
      TerminalModes.pasteOn + TerminalModes.focusOn + (mouse ? TerminalModes.mouseOn : "")
    screen.onKeyboard = { [weak self] in
      try? self?.setRestore()  // Fails only if the program is being ended.
    }
  }

  package var size: CellSize { screen.size }
  package var cell: PixelSize { screen.cell }
  package var output: (any PictureOutput)? { screen.output }
  package var isBusy: Bool { screen.isBusy }

  package var onShown: @MainActor (_ bytes: Int) -> Void {
    get { screen.onShown }
    set { screen.onShown = newValue }
  }

  package var onLoss: @MainActor (TerminalError) -> Void {
    get { screen.onLoss }
    set { screen.onLoss = newValue }
  }

  package func adopt(
    _ profile: TerminalProfile, _ choice: PictureChoice, theme: Theme
  ) throws(TerminalError) {
    let route = PictureRoute(profile, choice)
    if route != self.route { screen.output = choice.path.output(on: screen, profile: profile) }
    self.route = route
    isMultiplexed = profile.multiplexer != nil
    screen.answeredCell = profile.answeredCell
    screen.theme = InkTheme(theme, profile: profile)
    screen.emojiSequences = profile.emojiSequences
    screen.usesKittyKeyboard = profile.answers.keyboardFlags != nil
    reportsColorScheme = profile.answers.reportsColorScheme
    screen.inputModes = inputModes + (reportsColorScheme ? TerminalModes.colorSchemeOn : "")
    cleanup = (output?.ending ?? "") + (output?.cleanup ?? "")
    try setRestore()
    screen.invalidate()
  }

  /// Has the terminal free its images and give back its keyboard before its screen.
  ///
  /// The keyboard only while the alternate screen has its flags: on the main screen, where the
  /// program is before its first frame, those of another program would go.
  private func setRestore() throws(TerminalError) {
    try terminalGuard.setRestore(
      cleanup + colorSchemeOff
        + (screen.hasKittyKeyboard ? "\u{1B}\\" + TerminalModes.keyboardOff : "")
        + TerminalModes.restore)
  }

  private var colorSchemeOff: String {
    reportsColorScheme ? "\u{1B}\\" + TerminalModes.colorSchemeOff : ""
  }

  package func present(_ canvas: Canvas) {
    TerminalGuard.prepareThread()
    screen.present(canvas)
  }

  package func isAtHand(_ picture: any PreparedPicture) -> Bool { screen.isAtHand(picture) }
  package func invalidate() { screen.invalidate() }

  package func send(_ bytes: [UInt8]) { screen.send(bytes) }

  package func suspend() throws(TerminalError) {
    // Pictures are freed and the keyboard is given back first: the two screens may have separate
    // images and flags.
    let dropped = screen.drop()
    try terminalGuard.setRestore(
      cleanup + colorSchemeOff + screen.leave() + TerminalModes.restore)
    giveBack(without: dropped)
    defer {
      screen.resume()
      keyboard?.start()
    }
    var failure: TerminalError?
    do throws(TerminalError) {
      try terminalGuard.suspend()
    } catch {
      failure = error
    }
    try setRestore()
    if let failure { throw failure }
  }

  /// Ends drawing and reading, and gives the screen back; the terminal's modes are still its own.
  package func end() {
    let dropped = screen.drop()
    screen.end()
    giveBack(without: dropped)
    keyboard = nil
  }

  /// - Parameter dropped: what the terminal did not take, and does not answer.
  private func giveBack(without dropped: [UInt8]) {
    // No question goes through a multiplexer, where another pane could get its answer.
    keyboard?.giveBack(asking: !isMultiplexed, without: dropped)
  }

  package func resume() { screen.resume() }

  package func resize() { screen.resize() }
}
