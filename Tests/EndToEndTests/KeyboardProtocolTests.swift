import Foundation
import Glibc
import PandaTestSupport
import Testing

/// The program in terminals with kitty's keyboard protocol, which another program may have left on.
@Suite(.timeLimit(.minutes(15))) struct KeyboardProtocolTests {
  let directory = TemporaryDirectory()

  private static let answer = "\u{1B}P>|fictional 1.0\u{1B}\\\u{1B}[?5u\u{1B}[?62c"

  /// Starts the program, which waits for the terminal's answer.
  private func begin() async throws -> PseudoTerminal {
    let panda = try PseudoTerminal(
      BuildProducts.path(of: "panda"), ["--source", "grove", "--data-dir", directory.path("data")],
      environment: ["TERM=xterm-256color", "LANG=C.UTF-8", "PANDA_ANSWER_SECONDS=60"],
      columns: 100, rows: 30)
    try await panda.waitForOutput(containing: "\u{1B}[c")
    return panda
  }

  /// Starts the program in a terminal whose main screen has the flags 5.
  private func start() async throws -> PseudoTerminal {
    let panda = try await begin()
    #expect(panda.count(of: "\u{1B}[?u") == 1)
    try panda.write(Self.answer)
    try await panda.waitForOutput(containing: Sentence.invitation)
    try await panda.waitForOutput(containing: "\u{1B}[>29u")
    return panda
  }

  private func screens(_ panda: PseudoTerminal) -> KeyboardFlags {
    var flags = KeyboardFlags(main: [1, 5], alternate: [2])
    flags.read(String(decoding: panda.output, as: UTF8.self))
    return flags
  }

  @Test func `keys in their long forms are keys, and the flags follow stops, redraws and the end`()
    async throws
  {
    let panda = try await start()
    let before = KeyboardFlags(main: [1, 5], alternate: [2])
    let during = KeyboardFlags(main: [1, 5], alternate: [2, 29], isAlternate: true)
    #expect(screens(panda) == during)
    try panda.write("\u{1B}[57441;2u\u{1B}[47:63;2;63u\u{1B}[47:63;2:3u\u{1B}[57441;1:3u")
    try await panda.waitForOutput(containing: "type to filter")
    // In a text field the text counts.
    try panda.write("\u{1B}[1081::113;;1081u")
    try await panda.waitForOutput(containing: "й")
    try panda.write("\u{1B}[27u\u{1B}[108;5u")
    try await panda.waitForOutput(containing: "\u{1B}[=29u")
    #expect(screens(panda) == during)
    // Ctrl-Z is a signal, and not a command beside it.
    try panda.write("\u{1B}[122;5u")
    try await panda.waitFor("the stop") { if case .stopped = $0 { true } else { false } }
    // What it has written may arrive after the news of its stop.
    try await eventually("the shell's flags", seen: { panda.readableOutput }) {
      screens(panda) == before
    }
    try panda.resume()
    try await eventually("the flags", seen: { panda.readableOutput }) { screens(panda) == during }
    #expect(panda.stops == 1)
    // The key that is q in a Latin layout.
    try panda.write("\u{1B}[1081::113;;1081u")
    #expect(try await panda.waitForExit() == .exited(0))
    #expect(screens(panda) == before, "\(panda.readableOutput.suffix(1000))")
    #expect(try panda.modes == panda.modesBefore)
  }

  @Test(arguments: [SIGTERM, SIGSEGV, nil])
  func `a signal, and Ctrl-C in its long form, leave the flags as they were`(_ signal: Int32?)
    async throws
  {
    let panda = try await start()
    if let signal { try await panda.kill(signal) } else { try panda.write("\u{1B}[1089::99;5u") }
    #expect(try await panda.waitForExit() == .signalled(signal ?? SIGINT))
    #expect(screens(panda) == KeyboardFlags(main: [1, 5], alternate: [2]))
  }

  @Test func `a program that ends before its first frame leaves the main screen's flags`()
    async throws
  {
    let panda = try await begin()
    try panda.write("\u{1B}[99;5u" + Self.answer)
    #expect(try await panda.waitForExit() == .signalled(SIGINT))
    #expect(screens(panda) == KeyboardFlags(main: [1, 5], alternate: [2]))
  }
}

/// The flags of a terminal's keyboard: a stack for each screen, of which the last one counts.
struct KeyboardFlags: Equatable {
  var main: [Int]
  var alternate: [Int]
  var isAlternate = false

  private var shown: [Int] {
    get { isAlternate ? alternate : main }
    set { if isAlternate { alternate = newValue } else { main = newValue } }
  }

  /// Does what a program's output says.
  mutating func read(_ output: String) {
    for match in output.matches(of: /\u{1B}\[(?:\?1049([hl])|([<>=])([0-9]*)u)/) {
      let number = match.3.flatMap { Int($0) }
      switch (match.1, match.2) {
      case (let screen?, _): isAlternate = screen == "h"
      case (_, "<"): shown.removeLast(min(shown.count, number ?? 1))
      case (_, ">"): shown.append(number ?? 0)
      default: shown = shown.dropLast() + [number ?? 0]
      }
    }
  }
}
