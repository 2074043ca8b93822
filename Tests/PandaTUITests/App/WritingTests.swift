import Foundation
import PandaCore
import PandaTestSupport
import Testing

@testable import PandaSession
@testable import PandaTUI
@testable import TerminalKit

/// What is typed and pasted: captions, tags, the filter.
@MainActor
@Suite struct WritingTests {
  private let directory = TemporaryDirectory()
  private let tagChangesNote = Sentence.beginning(of: FavoritesCommands.tagChangesNote)

  /// What a field says of a paste that has more characters than it takes.
  private func cutNotice(_ limit: Int) throws -> String {
    var field = TextField("", limit: limit)
    field.paste(String(repeating: "x", count: limit + 1))
    return try #require(field.cutNotice)
  }

  @Test func `captions and tags are written, shown, found and undone`() async throws {
    let panda = try AppDriver(directory)
    try await panda.favorite(2)
    try await panda.expect(text: "☆ Panda 3 ")
    panda.clock.advance(by: CardPresenter.timeToCaption)
    try panda.press(.favorites(.caption))
    try await panda.expect(text: Sentence.refused(.onlyFavoritesHaveCaptions))
    try panda.press(.view(.nextPane))
    try await panda.open(.favorites(.caption), FavoritesCommands.captionNote)
    panda.enter("Höhle 日本")
    try await panda.expect(
      text: Sentence.done(.captioned("Höhle 日本", count: 1, isCut: false)))
    try await panda.expect(text: " Höhle 日本 ")
    try panda.press(.favorites(.tags))
    panda.enter("#sleepy snow")
    try await panda.expect(text: Sentence.done(.tagged(count: 1, full: 0, isRemoval: false)))

    try panda.press(.favorites(.filter))
    panda.type("hohle #sle")
    try await panda.expect(text: "Favorites (1 of 2) · /hohle #sle")
    try await panda.expect(text: "1 found")
    panda.press(key: .enter)
    try panda.press(.favorites(.show), .picture(.details))
    try await panda.expect(text: "#sleepy #snow")
    try await panda.expect(text: "SHA-256")
    try panda.press(.picture(.details))
    try await panda.expect(noText: "SHA-256")
    try await panda.cancel(expecting: 2)
    try panda.press(.favorites(.undo))
    try await panda.expect(text: "Undone: the tags of ")
    try panda.press(.favorites(.undo))
    try await panda.expect(text: "Undone: the caption of ")
    try await panda.expect(noText: "Höhle")
    try await panda.quit()
  }

  @Test func `Tab completes tags, those used most first`() async throws {
    let panda = try AppDriver(directory)
    try await panda.favorite(3)
    try panda.press(.view(.nextPane))
    for tags in ["snow sleepy", "sleepy snack", "sleepy"] {
      try await panda.open(.favorites(.tags), FavoritesCommands.tagsNote)
      panda.enter(tags)
      try await panda.expect(text: Sentence.tagged)
      try panda.press(.move(.right))
    }
    try panda.press(.move(.first))
    try await panda.open(.favorites(.tags), "snow sleepy")
    panda.press(key: .control("u"))
    try await panda.expect(text: "Tab  sleepy 3   snack 1   snow 1 ")
    panda.type("Sn")
    try await panda.expect(text: "Tab  snack 1   snow 1 ")
    panda.press(key: .tab)
    panda.press(key: .tab)
    panda.enter(" s")
    try await panda.expect(text: Sentence.tagged)
    #expect(panda.app.context.favorites.list.first?.tags == ["snow", "s"])
    try panda.press(.favorites(.markAll))
    try await panda.open(.favorites(.tags), tagChangesNote)
    panda.type("new -sle")
    panda.press(key: .tab)
    panda.press(key: .enter)
    try await panda.expect(
      text: Sentence.done(.tagged(count: 3, full: 0, isRemoval: false), NoNames()))
    #expect(
      panda.app.context.favorites.list.map(\.tags) == [
        ["snow", "s", "new"], ["snack", "new"], ["new"],
      ])
    try await panda.quit()
  }

  @Test func `right after favoriting, captions and tags are for the panda just kept`()
    async throws
  {
    let panda = try AppDriver(directory)
    try await panda.favorite(1)
    try await panda.expect(text: "☆ Panda 2 ")
    // No hint promises what a few seconds take away.
    try await panda.expect(noText: "c caption")
    try await panda.open(.favorites(.caption), "Caption for the panda just kept: Panda 1")
    panda.enter("first")
    try await panda.expect(text: Sentence.captioned)
    try await panda.open(.favorites(.tags), "Tags for the panda just kept: first")
    panda.enter("snow")
    try await panda.expect(text: Sentence.tagged)
    try await panda.expect(text: "☆ Panda 2 ")
    #expect(panda.app.context.favorites.list.map(\.caption) == ["first"])
    #expect(panda.app.context.favorites.list.map(\.tags) == [["snow"]])

    // What was taken back, or kept too long ago, has no claim; what was chosen goes first.
    try panda.press(.favorites(.undo), .favorites(.undo), .favorites(.undo))
    try await panda.expect(favorites: 0)
    try panda.press(.favorites(.caption))
    try await panda.expect(text: Sentence.refused(.onlyFavoritesHaveCaptions, NoNames()))
    try panda.press(.favorites(.redo))
    try await panda.expect(favorites: 1)
    try await panda.favorite(1, after: 1)
    try await panda.expect(text: "☆ Panda 3 ")
    try panda.press(.view(.nextPane), .move(.right))
    try await panda.open(.favorites(.caption), "Caption for Panda 1 ")
    panda.press(key: .escape)
    try panda.press(.view(.nextPane))
    try await panda.open(.favorites(.caption), "Caption for the panda just kept: Panda 2")
    panda.press(key: .escape)
    panda.clock.advance(by: CardPresenter.timeToCaption)
    try panda.press(.favorites(.caption))
    try await panda.expect(text: Sentence.refused(.onlyFavoritesHaveCaptions, NoNames()))
    // Until one of the carousel is chosen.
    try await panda.favorite(1, after: 2)
    try await panda.open(.favorites(.caption), "Caption for the panda just kept: Panda 3")
    panda.press(key: .escape)
    try panda.press(.view(.nextPane), .move(.right))
    try await panda.open(.favorites(.caption), "Caption for Panda ")
    panda.press(key: .escape)
    try await panda.quit()
  }

  @Test func `tags that do not fit stay in the dialog, which says why`() async throws {
    let panda = try AppDriver(directory)
    try await panda.favorite(2)
    try panda.press(.view(.nextPane))
    let tags = (1...20).map { "t\($0)" }.joined(separator: " ")
    try await panda.open(.favorites(.tags), FavoritesCommands.tagsNote)
    panda.enter(tags + " t21")
    try await panda.expect(text: Sentence.refused(.tagsDoNotFit(.manyTags)))
    for _ in 0..<4 { panda.press(key: .backspace) }
    panda.press(key: .enter)
    try await panda.expect(text: Sentence.tagged)
    #expect(panda.app.context.favorites.list.map(\.tags.count).sorted() == [0, 20])
    try panda.press(.favorites(.markAll))
    try await panda.open(.favorites(.tags), tagChangesNote)
    panda.enter(String(repeating: "x", count: 41))
    try await panda.expect(text: Sentence.refused(.tagsDoNotFit(.longTag)))
    panda.press(key: .backspace)
    panda.press(key: .enter)
    try await panda.expect(
      text: Sentence.done(.tagged(count: 1, full: 1, isRemoval: false), NoNames()))
    // All that lacks it has no room.
    try await panda.open(.favorites(.tags), tagChangesNote)
    panda.enter(String(repeating: "x", count: 40))
    try await panda.expect(text: Sentence.refused(.tagsDoNotFit(.manyTags)))
    try await panda.quit()
  }

  @Test func `a paste that is too long for a field says so, and no key is lost`() async throws {
    let panda = try AppDriver(directory)
    try await panda.favorite(1)
    try panda.press(.view(.nextPane))
    let text = String(repeating: "panda ", count: 1_700)
    try await panda.open(.favorites(.caption), FavoritesCommands.captionNote)
    panda.paste(text)
    try await panda.expect(text: cutNotice(500))
    panda.press(key: .enter)
    try await panda.expect(text: Sentence.captioned)
    #expect(panda.app.context.favorites.list.first?.caption?.count == 500)
    try panda.press(.favorites(.filter))
    panda.paste(text)
    try await panda.expect(text: cutNotice(100))
    panda.press(key: .escape)
    try await panda.open(.program(.help), HelpDialog.prompt)
    panda.paste(text)
    try await panda.expect(text: cutNotice(40))
    panda.press(key: .escape)
    try await panda.quit()
  }
}
