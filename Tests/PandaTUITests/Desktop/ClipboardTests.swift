import Foundation
import PandaTestSupport
import Testing

@testable import PandaSession
@testable import TerminalKit

@Suite struct ClipboardTests {
  private static let kitty = TerminalEnvironment(["TERM": "xterm-kitty"])

  @Test func `a text is written as OSC 52`() {
    #expect(
      Clipboard.action(copying: "panda", in: Self.kitty)
        == .write(Array("\u{1B}]52;c;cGFuZGE=\u{1B}\\".utf8)))
  }

  @Test func `tmux is given the text, and its passthrough if that fails`() {
    let environment = TerminalEnvironment(["TERM": "tmux-256color", "TMUX": "/tmp/t,1,0"])
    let wrapped = "\u{1B}Ptmux;\u{1B}\u{1B}]52;c;cGFuZGE=\u{1B}\u{1B}\\\u{1B}\\"
    #expect(
      Clipboard.action(copying: "panda", in: environment)
        == .run(
          ["tmux", "load-buffer", "-w", "-"], input: Array("panda".utf8),
          otherwise: Array(wrapped.utf8)))
  }

  @Test func `screen is given the sequence in pieces that it can hold`() throws {
    let environment = TerminalEnvironment(["TERM": "screen.xterm-256color", "STY": "1.pts-0"])
    let text = String(repeating: "panda", count: 200)
    guard case .write(let bytes) = Clipboard.action(copying: text, in: environment) else {
      Issue.record("nothing is written")
      return
    }
    let pieces = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\u{1B}\\")
    #expect(pieces.last == "")
    #expect(pieces.dropLast().allSatisfy { $0.hasPrefix("\u{1B}P") && $0.utf8.count <= 256 })
    let sequence = pieces.dropLast().map { $0.dropFirst(2) }.joined()
    #expect(sequence == "\u{1B}]52;c;\(Data(text.utf8).base64EncodedString())\u{7}")
  }

  @Test func `a text that is too long is refused with its size`() {
    let text = String(repeating: "x", count: Clipboard.limit + 1)
    #expect(
      Clipboard.action(copying: text, in: Self.kitty)
        == .refuse("The text is too long for the clipboard, which takes 74 KB"))
    guard case .write = Clipboard.action(copying: String(text.dropLast()), in: Self.kitty) else {
      Issue.record("the longest text is refused")
      return
    }
  }

  @Test(arguments: ["dumb", "", "linux", "vt100"])
  func `a terminal without a clipboard is reported`(_ term: String) {
    #expect(
      Clipboard.action(copying: "panda", in: TerminalEnvironment(["TERM": term]))
        == .refuse("This terminal has no clipboard"))
  }

  @Test func `copied text is one line without control characters`() {
    #expect(
      Clipboard.action(copying: "a\u{1B}[2J\nb", in: Self.kitty)
        == Clipboard.action(copying: "a[2J b", in: Self.kitty))
  }

  @Test func `a real tmux has the text in its buffer`() async throws {
    let tmux = try Tmux("/bin/sleep", ["1000"])
    let socket = try tmux.ask("#{socket_path},#{pid},0")
    let text = String(repeating: "red panda ", count: 7_300)
    guard
      case .run(let arguments, let input, _) = Clipboard.action(
        copying: text, in: TerminalEnvironment(["TERM": "tmux", "TMUX": socket]))
    else {
      Issue.record("tmux is not run")
      return
    }
    #expect(await Clipboard.run(arguments, input: input, environment: ["TMUX=\(socket)"]))
    #expect(try tmux.run(["show-buffer"]) == text)
  }

  @Test func `a tmux that is gone is a failure`() async {
    let environment = ["TMUX=/nonexistent/panda,1,0", "TMUX_TMPDIR=/nonexistent"]
    let worked = await Clipboard.run(
      ["tmux", "load-buffer", "-w", "-"], input: Array("panda".utf8), environment: environment)
    #expect(!worked)
    #expect(await Clipboard.run(["panda-has-no-such-program"], input: []) == false)
  }
}
