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

    let text = String(decoding: input, as: UTF8.self)
    for environment in environments { choose(whole.answers, environment, text) }
    _ = TmuxAnswer(input, hasOption: input.count % 2 == 0)
  }

  private static func choose(
    _ answers: TerminalAnswers, _ environment: TerminalEnvironment, _ text: String
  ) {
    var profile = TerminalProfile(environment: environment, isUnicode: true)
    profile.answers = answers
    profile.outer = answers
    profile.wasAsked = true
    profile.multiplexer = TerminalDetection.multiplexer(environment, answers)
    if profile.multiplexer != nil { profile.multiplexer = .tmux(passthrough: true) }
    profile.surroundings = TmuxSurroundings(answer: text)
    for option in GraphicsOption.allCases { _ = PictureChoice(for: profile, option: option) }
    _ = InkTheme(.auto, profile: profile)
    _ = profile.richerEntry { _ in 256 }
    _ = answers.version?.numbers
  }
}
