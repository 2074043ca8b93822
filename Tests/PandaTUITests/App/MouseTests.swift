import Foundation
import PandaTestSupport
import Testing

@testable import PandaSession
@testable import PandaTUI
@testable import TerminalKit

/// The mouse over the card, the carousel, the hints and dialogs.
@MainActor
@Suite struct MouseTests {
  private let directory = TemporaryDirectory()

  @Test func `click selects, double click favorites and shows, the wheel moves`() async throws {
    let panda = try AppDriver(
      directory, configuration: Configuration(reduceMotion: true, autoAdvance: false), columns: 72)
    try await panda.expectPicture()
    for number in 1...3 {
      try panda.press(.card(.fetch))
      try await panda.expect(text: "☆ Panda \(number + 1)")
      panda.doubleClick(column: 50, row: 10)
      try await panda.expect(favorites: number)
    }
    try await panda.expectThumbnails(3)
    // The second thumbnail: at 4 rows each is 10 wide, with 3 between.
    panda.click(column: 17, row: 24)
    try await panda.expect("the second is framed") { $0.canvas.rows[24][15].text == "┃" }
    // On all sides: above in a row of its own, below on the frame.
    let (above, below) = (panda.display.lines[22], panda.display.lines[27])
    #expect(above.contains("┏━━━━━━━━━━┓") && below.contains("─┗━━━━━━━━━━┛─"))
    panda.scroll(.down, column: 17, row: 24)
    try await panda.expect("the third is framed") { $0.canvas.rows[24][28].text == "┃" }
    panda.scroll(.up, column: 20, row: 5)
    panda.scroll(.up, column: 20, row: 5)
    try await panda.expect("the first is framed") { $0.canvas.rows[24][2].text == "┃" }
    panda.doubleClick(column: 30, row: 24)
    try await panda.expect(text: "★ Panda 2 ")
    try await panda.expect(text: "enter open")
    // A click on a hint runs it, and one beside a dialog closes it.
    panda.resize(columns: 100, rows: 30)
    try await panda.expect(text: "? help")
    let hints = try #require(panda.display.lines.last)
    let place = try #require(hints.range(of: "? help"))
    panda.click(
      column: hints.distance(from: hints.startIndex, to: place.lowerBound), row: 29)
    try await panda.expect(text: HelpDialog.prompt)
    panda.click(column: 0, row: 0)
    try await panda.expect(noText: HelpDialog.prompt)
    try await panda.quit()
  }

  @Test func `a click on a hint of a dialog or of the filter presses its key`() async throws {
    let panda = try AppDriver(directory)
    try await panda.favorite(2)
    try panda.press(.view(.nextPane))
    try await panda.open(.favorites(.caption), "Caption; empty removes it")
    panda.type("Fast asleep")
    try await panda.click(text: "ctrl-u empty")
    try await panda.expect(noText: "Fast asleep")
    panda.type("Awake")
    try await panda.click(text: "enter save")
    try await panda.expect(text: Sentence.captioned)
    try await panda.open(.favorites(.caption), "Caption; empty removes it")
    try await panda.click(text: "esc cancel")
    try await panda.expect(noText: "Caption; empty removes it")

    try await panda.open(.favorites(.filter), "esc show all")
    panda.type("awake")
    try await panda.expect(text: "Favorites (1 of 2)")
    try await panda.click(text: "enter choose")
    try await panda.expect(noText: "enter choose")
    try await panda.expect(text: "Favorites (1 of 2)")
    try await panda.open(.favorites(.filter), "enter choose")
    try await panda.click(text: "esc show all")
    try await panda.expect(text: "Favorites (2)")

    try await panda.open(.favorites(.clear), "y yes")
    try await panda.click(text: "←→ select")
    try await panda.expect(text: "y yes")
    try await panda.click(text: "n no")
    try await panda.expect(noText: "y yes")
    #expect(panda.app.context.favorites.list.count == 2)
    try await panda.quit()
  }
}
