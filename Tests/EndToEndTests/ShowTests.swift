import Foundation
import Glibc
import PandaTestSupport
import Testing

@testable import Grove
@testable import PandaSession
@testable import PictureCodecs
@testable import TerminalKit

/// `panda show` in terminals that show pictures in different ways, and in a pipe.
@Suite(.timeLimit(.minutes(15))) struct ShowTests {
  let directory = TemporaryDirectory()

  private var picture: String {
    get throws {
      let file = directory.url.appending(path: "panda.png")
      if !FileManager.default.fileExists(atPath: file.path) {
        try BambooGrove.drawing(seed: 11, size: PixelSize(width: 320, height: 240)).pngData()
          .write(to: file)
      }
      return file.path
    }
  }

  private static let kitty026 =
    "\u{1B}P>|kitty(0.26.5)\u{1B}\\\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[6;16;8t\u{1B}[?62;c"

  /// Prints the picture on a terminal that answers so.
  private func show(
    _ arguments: [String], answer: String, environment: [String] = []
  ) async throws -> PseudoTerminal {
    let panda = try PseudoTerminal(
      BuildProducts.path(of: "panda"), ["show"] + arguments + [try picture],
      environment: [
        "TERM=xterm-256color", "LANG=C.UTF-8", "COLORTERM=truecolor", "PANDA_ANSWER_SECONDS=60",
      ] + environment, columns: 60, rows: 20)
    try await panda.waitForOutput(containing: "\u{1B}[c")
    try panda.write(answer)
    return panda
  }

  /// The terminal is as it was, with the cursor below the picture.
  private func expectLeftWell(_ panda: PseudoTerminal) async throws {
    #expect(try await panda.waitForExit() == .exited(0))
    #expect(try panda.modes == panda.modesBefore)
    #expect(try panda.unreadInput == "")
    let output = String(decoding: panda.output, as: UTF8.self)
    // 320x240 in 60x19 cells of 8x16: 51x19 cells.
    #expect(output.contains(String(repeating: "\r\n", count: 19) + "\u{1B}[19A\u{1B}7"))
    #expect(output.hasSuffix("\u{1B}8\u{1B}[19B"), "\(panda.readableOutput.suffix(200))")
  }

  @Test(arguments: [
    ("auto", RecordedTerminals.foot, "\u{1B}P", "foot's own way is sixel"),
    ("auto", Self.kitty026, "\u{1B}_Ga=T,c=51,r=19,C=1,f=24", "kitty's is kitty's"),
    ("iterm", RecordedTerminals.foot, "\u{1B}]1337;File=inline=1;", "as asked"),
  ])
  func `a terminal gets the chosen graphics, or its best`(
    _ way: String, _ answer: String, _ bytes: String, _ why: Comment
  ) async throws {
    let panda = try await show(["--graphics", way], answer: answer)
    try await expectLeftWell(panda)
    // Questions are before the lines that the picture lies on.
    let output = String(decoding: panda.output, as: UTF8.self)
    let start = try #require(output.range(of: "\u{1B}7"))
    #expect(output[start.upperBound...].hasPrefix(bytes), why)
    // The picture stays with the terminal, and has no id that others could free.
    let commands = output.matches(of: /\e_G([^;\e]*)/).map { String($0.1) }
      .filter { !$0.contains("i=31") && !$0.contains("i=32") }
    #expect(commands.isEmpty == (answer != Self.kitty026))
    #expect(commands.allSatisfy { !$0.contains("i=") && !$0.contains("a=d") }, "\(commands)")
  }

  @Test func `a late answer is not left for the shell`() async throws {
    let panda = try PseudoTerminal(
      BuildProducts.path(of: "panda"), ["show", "--graphics", "auto", try picture],
      environment: ["TERM=xterm-256color", "LANG=C.UTF-8", "PANDA_ANSWER_SECONDS=10"], columns: 60,
      rows: 20)
    // It has given up when the picture is there, and waits once more for the answer.
    try await panda.waitForOutput(containing: "\u{1B}[0m\r\n")
    try panda.write("\u{1B}P>|qqq(1)\u{1B}\\\u{1B}[?62;4;22c")
    #expect(try await panda.waitForExit() == .exited(0))
    #expect(try panda.unreadInput == "")
    #expect(try panda.modes == panda.modesBefore)
  }

  @Test func `a picture leaves room for the line about it, which wraps`() async throws {
    let panda = try PseudoTerminal(
      BuildProducts.path(of: "panda"),
      [
        "fetch", "--source", "grove", "--show", "--graphics", "ascii", "--data-dir",
        directory.path("data"),
      ],
      environment: ["TERM=xterm-256color", "LANG=C.UTF-8", "HOME=\(directory.url.path)"],
      columns: 60, rows: 8)
    #expect(try await panda.waitForExit() == .exited(0))
    let output = String(decoding: panda.output, as: UTF8.self)
      .replacing(/\e\[[0-9;?]*[A-Za-z]/, with: "")
    let lines = output.split(separator: "\r\n").map(String.init)
    let rows = lines.map { ($0.columns + 59) / 60 }
    #expect((lines.last?.columns ?? 0) > 60)
    #expect(rows.count >= 4 && rows.reduce(0, +) <= 7, "\(output)")
  }

  /// Shows an animation of a red and a green frame on a terminal, as symbols.
  private func showAnimation(loopCount: Int? = nil) throws -> PseudoTerminal {
    let file = directory.url.appending(path: "moving.gif")
    let gif = AnimatedGIF(
      colors: [[255, 0, 0], [0, 255, 0]], delays: [5, 5], loopCount: loopCount)
    try Data(gif.bytes).write(to: file)
    return try PseudoTerminal(
      BuildProducts.path(of: "panda"), ["show", "--graphics", "ascii", file.path],
      environment: ["TERM=xterm-256color", "LANG=C.UTF-8", "COLORTERM=truecolor"], columns: 60,
      rows: 20)
  }

  @Test(arguments: ["x", "\u{3}", nil])
  func `an animation ends with a key, Ctrl-C or its loops, and gives the terminal back`(
    _ key: String?
  ) async throws {
    let panda = try showAnimation(loopCount: key == nil ? 2 : nil)
    if let key {
      try await eventually("the second loop") { panda.count(of: "\u{1B}[?2026h") >= 4 }
      try panda.write(key)
    }
    #expect(try await panda.waitForExit() == (key == "\u{3}" ? .signalled(SIGINT) : .exited(0)))
    #expect(try panda.modes == panda.modesBefore)
    #expect(try panda.unreadInput == "")
    let output = String(decoding: panda.output, as: UTF8.self)
    #expect(output.contains("\r\u{1B}[19A") && output.hasSuffix("\u{1B}[?25h"))
    // No answer of the terminal would matter.
    #expect(!output.contains("\u{1B}[c"))
  }

  // MARK: Pipes and files

  private func run(
    _ arguments: [String], environment: [String] = []
  ) throws -> Subprocess.Result {
    try Subprocess.run(
      [BuildProducts.path(of: "panda"), "show"] + arguments,
      environment: ["PATH=/usr/bin:/bin", "LANG=C.UTF-8"] + environment)
  }

  @Test func `a pipe gets the chosen graphics, symbols, or words`() throws {
    for (way, bytes) in [
      ("sixel", "\u{1B}7\u{1B}P"), ("kitty", "\u{1B}_Ga=T,c=20,r=8,C=1,"),
      ("iterm", "\u{1B}]1337;"), ("auto", "\u{1B}[38;2;"), ("symbols", "\u{1B}[38;2;"),
    ] {
      let result = try run(["--graphics", way, "--size", "20x10", try picture])
      #expect(result.status == 0 && result.output.contains(bytes), "\(way)")
      #expect(!result.output.contains("/dev/shm") && !result.output.contains("\u{1B}[c"))
    }
    // A terminal that knows no escapes gets none.
    let ascii = try run(["--size", "20x10", try picture], environment: ["TERM=dumb"])
    #expect(ascii.output.split(separator: "\n").count == 8 && !ascii.output.contains("\u{1B}"))
    let file = try picture
    let words = try run(["--graphics", "none", file])
    #expect(words.status == 0 && words.output == "\(file): PNG, 320x240\n")
    // Of an animation, the first frame.
    let moving = directory.url.appending(path: "moving.gif")
    try Data(AnimatedGIF(colors: [[255, 0, 0], [0, 255, 0]], delays: [5, 5]).bytes)
      .write(to: moving)
    let frame = try run(["--size", "4x2", moving.path])
    #expect(frame.output.contains("255;0;0m") && !frame.output.contains("0;255;0m"))
    #expect(!frame.output.contains("2026"))
    // A huge file is refused by its size.
    #expect(truncate(file, 600_000_000) == 0)
    let refused = try run([file])
    #expect(refused.status == 1)
    let error = PictureError(.tooManyBytes(600_000_000, limit: 512_000_000))
    #expect(refused.output == "panda: \(file): \(userMessage(for: error)).\n")
  }
}
