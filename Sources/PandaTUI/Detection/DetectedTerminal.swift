internal import Glibc

/// What a run of the program needs to know of its terminal.
struct DetectedTerminal: Sendable {
  let profile: TerminalProfile
  /// How pictures are to be shown.
  let choice: PictureChoice
  /// What came from the terminal while it was asked.
  let input: EarlyInput

  /// Asks the terminal on standard input and output; it stays in raw mode.
  init(option: GraphicsOption) {
    let (profile, input) = TerminalDetection.detect(input: STDIN_FILENO, output: STDOUT_FILENO)
    self.profile = profile
    self.input = input
    choice = PictureChoice(for: profile, option: option)
  }
}
