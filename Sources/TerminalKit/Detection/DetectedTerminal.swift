internal import Glibc

/// What a run of the program needs to know of its terminal.
package struct DetectedTerminal: Sendable {
  package private(set) var profile: TerminalProfile
  /// How pictures are to be shown.
  package private(set) var choice: PictureChoice
  /// What came from the terminal while it was asked.
  package let input: EarlyInput

  private let option: GraphicsOption
  private let symbols: SymbolsOption

  /// Asks the terminal on standard input and output; it stays in raw mode.
  package init(option: GraphicsOption, symbols: SymbolsOption) {
    let (profile, input) = TerminalDetection.detect(input: STDIN_FILENO, output: STDOUT_FILENO)
    self.init(profile: profile, input: input, option: option, symbols: symbols)
  }

  package init(
    profile: TerminalProfile, input: EarlyInput, option: GraphicsOption, symbols: SymbolsOption
  ) {
    self.profile = profile
    self.input = input
    self.option = option
    self.symbols = symbols
    choice = PictureChoice(for: profile, option: option, symbols: symbols)
  }

  /// Takes an answer that came after the deadline, from a terminal that was busy starting.
  ///
  /// With the last one the choice is made again. In tmux, where the questions depend on one another,
  /// the first choice stands.
  ///
  /// - Returns: whether pictures are to be shown in another way from now on.
  package mutating func takeLate(_ reply: TerminalReply) -> Bool {
    guard profile.wasAsked, !profile.answers.isComplete, profile.multiplexer == nil,
      !profile.environment.mayBeTmux
    else { return false }
    profile.answers.take(reply)
    guard profile.answers.isComplete else { return false }
    let former = choice.path
    choice = PictureChoice(for: profile, option: option, symbols: symbols)
    return choice.path != former
  }
}
