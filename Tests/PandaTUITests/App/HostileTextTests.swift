import Foundation
import SystemSupport
import PandaCore
import PandaTestSupport
import Testing

@testable import PandaSession
@testable import PandaTUI
@testable import TerminalKit

/// Titles, credits and captions that would bend columns or steer the terminal.
@MainActor
@Suite struct HostileTextTests {
  private let directory = TemporaryDirectory()

  /// A source that gives hostile texts with its pictures.
  private final class HostileSource: ImageSource {
    let name = "zoo\u{1B}[31m\u{202E}"
    private let next = Lock(0)

    func fetchImage(
      progress: @escaping @Sendable (FetchProgress) -> Void
    ) async throws -> FetchedImage {
      let number = next.withLock { next in
        next += 1
        return next
      }
      let text = HostileText.all[number * 17 % HostileText.all.count]
      return FetchedImage(
        url: URL(string: "https://zoo.example/\(number)")!, data: try SmallSource.png(number),
        source: name, title: text, credit: text, license: text)
    }
  }

  /// Whether each row is as wide as the screen, with nothing that steers a terminal.
  private func isStraight(_ canvas: Canvas) -> Bool {
    canvas.rows.allSatisfy { row in
      var column = 0
      while column < row.count {
        let text = row[column].text
        let columns = text.columns
        guard (1...2).contains(columns), !HostileText.steers(text.replacing("\u{A0}", with: " ")),
          columns == 1 || column + 1 < row.count && row[column + 1].text.isEmpty
        else { return false }
        column += columns
      }
      return column == row.count
    }
  }

  @Test func `fault 64: no title, credit, source or caption misaligns a column`() async throws {
    let panda = try AppDriver(
      directory, source: HostileSource(), configuration: Configuration(autoAdvance: false))
    try await panda.expect(text: "☆")
    try panda.press(.favorites(.favorite))
    try await panda.expect(favorites: 1)
    for number in 2...30 {
      try panda.press(.card(.fetch))
      try await panda.expect(text: "\(number) seen")
      #expect(isStraight(panda.display.canvas), "\(panda.display.text)")
    }
    try await panda.open(.picture(.details), "SHA-256")
    #expect(isStraight(panda.display.canvas), "\(panda.display.text)")
    try panda.press(.program(.cancel), .view(.nextPane))
    for number in stride(from: 3, to: HostileText.all.count, by: 29) {
      try await panda.open(.favorites(.caption), FavoritesCommands.captionNote)
      panda.press(key: .control("u"))
      panda.paste("c\(number)" + HostileText.all[number])
      #expect(isStraight(panda.display.canvas), "\(panda.display.text)")
      panda.press(key: .enter)
      try await panda.expect(text: Sentence.captioned)
      #expect(isStraight(panda.display.canvas), "\(panda.display.text)")
    }
    try await panda.quit()
  }
}
