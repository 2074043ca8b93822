import Foundation
import PandaTestSupport
import Testing

@testable import Grove
@testable import PictureCodecs

/// A terminal that takes less than the program has to draw: 32 bytes a millisecond.
///
/// How much it takes is counted, not timed: what the program does must not need more. A picture
/// that was waited for would be several times as much.
@Suite(.timeLimit(.minutes(15))) struct SlowTerminalTests {
  let directory = TemporaryDirectory()

  /// A way of showing pictures: what the terminal answers, and how a picture begins.
  enum Way: CaseIterable {
    case kitty, sixel, symbols

    var answer: String {
      switch self {
      case .kitty: "\u{1B}P>|kitty(0.41.1)\u{1B}\\\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;c"
      case .sixel: "\u{1B}P>|XTerm(379)\u{1B}\\\u{1B}[?63;1;2;4;6;9;15;16;22;28c"
      case .symbols: "\u{1B}[?62;22c"
      }
    }

    var beginning: String {
      switch self {
      case .kitty: "\u{1B}_Ga=T,"
      case .sixel: "\u{1B}P0;1;0q"
      case .symbols: "\u{1B}[38;2;"
      }
    }
  }

  /// What the kernel keeps between the program and the terminal, what restores that, and as much
  /// again for a busy machine, where the program reads the key late.
  private static let enough = 130_000

  /// Waits for a condition, until which the terminal must not take too much.
  private func expect(
    _ what: String, of panda: PseudoTerminal, _ holds: () -> Bool
  ) async throws {
    let start = panda.outputCount
    try await eventually(what, condition: holds)
    #expect(panda.outputCount - start < Self.enough, "\(what)")
  }

  private func expectEnd(of panda: PseudoTerminal, _ exit: PseudoTerminal.Exit) async throws {
    try await expect("the end", of: panda) { panda.condition == .ended(exit) }
    #expect(try await panda.waitForExit() == exit)
  }

  /// Starts the program, and waits until a picture has begun.
  private func start(_ way: Way) async throws -> PseudoTerminal {
    let panda = try PseudoTerminal(
      BuildProducts.path(of: "panda"), ["--source", "grove", "--data-dir", directory.path("data")],
      environment: [
        "TERM=xterm-256color", "LANG=C.UTF-8", "COLORTERM=truecolor",
        "XDG_CACHE_HOME=\(directory.path("cache"))", "XDG_STATE_HOME=\(directory.path("state"))",
      ], columns: 160, rows: 50, answers: ["\u{1B}[c": way.answer], pace: 32)
    try await eventually("a picture begins") { panda.count(of: way.beginning) > 0 }
    return panda
  }

  /// Expects that what was cut off is ended before anything else, and so is a transfer to kitty.
  private func expectRestored(_ panda: PseudoTerminal, _ way: Way, question: String = "") throws {
    #expect(try panda.modes == panda.modesBefore)
    let output = String(decoding: panda.output, as: UTF8.self)
    let end = try #require(output.ranges(of: TerminalGuardTests.restore).last)
    // The answer of a terminal that was read too late for the program is echoed by its driver.
    let after = output[end.upperBound...]
    #expect(after == question || !question.isEmpty && after.hasPrefix(question + "^["))
    let rest = output[try #require(output.ranges(of: way.beginning).last).lowerBound...]
    switch way {
    case .kitty: #expect(rest.contains("\u{1B}\\\u{1B}_Gm=0,q=2\u{1B}\\\u{1B}_Ga=d,d=I,"))
    case .sixel, .symbols: #expect(rest.contains("\u{1B}\\\u{1B}[?2026l"))
    }
  }

  @Test(arguments: Way.allCases)
  func `fault 98: Esc and q stay two keys, and q ends, on a terminal that accepts almost nothing`(
    _ way: Way
  ) async throws {
    let panda = try await start(way)
    try panda.write("\u{1B}")
    // On a busy machine it could read both keys at once.
    try await eventually("the first key is read") { try panda.hasReadAll }
    let pressed = ContinuousClock.now
    // Longer than a sequence takes: the next key is another one.
    try await eventually("a second key") { ContinuousClock.now - pressed > .milliseconds(500) }
    try panda.write("q")
    try await expectEnd(of: panda, .exited(0))
    // A key has it ask the terminal, whose answer shows that it has taken all.
    try expectRestored(panda, way, question: "\u{1B}[c")
  }

  @Test func `in kitty, words change in the update that shows their picture`() async throws {
    let folder = directory.url.appending(path: "pandas")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // No letter stays in its place, so that a title is written as a whole.
    let titles = ["aaaaaaaa", "bbbbbbbb", "cccccccc", "dddddddd"]
    for (seed, title) in titles.enumerated() {
      let size = PixelSize(width: 400, height: 300)
      try BambooGrove.drawing(seed: UInt64(seed), size: size).pngData()
        .write(to: folder.appending(path: "\(title).png"))
    }
    let panda = try PseudoTerminal(
      BuildProducts.path(of: "panda"), [folder.path, "--data-dir", directory.path("data")],
      environment: [
        "TERM=xterm-256color", "LANG=C.UTF-8", "COLORTERM=truecolor",
        "XDG_CACHE_HOME=\(directory.path("cache"))", "XDG_STATE_HOME=\(directory.path("state"))",
      ], columns: 100, rows: 30,
      answers: ["\u{1B}[c": Way.kitty.answer.replacing("0.41.1", with: "0.26.5")], pace: 2_000)
    for count in 1...titles.count {
      try await eventually("\(count) titles", deadline: .seconds(120)) {
        titles.count { panda.count(of: $0) > 0 } == count
      }
      if count < titles.count { try panda.write("f") }
    }
    try panda.write("q")
    #expect(try await panda.waitForExit() == .exited(0))
    let updates = String(decoding: panda.output, as: UTF8.self).split(
      separator: "\u{1B}[?2026h")
    // The first title may be over symbols, until the terminal has answered.
    let changes = titles.compactMap { title in updates.first { $0.contains(title) } }.dropFirst()
    #expect(changes.allSatisfy { $0.contains("\u{1B}_Ga=p,") }, "\(changes.map { $0.suffix(400) })")
  }

  @Test(arguments: Way.allCases)
  func `frames are skipped rather than queued, and a signal completes a partial one`(_ way: Way)
    async throws
  {
    let panda = try await start(way)
    // Each opens or closes the help, or moves its selection.
    for _ in 0..<50 { try panda.write("?\u{1B}[B\u{1B}[B?") }
    try panda.write("?")
    // All of the frames would be several times as much.
    try await expect("the help", of: panda) { panda.count(of: "type to filter") > 0 }
    try await panda.kill(SIGTERM)
    try await expectEnd(of: panda, .signalled(SIGTERM))
    try expectRestored(panda, way)
  }
}
