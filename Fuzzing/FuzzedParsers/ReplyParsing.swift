@testable internal import TerminalKit

/// A terminal's answers, and every choice that is made from them.
enum ReplyParsing {
  private static let environments = [
    ["TERM": "xterm"], ["TERM": "tmux-256color", "TMUX": "/tmp/tmux/default,1,0"],
    ["TERM": "screen", "STY": "1.pts"], ["TERM": "xterm-kitty", "COLORTERM": "truecolor"],
  ].map { TerminalEnvironment($0) }

  static func parse(_ input: [UInt8]) throws {
    var (whole, single) = (TerminalProbe(), TerminalProbe())
    whole.beginQuestions()
    single.beginQuestions()
    whole.read(input)
    for byte in input { single.read([byte]) }
    try require(whole.answers == single.answers, "byte by byte as whole")
    try require(whole.input.events == single.input.events, "byte by byte as whole")

    let tmux = TmuxSurroundings(answer: input)
    for environment in environments { choose(whole.answers, environment, tmux) }
  }

  private static func choose(
    _ answers: TerminalAnswers, _ environment: TerminalEnvironment, _ tmux: TmuxSurroundings?
  ) {
    var profile = TerminalProfile(environment: environment, isUnicode: true)
    profile.answers = answers
    profile.wasAsked = true
    profile.multiplexer = TerminalDetection.multiplexer(environment, answers)
    profile.surroundings = tmux
    for option in GraphicsOption.allCases { _ = PictureChoice(for: profile, option: option) }
    _ = InkTheme(.auto, profile: profile)
    _ = profile.richerEntry { _ in 256 }
    _ = answers.version?.numbers
  }
}
