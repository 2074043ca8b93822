internal import Glibc

/// The terminal's capabilities, as one run of the program needs them.
package struct DetectedTerminal: Sendable {
  package private(set) var profile: TerminalProfile
  /// The way to show pictures.
  package private(set) var choice: PictureChoice
  /// The input received while the terminal was queried.
  package let input: EarlyInput

  private let option: GraphicsOption
  private let symbols: SymbolsOption

  /// Queries the terminal on standard input and output, leaving it in raw mode.
  package init(
    option: GraphicsOption, symbols: SymbolsOption, patience: TerminalDetection.Patience
  ) {
    let (profile, input) = TerminalDetection.detect(
      input: STDIN_FILENO, output: STDOUT_FILENO, patience: patience)
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

  /// Processes an answer that arrived after the deadline, from a terminal busy starting up.
  ///
  /// The last answer triggers a new choice. In tmux, where later questions depend on earlier
  /// answers, the first choice stands.
  ///
  /// - Returns: whether the choice changed.
  package mutating func applyLate(_ reply: TerminalReply) -> Bool {
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
