import PandaTestSupport
import TerminalKitTestSupport
import Testing

@testable import PandaTUI
@testable import TerminalKit

/// What the program asks tmux, and when.
@MainActor
@Suite struct TerminalFollowerTests {
  private func follower(
    knowing surroundings: TmuxSurroundings?, answering answer: TmuxSurroundings?
  ) -> (TerminalFollower, CanvasDisplay) {
    let display = CanvasDisplay(columns: 80, rows: 24, output: nil)
    let terminal = DetectedTerminal(
      profile: RealTerminals.profile(
        RealTerminals.tmux, RealTerminals.inTmux, tmux: surroundings),
      input: EarlyInput(), option: .auto, symbols: .auto)
    return (TerminalFollower(terminal, on: display) { answer }, display)
  }

  @Test func `another terminal is adopted as tmux names it, and is asked nothing`() async throws {
    let (follower, display) = follower(
      knowing: RealTerminals.surroundings("kitty(0.41.1)"),
      answering: RealTerminals.surroundings("XTerm(379)", client: "8"))
    var changes: [PictureMethod] = []
    follower.onChange = { _ in changes.append(follower.terminal.choice.path) }
    follower.begin()
    follower.ask()
    try await eventually("tmux's answer") { !display.sent.isEmpty }
    #expect(changes == [.symbols(.quadrants, colors: .palette256)])
    #expect(!String(decoding: display.sent, as: UTF8.self).contains("\u{1B}P"))
  }

  @Test func `tmux is asked again if it did not know its terminal at the start`() async throws {
    for known in [nil, RealTerminals.surroundings("")] {
      let (follower, _) = follower(
        knowing: known, answering: RealTerminals.surroundings("kitty(0.41.1)"))
      follower.begin()
      try await eventually("pictures") {
        follower.terminal.choice.path == .kittyPlaceholders(throughTmux: true)
      }
    }
  }
}
