import Foundation
import PandaTestSupport
import Testing

/// The end of the program over a connection on which answers and keys take their time.
@Suite(.timeLimit(.minutes(15))) struct SlowLineTests {
  private let directory = TemporaryDirectory()
  private static let answer = "\u{1B}P>|kitty(0.41.1)\u{1B}\\\u{1B}[?0u\u{1B}[?62;c"

  /// A kitty, in which "ls" is typed before it knows that the program has left, and "x" after.
  private func start(roundTrip: Double) throws -> PseudoTerminal {
    try PseudoTerminal(
      BuildProducts.path(of: "panda"), ["--source", "grove", "--data-dir", directory.path("data")],
      environment: ["TERM=xterm-256color", "LANG=C.UTF-8", "PANDA_ANSWER_SECONDS=60"],
      columns: 100, rows: 30,
      answers: [
        // At the start, and again after fg.
        "$p\u{1B}[?u\u{1B}[c": Self.answer, "$p\u{1B}[c": Self.answer,
        "\u{1B}[<u": "\u{1B}[108;;108u\u{1B}[115;;115u\u{1B}[<35;5;5M",
        "\u{1B}[?1049l\u{1B}[c": "\u{1B}[O\u{1B}[?62;cx",
      ], roundTrip: roundTrip)
  }

  @Test(arguments: [0.15, 0.3])
  func `fault 116: keys typed after ctrl-z and q reach the shell as typed, or not at all`(
    _ roundTrip: Double
  ) async throws {
    let panda = try start(roundTrip: roundTrip)
    try await panda.waitForOutput(containing: "\u{1B}[>29u")
    // Panda reads for a second at most, in which a busy machine may not have answered.
    var pressed = ContinuousClock.now
    func expectUnread() throws {
      let isLate = ContinuousClock.now - pressed > .seconds(1)
      let unread = try panda.unreadInput
      #expect(isLate || unread == "x")
    }
    try panda.write("\u{1B}[122;5u")
    try await panda.waitFor("the stop") { if case .stopped = $0 { true } else { false } }
    try expectUnread()
    let before = panda.outputCount
    try panda.resume()
    try await panda.waitForOutput(containing: "\u{1B}[>29u", from: before)
    pressed = .now
    try panda.write("\u{1B}[113;;113u")
    #expect(try await panda.waitForExit() == .exited(0))
    try expectUnread()
    #expect(try panda.modes == panda.modesBefore)
  }
}
