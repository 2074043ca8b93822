import Foundation
import PandaTestSupport
import Testing

@testable import PandaSession
@testable import PandaTUI
@testable import TerminalKit

/// Windows that are resized during other work.
@MainActor
@Suite struct ResizeTests {
  private let directory = TemporaryDirectory()

  @Test func `fault 58: a thousand resizes in a fetch and in dialogs leave the screen as it was`()
    async throws
  {
    let panda = try AppDriver(directory, source: SilentSource(), fallback: SmallSource())
    try await panda.expect(text: "☆ Panda 1 ")
    // From now on each key draws another one.
    panda.clock.advance(by: FetchWords.patience)
    try await panda.expectPicture()
    try await panda.expect(favorites: 0)
    try panda.press(.program(.redraw))
    var random = SystemRandomNumberGenerator()
    for (command, words) in [
      (Command.card(.fetch), "☆ Panda 2 "), (.program(.help), HelpDialog.prompt),
      (.picture(.details), "SHA-256"),
    ] {
      try await panda.open(command, words)
      // The number seen is shown once it has been saved.
      if command == .card(.fetch) { try await panda.expect(text: "2 seen") }
      if command == .picture(.details) {
        try await panda.expect(text: "first seen")
      }
      let before = still(panda.display.text)
      for number in 1...350 {
        panda.resize(
          columns: .random(in: 1...220, using: &random), rows: .random(in: 1...70, using: &random),
          rests: false)
        // Some of the sizes are drawn, as many as come between two turns are not.
        if number % 7 == 0 { await Task.yield() }
      }
      panda.resize(columns: 120, rows: 30)
      try await panda.expect("the screen as it was in \(command):\n\(before)\n") {
        still($0.text) == before
      }
      // The details are beside the picture, the help is over it.
      if command != .program(.help) { try await panda.expectPicture() }
      if command != .card(.fetch) { try panda.press(.program(.cancel)) }
    }
    try await panda.expect(noText: "SHA-256")
    try await panda.expectPicture()
    try await panda.quit()
  }

  @Test func `a long message on a small screen takes the line of the hints as well`() async throws {
    let panda = try AppDriver(directory, columns: 20, rows: 8)
    try await panda.expect(text: "☆ Panda 1")
    try panda.press(.favorites(.favorite))
    try await panda.expect("the whole message") {
      $0.text.contains("╰Kept in your      ╯\n favorites ") && $0.text.contains(" ?  q")
    }
    try panda.press(.program(.redraw))
    try await panda.expect(text: "f  space")
    try await panda.quit()
  }

  /// A screen without the wheel that turns while a source is asked, and without the picture.
  ///
  /// A picture is prepared for its size beside all else, so it may come before or after the words.
  private func still(_ screen: String) -> String {
    screen.replacing(#/[\u{2800}-\u{28FF}]/#, with: "").replacing("\u{A0}", with: " ")
  }
}
