internal import Foundation
internal import Glibc
internal import PandaTestSupport
internal import TerminalKitTestSupport
internal import Testing

@testable import PictureCodecs
@testable import TerminalKit

/// The asking itself, on a pseudo-terminal whose other side the test plays.
@MainActor
struct TerminalDetectionTests {
  private static let environment = TerminalEnvironment(["TERM": "xterm-256color"])
  /// Longer than any machine needs: a test that waits that long has failed.
  private static let endless = TerminalDetection.Patience(
    terminal: .seconds(60), tmux: .seconds(60))
  private static let none = TerminalDetection.Patience(terminal: .zero, tmux: .zero)

  @Test("A terminal that answers is identified, and keys pressed meanwhile reach the keyboard")
  func answers() async throws {
    let terminal = try AnsweringTerminal()
    try terminal.answer("f" + RealTerminals.kitty041 + "q")
    let (profile, input) = TerminalDetection.detect(
      input: terminal.descriptor, output: terminal.descriptor, environment: Self.environment,
      patience: Self.endless)
    #expect(profile.answers == RealTerminals.answers(RealTerminals.kitty041))
    #expect(profile.multiplexer == nil && profile.wasAsked && profile.isAnswered)
    #expect(profile.windowCell == nil && profile.cell == PixelSize(width: 7, height: 15))
    #expect(profile.declaredColors == 256)
    #expect(input.owed.count == 0)

    var told: [InputEvent] = []
    let keyboard = Keyboard(
      descriptor: terminal.descriptor,
      terminalGuard: try TerminalGuard(descriptor: terminal.descriptor),
      early: input, onEvents: { told += $0 }, onEnd: {})
    keyboard.start()
    #expect(told.isEmpty)
    try await eventually("the keys") { told.count >= 2 }
    #expect(told == [.key(.character("f")), .key(.character("q"))])
    keyboard.stop()
  }

  @Test("The file that kitty is offered is gone afterwards")
  func file() throws {
    let terminal = try AnsweringTerminal()
    try terminal.answer(RealTerminals.kitty041)
    _ = TerminalDetection.detect(
      input: terminal.descriptor, output: terminal.descriptor, environment: Self.environment,
      patience: Self.endless)
    let asked = terminal.output
    #expect(asked.contains("\u{1B}[>q") && asked.hasSuffix("\u{1B}[c"))
    let encoded = try #require(asked.components(separatedBy: "t=f,f=24;").last)
      .prefix { $0 != "\u{1B}" }
    let path = String(
      decoding: try #require(Data(base64Encoded: String(encoded))), as: UTF8.self)
    #expect(path.contains("/tty-graphics-protocol-panda-\(getpid())-"))
    #expect(access(path, F_OK) != 0)
  }

  @Test("A terminal on another computer is not offered files")
  func remote() throws {
    let terminal = try AnsweringTerminal()
    try terminal.answer(RealTerminals.konsole)
    let environment = TerminalEnvironment(["TERM": "xterm", "SSH_CONNECTION": "a b c d"])
    let profile = TerminalDetection.detect(
      input: terminal.descriptor, output: terminal.descriptor, environment: environment,
      patience: Self.endless
    ).profile
    #expect(!terminal.output.contains("t=f"))
    #expect(profile.answers.showsKittyGraphics && !profile.answers.readsFiles)
  }

  @Test("An answer overrides the window's pixel size unless they agree")
  func window() throws {
    let terminal = try AnsweringTerminal()
    try terminal.resize(columns: 100, rows: 50, width: 1009, height: 1049)
    try terminal.answer(RealTerminals.foot)
    let profile = TerminalDetection.detect(
      input: terminal.descriptor, output: terminal.descriptor, environment: Self.environment,
      patience: Self.endless
    ).profile
    #expect(profile.windowCell == PixelSize(width: 10, height: 20))
    #expect(profile.cell == PixelSize(width: 8, height: 17))
    #expect(profile.answers.cell == PixelSize(width: 8, height: 17))
  }

  @Test("A dumb terminal is sent nothing, and its modes are left alone")
  func dumb() throws {
    let terminal = try AnsweringTerminal()
    let before = try ModeSnapshot(of: terminal.descriptor)
    let profile = TerminalDetection.detect(
      input: terminal.descriptor, output: terminal.descriptor,
      environment: TerminalEnvironment(["TERM": "dumb"]),
      patience: Self.endless
    ).profile
    #expect(!profile.wasAsked && profile.colors == .mono)
    #expect(try ModeSnapshot(of: terminal.descriptor) == before)
    #expect(terminal.waitingOutput == 0)
  }

  @Test("A silent terminal's late answers are read before exit, up to the sentinel")
  func drains() throws {
    let terminal = try AnsweringTerminal()
    let (profile, input) = TerminalDetection.detect(
      input: terminal.descriptor, output: terminal.descriptor, environment: Self.environment,
      patience: Self.none)
    #expect(profile.wasAsked && !profile.isAnswered && input.owed.count == 1)
    var told: [InputEvent] = []
    let keyboard = Keyboard(
      descriptor: terminal.descriptor,
      terminalGuard: try TerminalGuard(descriptor: terminal.descriptor),
      early: input, onEvents: { told += $0 }, onEnd: {})
    // The terminal answers only now, in pieces that cut sequences.
    try terminal.answer(RealTerminals.kitty041, inPiecesOf: 7)
    keyboard.giveBack(asking: true)
    #expect(told.isEmpty)
    #expect(terminal.waitingInput == 0)
  }
}
