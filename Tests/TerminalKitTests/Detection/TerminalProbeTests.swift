internal import TerminalKitTestSupport
internal import Testing

@testable import PictureCodecs
@testable import TerminalKit

/// What is made of the bytes that terminals answer.
struct TerminalProbeTests {
  @Test("kitty's answers all count, however they are split")
  func kitty() {
    let bytes = Array(RealTerminals.kitty041.utf8)
    let expected = TerminalAnswers(
      version: TerminalVersion(product: .kitty, name: "kitty", version: "0.41.1"),
      attributes: [62], showsKittyGraphics: true, readsFiles: true,
      cell: PixelSize(width: 7, height: 15),
      background: TerminalAnswers.Color(red: 0, green: 0, blue: 0), hasSynchronizedOutput: true)
    for split in 0...bytes.count {
      var probe = TerminalProbe()
      probe.beginQuestions()
      probe.read(bytes[..<split])
      #expect(probe.answers.isComplete == (split == bytes.count))
      probe.read(bytes[split...])
      #expect(probe.answers == expected)
      #expect(probe.input.events.isEmpty && probe.input.owed.count == 0)
    }
  }

  @Test("Keys between answers keep their order, and the decoder holds an incomplete one")
  func keys() {
    var probe = TerminalProbe()
    probe.beginQuestions()
    probe.read(("f" + RealTerminals.xterm + "\u{1B}[A" + "q\u{1B}[").utf8)
    #expect(probe.answers.isComplete)
    #expect(
      probe.input.events
        == [.key(.character("f")), .key(.up), .key(.character("q"))])
    var input = probe.input
    #expect(input.decoder.feed("B".utf8) == [.key(.down)])
  }

  @Test("The keyboard's decoder swallows every late answer of a terminal")
  func late() {
    for bytes in [
      RealTerminals.xterm, RealTerminals.kitty041, RealTerminals.tmux, RealTerminals.ghostty,
      RealTerminals.konsole, RealTerminals.foot, RealTerminals.wezTerm, RealTerminals.iTerm2,
      RealTerminals.mintty, RealTerminals.vsCode, RealTerminals.vte,
      RealTerminals.windowsTerminal, "\u{1B}_Gi=32;EBADF:Failed to open file\u{1B}\\",
    ] {
      var decoder = KeyDecoder()
      for event in decoder.feed(bytes.utf8) {
        if case .reply = event { continue }
        Issue.record("\(event) from \(bytes.debugDescription)")
      }
      #expect(decoder.patience == nil)
    }
  }

  @Test("A refusal and an answer to someone else's question do not count")
  func refusals() {
    let answers = RealTerminals.answers(
      "\u{1B}_Gi=31;ENOTSUPPORTED:no\u{1B}\\\u{1B}_Gi=7;OK\u{1B}\\\u{1B}_Gi=32;EBADF:x\u{1B}\\"
        + "\u{1B}]12;rgb:ffff/0/0\u{1B}\\\u{1B}[?2026;4$y\u{1B}[?2004;2$y\u{1B}[?62c")
    #expect(answers == TerminalAnswers(attributes: [62]))
  }

  @Test(
    "Names and versions are read in every spelling",
    arguments: [
      ("XTerm(379)", .xterm, "XTerm 379", [379]),
      ("kitty(0.41.1)", .kitty, "kitty 0.41.1", [0, 41, 1]),
      ("tmux 3.3a", .tmux, "tmux 3.3a", [3, 3]), ("tmux next-3.5", .tmux, "tmux next-3.5", []),
      (
        "WezTerm 20240203-110809-5046fc22", .wezTerm, "WezTerm 20240203-110809-5046fc22",
        [20_240_203]
      ),
      ("Konsole 22.12.3", .konsole, "Konsole 22.12.3", [22, 12, 3]),
      ("VTE(7402)", .vte, "VTE 7402", [7402]), ("st", .other, "st", []),
      ("iTerm2 3.5.10", .iTerm2, "iTerm2 3.5.10", [3, 5, 10]),
      ("contour 0.3.12.262", .contour, "contour 0.3.12.262", [0, 3, 12, 262]),
    ] as [(String, TerminalVersion.Product, String, [Int])])
  func versions(_ answer: String, product: TerminalVersion.Product, words: String, numbers: [Int])
    throws
  {
    let version = try #require(TerminalVersion(answer: answer))
    #expect(version.product == product)
    #expect(version.words == words)
    #expect(version.numbers == numbers)
  }

  @Test("Versions are compared number by number")
  func comparison() {
    func kitty(_ version: String) -> TerminalVersion {
      TerminalVersion(product: .kitty, name: "kitty", version: version)
    }
    #expect(kitty("0.28.0").isAtLeast(0, 28) && kitty("1.0").isAtLeast(0, 28))
    #expect(kitty("0.28").isAtLeast(0, 28, 0) && !kitty("0.27.9").isAtLeast(0, 28))
    #expect(!kitty("").isAtLeast(0) && !kitty("dev").isAtLeast(0))
    #expect(TerminalVersion(answer: "") == nil && TerminalVersion(answer: "(1)") == nil)
  }

  @Test("No terminal is sent a question that it might print")
  func caution() throws {
    func questions(_ variables: [String: String]) -> String? {
      TerminalDetection.firstQuestions(TerminalEnvironment(variables), file: nil)
    }
    #expect(questions([:]) == nil && questions(["TERM": "dumb"]) == nil)
    #expect(questions(["TERM": "linux"]) == "\u{1B}[c")
    #expect(questions(["TERM": "vt220"]) == "\u{1B}[c")
    #expect(questions(["TERM": "eterm-color"]) == "\u{1B}[c")
    for variables in [
      ["TERM": "xterm-256color", "TMUX": "x"], ["TERM": "screen.xterm-256color"],
      ["TERM": "tmux-256color", "SSH_TTY": "x"], ["TERM": "xterm", "STY": "x"],
    ] {
      // GNU screen passes a question for a color on to the terminal.
      #expect(questions(variables) == "\u{1B}[>q\u{1B}[>c\u{1B}[c")
    }
    #expect(questions(["TERM": "xterm-kitty", "ZELLIJ": "0"]) == "\u{1B}[c")
    let apple = try #require(questions(["TERM": "xterm", "TERM_PROGRAM": "Apple_Terminal"]))
    #expect(!apple.contains("\u{1B}_") && !apple.contains("\u{1B}[?u"))
    let other = try #require(questions(["TERM": "xterm-256color"]))
    #expect(other.contains("\u{1B}_Gi=31") && other.hasSuffix("\u{1B}[c"))
  }
}
