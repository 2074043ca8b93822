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
    // The terminal frees the images that it holds before its screen is given back.
    try terminalGuard.setRestore((output?.cleanup ?? "") + TerminalModes.restore)
    screen.invalidate()
  }

  package func present(_ canvas: Canvas) throws(TerminalError) {
    TerminalGuard.prepareThread()
    try screen.present(canvas)
  }

  package func invalidate() { screen.invalidate() }

  package func send(_ bytes: [UInt8]) throws(TerminalError) { try screen.send(bytes) }

  package func suspend() throws(TerminalError) {
    screen.leave()
    defer { screen.resume() }
    try terminalGuard.suspend()
  }

  package func resume() { screen.resume() }

  package func resize() { screen.resize() }
}
