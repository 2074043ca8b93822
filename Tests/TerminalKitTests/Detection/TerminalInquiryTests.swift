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
      request = terminal.receive(reply, at: start) ?? request
    }
    return request
  }

  private func questions(_ request: TerminalRequest?) throws -> String {
    guard case .send(let text) = request else { throw NoQuestions() }
    return text
  }

  private struct NoQuestions: Error {}

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
    // xterm has a limit of its own, and others none.
    let limits = [RealTerminals.xtermSixel, RealTerminals.foot].map {
      RealTerminals.profile($0).largestSixel
    }
    #expect(limits == [PixelSize(width: 1_000, height: 1_000), nil])
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
    arguments: [
      ["TERM": "dumb"], ["TERM": "linux"], ["TERM": "screen", "STY": "1"],
      ["TERM": "xterm-kitty", "ZELLIJ": "0"],
    ])
  func refusals(_ variables: [String: String]) {
    var terminal = detected(RealTerminals.profile("\u{1B}[?6c", variables))
    #expect(terminal.ask(restarting: true) == nil)
  }

  @Test("In tmux, tmux is asked, and the pictures are chosen for the terminal that it names")
  func clients() {
    var terminal = detected(
      RealTerminals.profile(
        RealTerminals.tmux, RealTerminals.inTmux, tmux: RealTerminals.surroundings("kitty(0.41.1)"))
    )
    #expect(terminal.choice.path == .kittyPlaceholders(throughTmux: true))
    // Nothing passes through it, and it answers for its own colors.
    let colors = TerminalRequest.send("\u{1B}]10;?\u{1B}\\\u{1B}]11;?\u{1B}\\\u{1B}[c")

    #expect(terminal.ask() == .askTmux)
    #expect(terminal.receive(RealTerminals.surroundings("XTerm(379)", client: "8")) == colors)
    #expect(terminal.choice.path == .symbols(.quadrants, colors: .palette256))
    answer(Self.light + "\u{1B}[?1;2c", to: &terminal)
    #expect(terminal.profile.background?.isLight == true)
    #expect(terminal.profile.answers.version?.product == .tmux)

    // Another client of the same kind has none of the pictures.
    let former = terminal.profile
    #expect(terminal.ask() == .askTmux)
    #expect(terminal.receive(RealTerminals.surroundings("XTerm(379)", client: "9")) == colors)
    #expect(terminal.profile != former)
  }

  @Test("What tmux said stays if it does not answer, or if no terminal is attached")
  func detached() {
    let known = RealTerminals.surroundings("kitty(0.41.1)")
    var terminal = detected(
      RealTerminals.profile(RealTerminals.tmux, RealTerminals.inTmux, tmux: known))
    for answer in [nil, RealTerminals.surroundings("", client: "")] {
      #expect(terminal.ask() == .askTmux)
      // The tmux client answers or is killed: a second one is not started beside it.
      #expect(terminal.ask(restarting: true) == nil)
      #expect(terminal.receive(answer) != nil && terminal.profile.surroundings == known)
      #expect(self.answer("\u{1B}[?1;2c", to: &terminal) == .askTmux)
      #expect(terminal.receive(answer) != nil)
      #expect(self.answer("\u{1B}[?1;2c", to: &terminal) == nil)
    }
  }

  @Test("tmux's answer is read in every version")
  func surroundings() throws {
    func read(_ text: String) -> TmuxSurroundings? { TmuxSurroundings(answer: Array(text.utf8)) }
    let known = try #require(read("42 foot 256,RGB,sixel,title 8x17 on foot(1.13.1)\n"))
    #expect(known.client == "42" && known.term == "foot" && known.version?.product == .foot)
    #expect(known.hasDirectColor && known.hasSixel && known.hasPassthrough)
    #expect(known.cell == PixelSize(width: 8, height: 17))
    for (option, passes) in [("1", true), ("all", true), ("off", false), ("0", false), ("", false)]
    {
      #expect(read("42 xterm  8x16 \(option) XTerm(379)\n")?.hasPassthrough == passes)
    }
    // An old one knows less, and without a client there is nothing to know.
    let old = try #require(read("   x  \n"))
    #expect(old == TmuxSurroundings())
    #expect(read("") == nil && read("no server running on /tmp/x\n") == nil)
  }
}
