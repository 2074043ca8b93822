import Foundation
import PandaTestSupport
import Testing

@testable import PandaSession
@testable import PandaTUI
@testable import TerminalKit

/// The terminal's own cursor, which input methods, braille displays and magnifiers follow.
@Suite struct CursorTests {
  let directory = TemporaryDirectory()

  /// Waits until the cursor is shown behind the last text of this kind on the screen.
  private func expectCursor(_ panda: PandaDriver, after text: String) async throws {
    try await panda.tmux.expect("the cursor after \(text)") { screen in
      guard let row = screen.lines.lastIndex(where: { $0.contains(text) }),
        let start = screen.lines[row].range(of: text)?.lowerBound
      else { return false }
      let column = String(screen.lines[row][..<start]).columns + text.columns
      return try panda.tmux.ask("#{cursor_x},#{cursor_y} #{cursor_flag}") == "\(column),\(row) 1"
    }
  }

  private func expectNoCursor(_ panda: PandaDriver, _ what: String) async throws {
    try await panda.tmux.expect("no cursor \(what)") { _ in
      try panda.tmux.ask("#{cursor_flag}") == "0"
    }
  }

  @Test func `the cursor is where text is typed, and hidden elsewhere`() async throws {
    let panda = try PandaDriver(directory, source: "grove")
    try await panda.favorite(1)
    try await expectNoCursor(panda, "beside pictures")
    try panda.press(.view(.nextPane))

    // Wide characters count by their columns, and marks by none.
    try await panda.open(.favorites(.caption), Sentence.captionNote)
    try panda.tmux.press("C-u")
    try panda.tmux.type("小熊猫 e\u{301}x")
    try await expectCursor(panda, after: "小熊猫 e\u{301}x")
    try panda.tmux.press("C-b", "C-b", "C-b")
    try await expectCursor(panda, after: "小熊猫")
    try panda.tmux.press(.escape)
    try await expectNoCursor(panda, "after a dialog")

    try panda.press(.favorites(.filter))
    try await panda.tmux.expect(text: " found")
    try panda.tmux.type("snow")
    try await expectCursor(panda, after: "/snow")
    try panda.tmux.press(.escape)
    try await expectNoCursor(panda, "after the filter")

    try await panda.open(.program(.help), HelpDialog.prompt)
    try await panda.tmux.expect("the cursor before the prompt") { screen in
      guard let place = screen.position(of: HelpDialog.prompt) else { return false }
      return try panda.tmux.ask("#{cursor_x},#{cursor_y} #{cursor_flag}")
        == "\(place.column - 2),\(place.row) 1"
    }
    try panda.tmux.type("小")
    try await expectCursor(panda, after: "小")
    try panda.tmux.press(.escape)
    try await expectNoCursor(panda, "after the help")
    try await panda.quit()
  }

  /// Waits until the hidden cursor rests where a text begins on the screen.
  private func expectRest(_ panda: PandaDriver, on text: String, _ view: String) async throws {
    try await panda.tmux.expect("the hidden cursor of \(view) on “\(text)”") { screen in
      let answer = try panda.tmux.ask("#{cursor_x} #{cursor_y} #{cursor_flag}")
      let numbers = answer.split(separator: " ").compactMap { Int($0) }
      guard numbers.count == 3, numbers[2] == 0, screen.cells.indices.contains(numbers[1]) else {
        return false
      }
      return screen.cells[numbers[1]].dropFirst(numbers[0]).map(\.text).joined().hasPrefix(text)
    }
  }

  @Test func `hidden, the cursor rests on what is selected, in each view`() async throws {
    let panda = try PandaDriver(directory, source: "grove")
    let screen = try await panda.tmux.expect(text: "☆")
    let line = try #require(screen.lines.first { $0.contains("☆ ") })
    let title = String(try #require(line.split(separator: "☆ ").last).prefix { $0 != " " })
    try await expectRest(panda, on: "☆ \(title)", "the card")
    try await panda.favorite(2)
    try await expectRest(panda, on: "☆ ", "the card")
    // Beside thumbnails, the selection's name is on their edge.
    try panda.press(.view(.nextPane), .move(.right))
    try await expectRest(panda, on: title, "Favorites")
    try panda.press(.view(.grid))
    try await panda.tmux.expect(text: "2/2")
    try await expectRest(panda, on: title, "the grid")
    try panda.press(.view(.zoom))
    try await panda.tmux.expect(text: " %")
    try await expectRest(panda, on: title, "the zoom")
    try panda.tmux.press(.escape)
    try await panda.tmux.expect(text: "2/2")
    try await panda.open(.favorites(.clear), Sentence.clearQuestion(2))
    try await expectRest(panda, on: " No ", "a question")
    try panda.tmux.press(.right)
    try await expectRest(panda, on: " Yes ", "a question")
    try panda.tmux.press(.escape)
    try await panda.tmux.expect("the question is gone") {
      !$0.contains(Sentence.clearQuestion(2))
    }
    try panda.press(.favorites(.remove))
    try await panda.expect(favorites: 1)
    try panda.press(.favorites(.trash))
    try await panda.tmux.expect(text: "1/1")
    try await expectRest(panda, on: title, "the trash")
    try await panda.quit()
  }
}
