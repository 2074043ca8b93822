import PandaTestSupport
import PictureCodecs
import SystemSupport
import Testing

@testable import PandaTUI
@testable import TerminalKit

/// What the program asks tmux, and when.
@MainActor
@Suite struct TerminalFollowerTests {
  private let clock = TestClock()
  private let images = KittyImages(route: .tmux, process: 1)
  private let server = Server()

  /// A tmux server that answers what the test says, and counts the questions.
  private final class Server: Sendable {
    private let state = Lock((answer: TmuxAnswer?.none, asked: 0))

    var asked: Int { state.withLock { $0.asked } }
    func say(_ text: String) {
      let answer = TmuxAnswer(Array(text.utf8), hasOption: true)
      state.withLock { $0.answer = answer }
    }

    func answer() -> TmuxAnswer? {
      state.withLock { state in
        state.asked += 1
        return state.answer
      }
    }
  }

  private func follower() -> (TerminalFollower, CanvasDisplay) {
    var profile = TerminalProfile(
      environment: TerminalEnvironment(["TERM": "tmux-256color", "TMUX": "/nowhere,1,0"]),
      isUnicode: true)
    profile.wasAsked = true
    profile.multiplexer = .tmux(passthrough: true)
    for reply: TerminalReply in [
      .version("kitty(0.41.1)"), .kittyGraphics(id: 31, message: "OK"), .primaryAttributes([62]),
    ] {
      profile.answers.take(reply)
      profile.outer.take(reply)
    }
    let output = KittyOutput(
      .placeholders(repeatsCharacters: false), images: images, readsFiles: false)
    let display = CanvasDisplay(columns: 80, rows: 24, output: output)
    let terminal = DetectedTerminal(
      profile: profile, input: EarlyInput(), option: .auto, symbols: .auto)
    let follower = TerminalFollower(terminal, on: display, clock: clock) { [server] in
      server.answer()
    }
    return (follower, display)
  }

  @Test func `pictures whose question is not answered are missed, until the window is shown`()
    async throws
  {
    let (follower, display) = follower()
    var missed = 0
    follower.onMissedPictures = { missed += 1 }
    follower.noteFrame()
    #expect(display.sent.isEmpty)

    // One that arrives needs nothing else.
    _ = images.hold(nil)
    follower.noteFrame()
    #expect(String(decoding: display.sent, as: UTF8.self).contains("_Gi=1000,"))
    follower.take(.kittyGraphics(id: 1_000, message: "OK"))
    clock.advance(by: .seconds(5))
    #expect(server.asked == 0 && clock.waitingCount == 0)

    server.say("xterm kitty(0.41.1)\n7 0\non\n")
    _ = images.hold(nil)
    follower.noteFrame()
    clock.advance(by: .seconds(5))
    try await eventually("a look") { server.asked == 1 && clock.waitingCount == 1 }
    // More pictures are missed too, and nothing is asked for them.
    _ = images.hold(nil)
    follower.noteFrame()
    #expect(clock.waitingCount == 1)
    clock.advance(by: .seconds(1))
    try await eventually("another look") { server.asked == 2 && clock.waitingCount == 1 }

    server.say("xterm kitty(0.41.1)\n7 1\non\n")
    clock.advance(by: .seconds(1))
    try await eventually("that they are sent again") { missed == 1 }
    #expect(clock.waitingCount == 0)
    // A frame without new pictures asks nothing.
    follower.noteFrame()
    #expect(server.asked == 3 && missed == 1)
  }

  @Test func `a terminal that never answers gets pictures a few times at most`() async throws {
    let (follower, _) = follower()
    var missed = 0
    follower.onMissedPictures = { [images] in
      missed += 1
      _ = images.hold(nil)
    }
    server.say("xterm kitty(0.41.1)\n7 1\non\n")
    _ = images.hold(nil)
    for count in 1...3 {
      follower.noteFrame()
      clock.advance(by: .seconds(5))
      // The looks are a second apart.
      clock.advance(by: .seconds(1))
      try await eventually("time \(count)") { missed == count }
    }
    follower.noteFrame()
    clock.advance(by: .seconds(60))
    #expect(missed == 3 && clock.waitingCount == 0)
  }

  @Test func `a key after a pause asks who is there, and the next ones do not`() async throws {
    let (follower, display) = follower()
    var questions = 0
    follower.onQuestions = { questions += 1 }
    server.say("xterm XTerm(379)\n8 1\non\n")
    follower.noteKey()
    clock.pass(.seconds(1))
    follower.noteKey()
    #expect(server.asked == 0)
    clock.pass(.seconds(3))
    follower.noteKey()
    follower.noteKey()
    try await eventually("the question") { !display.sent.isEmpty }
    #expect(server.asked == 1 && questions == 1)
    #expect(String(decoding: display.sent, as: UTF8.self).contains("\u{1B}[16t"))
    // Once it is answered, nothing is asked again.
    follower.take(.version("XTerm(379)"))
    follower.take(.primaryAttributes([64]))
    clock.advance(by: .seconds(60))
    #expect(server.asked == 1 && questions == 1 && clock.waitingCount == 0)
  }

  @Test func `questions that tmux has dropped are sent again, a few times`() async throws {
    let (follower, _) = follower()
    var questions = 0
    follower.onQuestions = { questions += 1 }
    server.say("xterm XTerm(379)\n8 1\non\n")
    follower.ask(restarting: true)
    for count in 1...5 {
      try await eventually("question \(count)") { questions == count && clock.waitingCount == 1 }
      clock.advance(by: .seconds(2))
    }
    try await eventually("the last question") { questions == 6 }
    #expect(server.asked == 6 && clock.waitingCount == 0)
  }
}
