import PandaCore
import PandaTestSupport
import PictureCodecs
import Testing

@testable import PandaSession
@testable import PandaTUI
@testable import TerminalKit

/// What commands apply to while a picture is enlarged, or the grid hides the card.
@MainActor
@Suite(.timeLimit(.minutes(15))) struct ZoomTargetTests {
  let directory = TemporaryDirectory()

  /// Starts the program with three favorites, Panda 4 on the card, and Panda 3 selected.
  private func start() async throws -> AppDriver {
    let app = try AppDriver(directory, columns: 100)
    try await app.favorite(3)
    try await app.expect(text: "☆ Panda 4")
    try app.press(.view(.nextPane))
    return app
  }

  private func enlarge(_ app: AppDriver) async throws {
    try app.press(.view(.zoom))
    try await app.expect(text: "%")
  }

  private func drag(_ app: AppDriver) {
    for (kind, column) in [(MouseEvent.Kind.press(.left), 50), (.drag(.left), 45)] {
      app.app.handle([.mouse(MouseEvent(kind, column: column, row: 10))])
    }
  }

  @Test func `after a drag, the enlarged favorite is removed, and not the one on the card`()
    async throws
  {
    let app = try await start()
    try app.press(.favorites(.show))
    try await app.expect(text: "★ Panda 3")
    try app.press(.move(.right))
    try await enlarge(app)
    drag(app)
    try app.press(.favorites(.remove))
    try await app.expect(favorites: 2)
    #expect(app.app.context.favorites.list.map(\.title) == ["Panda 3", "Panda 1"])
    try await app.quit()
  }

  @Test func `the enlarged favorite of the card is removed, whatever is selected`() async throws {
    let app = try await start()
    try app.press(.favorites(.show))
    try await app.expect(text: "★ Panda 3")
    try app.press(.move(.right), .view(.nextPane))
    try await enlarge(app)
    try app.press(.favorites(.remove))
    try await app.expect(favorites: 2)
    #expect(app.app.context.favorites.list.map(\.title) == ["Panda 2", "Panda 1"])
    try await app.quit()
  }

  @Test func `a double click on an enlarged picture favorites nothing behind it`() async throws {
    let app = try await start()
    try await enlarge(app)
    app.doubleClick(column: 50, row: 10)
    #expect(app.app.context.model.focus == .carousel)
    try app.press(.program(.cancel))
    try await app.expect(favorites: 3)
    #expect(app.app.context.card.image?.title == "Panda 4" && !app.app.context.card.isShownSaved)
    try await app.quit()
  }

  @Test func `the picture that the wheel enlarges stays on the card`() async throws {
    let before = try AppDriver(directory)
    try await before.expect(text: "☆ Panda 1")
    try await before.quit()
    // What was seen last is shown while the first request is under way.
    let app = try AppDriver(directory, source: SilentSource(), columns: 100)
    try await app.expectPicture()
    try await eventually("the first request") {
      app.app.context.card.state.request?.purpose == .show
    }
    app.app.handle([
      .mouse(MouseEvent(.scroll(.up), column: 40, row: 8, modifiers: .control))
    ])
    try await app.expect(text: "%")
    #expect(app.app.context.card.state.request?.purpose == .announce)
    try await app.quit()
  }

  @Test func `an enlarged favorite is neither hidden nor kept again, nor is the card's picture`()
    async throws
  {
    let app = try await start()
    try await enlarge(app)
    try app.press(.card(.hide))
    try await app.expect(text: Sentence.refused(.hidesNoFavorite))
    try app.press(.favorites(.favorite))
    try await app.expect(text: Sentence.refused(.isFavorite))
    #expect(app.app.context.zoom.isOpen)
    try app.press(.program(.cancel))
    try await app.expect(favorites: 3)
    #expect(app.app.context.card.image?.title == "Panda 4" && !app.app.context.card.isShownSaved)
    try await app.quit()
  }

  @Test func `in the grid the selected favorite is not hidden, nor is the card's picture`()
    async throws
  {
    let app = try await start()
    try app.press(.view(.grid))
    try await app.expect(text: "1/3")
    try app.press(.card(.hide))
    try await app.expect(text: Sentence.refused(.hidesNoFavorite))
    try app.press(.view(.zoom))
    try await app.expect(text: "%")
    try app.press(.favorites(.favorite))
    try await app.expect(text: Sentence.refused(.isFavorite))
    #expect(app.app.context.favorites.marks.isEmpty)
    try app.press(.program(.cancel), .program(.cancel))
    try await app.expect(text: "☆ Panda 4")
    try await app.quit()
  }

  @Test func `an enlarged picture in the trash is restored alone, and marks stay`() async throws {
    let app = try await start()
    try app.press(.favorites(.markAll), .favorites(.remove))
    try await app.expect(favorites: 0)
    try app.press(.favorites(.trash))
    try await app.expect(text: "Trash (3)")
    try app.press(.favorites(.mark), .favorites(.mark))
    try await app.expect(text: "2 marked")
    let selected = try #require(app.app.context.favorites.selected)
    try await enlarge(app)
    try app.press(.favorites(.favorite))
    try await app.expect(text: "Trash (2)")
    #expect(app.app.context.favorites.controller.images.map(\.id) == [selected.id])
    try await app.expect(text: "2 marked")
    try await app.quit()
  }

  @Test func `a favorite that was just kept gets no caption meant for an enlarged picture`()
    async throws
  {
    let app = try AppDriver(directory, columns: 100)
    try await app.favorite(1)
    try await app.expect(text: "☆ Panda 2")
    try await enlarge(app)
    try app.press(.favorites(.caption))
    try await app.expect(text: Sentence.refused(.onlyFavoritesHaveCaptions, NoNames()))
    try await app.quit()
  }

  @Test func `pages and ends move an enlarged picture, and not the selection behind it`()
    async throws
  {
    let app = try await start()
    try await enlarge(app)
    for _ in 0..<6 { try app.press(.view(.larger)) }
    func region() throws -> PixelRectangle {
      let region = try #require(app.app.context.zoom.state).region
      return PixelRectangle(
        left: region.x, top: region.y, right: region.x + region.size.width,
        bottom: region.y + region.size.height)
    }
    let middle = try region()
    try app.press(.move(.pageRight))
    #expect(try region().bottom == 48 && region().left == middle.left)
    try app.press(.move(.pageLeft))
    #expect(try region().top == 0 && region().left == middle.left)
    try app.press(.move(.last))
    #expect(try region().right == 64 && region().bottom == 48)
    try app.press(.move(.first))
    #expect(try region().left == 0 && region().top == 0)
    #expect(app.app.context.favorites.selected?.title == "Panda 3")
    try await app.quit()
  }

  private struct PixelRectangle {
    let left, top, right, bottom: Int
  }

  @Test func `nothing turns behind an enlarged picture or the grid`() async throws {
    let app = try AppDriver(directory, source: SmallSource(answerCount: 1), columns: 100)
    try await app.favorite(1)
    try app.press(.card(.fetch))
    try await app.expect(text: "zoo.example · 0 s")
    for (command, text) in [(Command.view(.zoom), "%"), (.view(.grid), "1/1")] {
      try app.press(command)
      try await app.expect(text: text)
      app.clock.advance(by: .seconds(10))
      try await app.expectAnotherFrame()
      #expect(app.clock.waitingCount == 0)
      try app.press(command == .view(.zoom) ? .program(.cancel) : .view(.grid))
      try await eventually("it turns again") { app.clock.waitingCount > 0 }
    }
    try await app.quit()
  }
}
