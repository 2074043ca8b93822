import Glibc
import PandaTestSupport
import Testing

@testable import TerminalKit

/// When bytes belong together, by the moments at which they arrived.
@MainActor
@Suite struct KeyboardTests {
  /// Returns what is reported of bytes that a late main actor takes all at once.
  private func events(
    _ arrivals: [(text: String, after: Duration)]
  ) throws -> [InputEvent] {
    let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    defer { close(terminal) }
    var events: [InputEvent] = []
    let keyboard = Keyboard(
      descriptor: terminal, terminalGuard: try TerminalGuard(descriptor: terminal),
      onEvents: { events += $0 }, onEnd: {})
    var moment = ContinuousClock.now - .seconds(60)
    for (text, pause) in arrivals {
      moment += pause
      keyboard.receive(.bytes(Array(text.utf8), at: moment))
    }
    keyboard.stop()
    return events
  }

  @Test func `keys that were pressed one after the other stay two, however late they are taken`()
    throws
  {
    #expect(
      try events([("\u{1B}", .zero), ("q", .seconds(1))])
        == [.key(.escape), .key(.character("q"))])
    #expect(try events([("\u{1B}", .zero), ("q", .milliseconds(10))]) == [.key(.alt("q"))])
    #expect(
      try events([("\u{1B}[1;5", .zero), ("A", .milliseconds(900)), ("\u{1B}", .seconds(9))])
        == [.key(.modified(.control, .up))])
  }
}
