internal import Glibc
internal import PictureCodecs

/// The terminal's capabilities, as one run of the program needs them.
package struct DetectedTerminal: Sendable {
  package private(set) var profile: TerminalProfile
  package private(set) var choice: PictureChoice
  package let input: EarlyInput

  private let option: GraphicsOption
  private let symbols: SymbolsOption
  private var inquiry: TerminalInquiry

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
    inquiry = TerminalInquiry(continuing: profile)
  }

  /// Begins to ask the terminal again; nil if it cannot be asked, or is being asked.
  ///
  /// - Parameters:
  ///   - restarting: whether to give up unanswered questions, as for another terminal.
  package mutating func ask(
    at moment: ContinuousClock.Instant = .now, restarting: Bool = false
  ) -> TerminalRequest? {
    inquiry.begin(profile, at: moment, restarting: restarting)
  }

  /// Takes an answer of the terminal, in time or late; returns what to ask next.
  ///
  /// The last answer of a series changes the profile and the choice.
  package mutating func receive(
    _ reply: TerminalReply, at moment: ContinuousClock.Instant = .now
  ) -> TerminalRequest? {
    guard inquiry.receive(reply, &profile) else { return nil }
    choose()
    return inquiry.beginAgain(profile, at: moment)
  }

  /// Takes the answer of the tmux client; returns what to ask next.
  package mutating func receive(_ answer: TmuxSurroundings?) -> TerminalRequest? {
    let next = inquiry.receive(answer, &profile)
    choose()
    return next
  }

  private mutating func choose() {
    choice = PictureChoice(for: profile, option: option, symbols: symbols)
  }
}

/// All that a way of showing pictures depends on.
package struct PictureRoute: Hashable, Sendable {
  private let path: PictureMethod
  private let version: TerminalVersion?
  private let readsFiles: Bool
  private let largestSixel: PixelSize?

  package init(_ profile: TerminalProfile, _ choice: PictureChoice) {
    path = choice.path
    version = profile.drawingVersion
    readsFiles = profile.answers.readsFiles
    largestSixel = profile.largestSixel
  }
}
