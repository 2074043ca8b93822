import Foundation
import PandaCore
import PandaTestSupport
import Testing

@testable import PandaSession
@testable import TerminalKit

/// Counts, the help, and the keys at the bottom of the screen.
@MainActor
@Suite struct KeysTests {
  private let directory = TemporaryDirectory()

  @Test func `counts move further, in every pane, by arrows and by vim's keys`() async throws {
    let panda = try AppDriver(
      directory, configuration: Configuration(autoAdvance: false), columns: 60, rows: 12)
    try await panda.expect(text: "1 seen")
    for number in 1...5 {
      try panda.press(.card(.fetch))
      try await panda.expect(text: "\(number + 1) seen")
      // It is counted before it can be drawn, and so be kept.
      try await panda.expect(text: "☆")
      try panda.press(.favorites(.favorite))
      try await panda.expect(favorites: number)
      // It is said when it is on the disk, over what a key did meanwhile.
      try await panda.expect(text: Sentence.added)
    }
    panda.type("3l")
    try await panda.expect(text: "★ 4/5")
    panda.type("2")
    panda.press(key: .left)
    try await panda.expect(text: "★ 2/5")
    panda.type("G")
    try await panda.expect(text: "★ 5/5")
    panda.type("4k")
    try await panda.expect(text: "★ 1/5")
    // A count that means nothing does nothing, and a click ends one.
    panda.type("3")
    try panda.press(.favorites(.caption))
    try await panda.expect(text: "c takes no number")
    panda.type("4")
    try await panda.expect(text: "4 times")
    panda.click(column: 50, row: 1)
    try await panda.expect(noText: "4 times")
    try panda.press(.move(.right))
    try await panda.expect(text: "★ 2/5")
    // Where there is no room for the carousel nothing can be done in it.
    try panda.press(.view(.nextPane))
    panda.resize(columns: 60, rows: 7)
    try await panda.expect(noText: "★ 2/5")
    try panda.press(.view(.nextPane))
    try await panda.expect(text: "The window is too small for the favorites")
    try panda.press(.favorites(.favorite))
    try await panda.expect(text: Sentence.refused(.isFavorite))
    try await panda.quit()
  }

  @Test(arguments: [(40, 12), (30, 10), (20, 8)])
  func `the keys for help and quitting stay in both panes, and beside messages`(
    _ columns: Int, _ rows: Int
  ) async throws {
    let panda = try AppDriver(directory, columns: columns, rows: rows)
    func expectKeys(_ what: String, saying words: String = "") async throws {
      try await panda.expect(what) { display in
        let last = display.lines.last?.split(separator: " ") ?? []
        return last.contains("?") && last.contains("q")
          && (words.isEmpty || display.text.contains(words))
      }
    }
    try await panda.expect(text: "☆")
    try await expectKeys("the keys in the card")
    try panda.press(.favorites(.undo))
    try await expectKeys("the keys beside what is said", saying: "Nothing")
    try panda.press(.view(.nextPane))
    try await expectKeys("the keys in the carousel")
    try await panda.quit()
  }

  @Test func `a resize redraws, and q quits at any size`() async throws {
    let panda = try AppDriver(directory)
    try await panda.expectPicture()
    for (columns, rows) in [
      (60, 20), (40, 15), (20, 6), (120, 50), (160, 45), (400, 120), (12, 4), (3, 2), (1, 1),
    ] {
      panda.resize(columns: columns, rows: rows)
      try await panda.expect("the frame at the new size") { display in
        display.canvas.size == CellSize(columns: columns, rows: rows)
          && (columns < 20 || display.canvas.rows[0].last?.text == "╮")
      }
      if rows >= 15 { try await panda.expectPicture() }
    }
    try await panda.quit()
  }
}
