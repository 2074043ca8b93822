internal import TerminalKitTestSupport
internal import Testing

@testable import PictureCodecs
@testable import TerminalKit

/// The terminal is asked again while the program runs.
struct TerminalInquiryTests {
  private let start = ContinuousClock.now
  private static let light = "\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\"

  private func detected(_ profile: TerminalProfile) -> DetectedTerminal {
    DetectedTerminal(profile: profile, input: EarlyInput(), option: .auto, symbols: .auto)
  }

  /// Has a terminal take an answer, and returns the last request.
  @discardableResult
  private func answer(_ bytes: String, to terminal: inout DetectedTerminal) -> TerminalRequest? {
    var decoder = KeyDecoder()
    var request: TerminalRequest?
    for case .reply(let reply) in decoder.feed(bytes.utf8) {
      request = terminal.take(reply, at: start) ?? request
    }
    return request
  }

  private func questions(_ request: TerminalRequest?) throws -> String {
    guard case .send(let text) = request else { throw NoQuestions() }
    return text
  }

  private struct NoQuestions: Error {}

  private func tmux(_ client: String, _ version: String, isShown: Bool = true) -> TmuxAnswer? {
    TmuxAnswer(
      Array("xterm-256color \(version)\n\(client) \(isShown ? 1 : 0)\non\n".utf8), hasOption: true)
  }

  @Test("A terminal that turns light is believed once it has answered everything")
  func theme() throws {
    var terminal = detected(RealTerminals.profile(RealTerminals.xtermSixel))
    let asked = try questions(terminal.ask(at: start))
    for question in ["\u{1B}[>q", "\u{1B}[16t", "]10;?", "]11;?", "]4;3;?", "\u{1B}[?2;1;0S"] {
      #expect(asked.contains(question))
    }
    // These are the program's own by now.
    #expect(!asked.contains("\u{1B}[?u") && asked.hasSuffix("\u{1B}[c"))
    answer("\u{1B}P>|XTerm(379)\u{1B}\\" + Self.light, to: &terminal)
    #expect(terminal.profile.background?.isLight == false)
    answer("\u{1B}[?2;0;800;450S\u{1B}[?2;0;800;600S\u{1B}[?63;4c", to: &terminal)
    #expect(terminal.profile.background?.isLight == true)
    #expect(terminal.profile.largestSixel == PixelSize(width: 800, height: 600))
    #expect(terminal.choice.path == .sixel)
  }

  @Test("The answers of a terminal that was slow at launch lead to a choice")
  func late() {
    var terminal = detected(RealTerminals.profile(""))
    answer("\u{1B}[?7u", to: &terminal)
    #expect(terminal.profile.answers.keyboardFlags == nil)
    answer("\u{1B}[?63;4c", to: &terminal)
    #expect(terminal.choice.path == .sixel && terminal.profile.answers.keyboardFlags == 7)
  }

  @Test("Silence changes nothing, and several occasions are one more question")
  func silence() throws {
    var terminal = detected(RealTerminals.profile(RealTerminals.kitty041))
    let before = terminal.profile
    #expect(terminal.ask(at: start) != nil)
    #expect(terminal.ask(at: start) == nil && terminal.ask(at: start) == nil)
    #expect(terminal.profile == before)
    let next = answer(RealTerminals.kitty041, to: &terminal)
    #expect(try questions(next).hasSuffix("\u{1B}[c"))
    #expect(terminal.profile == before)
    // The file was offered at launch only.
    #expect(!(try questions(next).contains("i=32")))
    #expect(
      answer("\u{1B}P>|kitty(0.41.1)\u{1B}\\\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62c", to: &terminal)
        == nil)
    #expect(terminal.profile.answers.readsFiles)
    #expect(answer("\u{1B}[?62;4c", to: &terminal) == nil && !terminal.profile.answers.hasSixel)
  }

  @Test("What is lost is asked again: at once if the user wants it, else after a while")
  func lost() {
    var terminal = detected(RealTerminals.profile(RealTerminals.foot))
    #expect(terminal.ask(at: start) != nil)
    #expect(terminal.ask(at: start + .seconds(1)) == nil)
    #expect(terminal.ask(at: start + .seconds(1), restarting: true) != nil)
    #expect(terminal.ask(at: start + .seconds(2)) == nil)
    #expect(terminal.ask(at: start + .seconds(4)) != nil)
    // One that has never answered is only asked for the user.
    var silent = detected(RealTerminals.profile(""))
    #expect(silent.ask(at: start + .seconds(60)) == nil)
    #expect(silent.ask(at: start, restarting: true) != nil)
  }

  @Test(
    "Where nothing can be asked, nothing is",
    arguments: [["TERM": "dumb"], ["TERM": "linux"], ["TERM": "screen", "STY": "1"]])
  func refusals(_ variables: [String: String]) {
    var terminal = detected(RealTerminals.profile("\u{1B}[?6c", variables))
    #expect(terminal.ask(restarting: true) == nil)
  }

  @Test("In tmux another client is asked who it is, and the pictures are chosen for it")
  func clients() throws {
    var terminal = detected(
      RealTerminals.profile(
        RealTerminals.tmux, RealTerminals.inTmux, outer: RealTerminals.kitty041, passthrough: true))
    #expect(terminal.choice.path == .kittyPlaceholders(throughTmux: true))

    #expect(terminal.ask() == .askTmux)
    #expect(terminal.take(tmux("", "")) == nil)
    #expect(terminal.choice.path == .kittyPlaceholders(throughTmux: true))

    #expect(terminal.ask() == .askTmux)
    let asked = try questions(terminal.take(tmux("7", "XTerm(379)")))
    #expect(asked.hasPrefix("\u{1B}Ptmux;\u{1B}\u{1B}[>q") && !asked.contains("_G"))
    // Until it has answered, what was known stays.
    #expect(terminal.choice.path == .kittyPlaceholders(throughTmux: true))
    answer(RealTerminals.xterm, to: &terminal)
    #expect(terminal.choice.path == .symbols(.quadrants, colors: .direct))

    #expect(terminal.ask() == .askTmux)
    #expect(terminal.take(tmux("8", "")) != nil)
    let graphics = answer(RealTerminals.kitty041, to: &terminal)
    #expect(try questions(graphics).contains("_Gi=31"))
    let former = terminal.profile
    answer("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62c", to: &terminal)
    #expect(terminal.choice.path == .kittyPlaceholders(throughTmux: true))
    #expect(terminal.profile != former && terminal.profile.surroundings.client == "8")
  }

  @Test("Behind another window of tmux the terminal is not asked")
  func hidden() {
    var terminal = detected(
      RealTerminals.profile(
        RealTerminals.tmux, RealTerminals.inTmux, outer: RealTerminals.kitty041, passthrough: true))
    #expect(terminal.ask() == .askTmux)
    #expect(terminal.take(tmux("7", "XTerm(379)", isShown: false)) == nil)
    #expect(terminal.profile.surroundings.client == "7")
    // The tmux client without an answer.
    #expect(terminal.ask() == .askTmux)
    #expect(terminal.ask(restarting: true) == nil)
    #expect(terminal.take(nil) == .askTmux)
  }

  @Test("tmux's option is on, off, all or missing")
  func option() throws {
    func answer(_ text: String, hasOption: Bool = true) -> TmuxAnswer? {
      TmuxAnswer(Array(text.utf8), hasOption: hasOption)
    }
    let on = try #require(answer("xterm-256color foot(1.13.1)\n42 2\non\n"))
    #expect(on.hasPassthrough && !on.passesHidden && on.isShown && on.isReached)
    #expect(on.surroundings.client == "42" && on.surroundings.version?.product == .foot)
    let all = try #require(answer("xterm \n42 0\nall\n"))
    #expect(all.hasPassthrough && all.passesHidden && !all.isShown && all.isReached)
    #expect(answer("xterm \n42 1\noff\n")?.hasPassthrough == false)
    #expect(answer("xterm \n42 1\n", hasOption: false)?.hasPassthrough == false)
    let none = try #require(answer(" \n 0\nall\n"))
    #expect(!none.isAttached && !none.isReached && none.surroundings.version == nil)
    #expect(answer("") == nil && answer("no server running on /tmp/x\n") == nil)
  }
}
