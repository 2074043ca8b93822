import Foundation
import Glibc
import PandaTestSupport
import Testing

/// The program in terminals that change while it runs.
@Suite(.timeLimit(.minutes(15))) struct FollowingTests {
  let directory = TemporaryDirectory()

  private static let limit = Duration.seconds(60)
  private static let identity = "\u{1B}P>|fictional 1.0\u{1B}\\"
  /// The title's ink on a dark and on a light background.
  private static let (darkInk, lightInk) = ("38;5;216", "38;5;94")

  private static func background(_ color: String) -> String {
    "\(identity)\u{1B}]11;rgb:\(color)\u{1B}\\\u{1B}[?2031;2$y\u{1B}[?62c"
  }

  private func start(_ answer: String) async throws -> PseudoTerminal {
    let panda = try PseudoTerminal(
      BuildProducts.path(of: "panda"),
      // A drawing may have these inks too.
      ["--source", "grove", "--graphics", "none", "--data-dir", directory.path("data")],
      environment: ["TERM=xterm-256color", "LANG=C.UTF-8", "PANDA_ANSWER_SECONDS=60"],
      columns: 100, rows: 30)
    try await panda.waitForOutput(containing: "\u{1B}[c")
    try panda.write(answer)
    try await panda.waitForOutput(containing: Sentence.invitation, deadline: Self.limit)
    return panda
  }

  /// Waits until the terminal was asked so often, and has it answer.
  private func answer(_ text: String, question number: Int, _ panda: PseudoTerminal) async throws {
    try await eventually("question \(number)", deadline: Self.limit, seen: { panda.readableOutput })
    {
      panda.count(of: "\u{1B}[16t") == number
    }
    try panda.write(text)
  }

  /// Focus, a desktop that changed, the key that redraws, another size, and a continued program.
  @Test func `the terminal is asked again whenever it may have changed`()
    async throws
  {
    let dark = Self.background("0000/0000/0000"), light = Self.background("ffff/ffff/ffff")
    let panda = try await start(dark)
    try await panda.waitForOutput(containing: Self.darkInk, deadline: Self.limit)
    #expect(panda.count(of: Self.lightInk) == 0)
    #expect(panda.count(of: "\u{1B}[?2031h") > 0)
    // Equal answers redraw nothing; the next question shows that they were read.
    try panda.write("\u{1B}[I")
    try await answer(dark, question: 2, panda)
    try panda.write("\u{1B}[?997;2n")
    try await answer("", question: 3, panda)
    #expect(panda.count(of: "\u{1B}[?2004h") == 1)
    try panda.write(light)
    try await panda.waitForOutput(containing: Self.lightInk, deadline: Self.limit)
    try panda.write("\u{C}")
    try await answer(light, question: 4, panda)
    try panda.resize(columns: 90, rows: 28)
    let former = panda.outputCount
    try await answer(dark, question: 5, panda)
    try await panda.waitForOutput(containing: Self.darkInk, from: former, deadline: Self.limit)
    try panda.write("\u{1A}")
    try await panda.waitFor("the stop") { if case .stopped = $0 { true } else { false } }
    try panda.resume()
    try await answer(light, question: 6, panda)
    try panda.write("q")
    #expect(try await panda.waitForExit() == .exited(0))
    #expect(panda.count(of: "\u{1B}[?2031l") > 0)
    // It does not answer ESC [ ? u, so that it is not asked to use kitty's protocol.
    let flags = panda.count(of: "\u{1B}[>29u") + panda.count(of: "\u{1B}[<u")
    #expect(flags + panda.count(of: "\u{1B}[=29u") == 0)
    #expect(try panda.unreadInput == "")
  }
}
