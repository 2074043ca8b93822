import Foundation
import Glibc
import PandaTestSupport
import Testing

@testable import PandaTUI

/// The program in terminals that change while it runs.
@Suite(.timeLimit(.minutes(15))) struct FollowingTests {
  let directory = TemporaryDirectory()

  private static let limit = Duration.seconds(60)
  private static let identity = "\u{1B}P>|fictional 1.0\u{1B}\\"
  /// The title's ink on a dark and on a light background.
  private static let (darkInk, lightInk) = ("38;5;216", "38;5;94")

  private static func background(_ color: String, cell: String = "") -> String {
    "\(identity)\(cell)\u{1B}]11;rgb:\(color)\u{1B}\\\u{1B}[?2031;2$y\u{1B}[?62c"
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

  @Test(arguments: ["\u{1B}[I", "\u{1B}[?997;2n", "\u{C}"])
  func `a desktop that turns light is followed`(_ occasion: String) async throws {
    let panda = try await start(Self.background("0000/0000/0000"))
    try await panda.waitForOutput(containing: Self.darkInk, deadline: Self.limit)
    #expect(panda.count(of: Self.lightInk) == 0)
    #expect(panda.count(of: "\u{1B}[?2031h") > 0)
    try panda.write(occasion)
    try await answer(Self.background("ffff/ffff/ffff"), question: 2, panda)
    try await panda.waitForOutput(containing: Self.lightInk, deadline: Self.limit)
    try panda.write("q")
    #expect(try await panda.waitForExit() == .exited(0))
    #expect(panda.count(of: "\u{1B}[?2031l") == 1)
  }

  @Test func `answers that say the same draw nothing anew`() async throws {
    let same = Self.background("0000/0000/0000")
    let panda = try await start(same)
    try panda.write("\u{1B}[I")
    try await answer(same, question: 2, panda)
    // The next question shows that the answer before was read.
    try panda.write("\u{1B}[I")
    try await answer(same, question: 3, panda)
    #expect(panda.count(of: "\u{1B}[?2004h") == 1)
    try panda.write("q")
    #expect(try await panda.waitForExit() == .exited(0))
    #expect(try panda.unreadInput == "")
  }

  @Test func `a window of another size, and a continued program, ask again`() async throws {
    let same = Self.background("0000/0000/0000")
    let panda = try await start(same)
    try panda.resize(columns: 90, rows: 28)
    try await answer(same, question: 2, panda)
    try panda.write("\u{1A}")
    try await panda.waitFor("the stop") { if case .stopped = $0 { true } else { false } }
    try panda.resume()
    try await answer(Self.background("ffff/ffff/ffff"), question: 3, panda)
    try await panda.waitForOutput(containing: Self.lightInk, deadline: Self.limit)
    try panda.write("q")
    #expect(try await panda.waitForExit() == .exited(0))
  }

  @Test func `doctor says the largest sixel picture`() async throws {
    for (answer, words) in [
      ("\u{1B}P>|foot(1.13.1)\u{1B}\\\u{1B}[?2;0;800;600S\u{1B}[?62;4c", "up to 800x600 pixels"),
      ("\u{1B}P>|XTerm(379)\u{1B}\\\u{1B}[?62;4c", "sixel (up to 1000x1000 pixels)"),
      ("\u{1B}P>|foot(1.13.1)\u{1B}\\\u{1B}[?62;4c", "graphics    sixel\r\n"),
    ] {
      let panda = try PseudoTerminal(
        BuildProducts.path(of: "panda"), ["doctor"],
        environment: ["TERM=xterm-256color", "LANG=C.UTF-8", "PANDA_ANSWER_SECONDS=60"])
      try await panda.waitForOutput(containing: "\u{1B}[?2;1;0S")
      try await panda.waitForOutput(containing: "\u{1B}[c")
      try panda.write(answer)
      try await panda.waitForOutput(containing: words, deadline: Self.limit)
      #expect(try await panda.waitForExit() == .exited(0))
    }
  }
}
