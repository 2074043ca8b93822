package import PictureCodecs

/// The terminal under guard as a display: ncurses for text, the terminal's own way for pictures.
@MainActor
package final class TerminalDisplay: Display {
  private let screen: Screen
  private let terminalGuard: TerminalGuard

  /// Takes a screen whose terminal is guarded.
  ///
  /// - Parameter mouse: whether the terminal is to report the mouse.
  package init(_ screen: Screen, terminalGuard: TerminalGuard, mouse: Bool) {
    self.screen = screen
    self.terminalGuard = terminalGuard
    screen.inputModes =
      TerminalModes.pasteOn + TerminalModes.focusOn + (mouse ? TerminalModes.mouseOn : "")
  }

  package var size: CellSize { screen.size }
  package var cell: PixelSize { screen.cell }
  package var output: (any PictureOutput)? { screen.output }

  package func adopt(
    _ profile: TerminalProfile, _ choice: PictureChoice, theme: Theme, colors: [Ink: InkColor]
  ) throws(TerminalError) {
    let output = choice.path.output(on: screen, profile: profile)
    screen.answeredCell = profile.cell
    screen.theme = InkTheme(theme, chosen: colors, profile: profile)
    screen.output = output
    screen.emojiSequences = profile.emojiSequences
    screen.usesKittyKeyboard = profile.answers.keyboardFlags != nil
    try setRestore()
    screen.invalidate()
  }

  /// Has the terminal free its images and give back its keyboard before its screen.
  private func setRestore() throws(TerminalError) {
    try terminalGuard.setRestore(
      (output?.cleanup ?? "")
        + (screen.usesKittyKeyboard ? "\u{1B}\\" + TerminalModes.keyboardOff : "")
        + TerminalModes.restore)
  }

  package func present(_ canvas: Canvas) throws(TerminalError) {
    TerminalGuard.prepareThread()
    try screen.present(canvas)
  }

  package func invalidate() { screen.invalidate() }

  package func send(_ bytes: [UInt8]) throws(TerminalError) { try screen.send(bytes) }

  package func suspend() throws(TerminalError) {
    // The other screen, with other flags of the keyboard, is the one to be restored then.
    try terminalGuard.setRestore(TerminalModes.restore)
    screen.leave()
    defer {
      screen.resume()
      try? setRestore()  // Fails only if the program is being ended.
    }
    try terminalGuard.suspend()
  }

  package func resume() { screen.resume() }

  package func resize() { screen.resize() }
}
