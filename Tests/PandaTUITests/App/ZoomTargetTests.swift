import PandaCore
import PandaTestSupport
import Testing

@testable import PandaTUI
@testable import TerminalKit

/// What commands apply to while a picture is enlarged, or the grid hides the card.
@MainActor
@Suite(.timeLimit(.minutes(2))) struct ZoomTargetTests {
  let directory = TemporaryDirectory()

  /// Starts the program with three favorites, Panda 4 on the card, and Panda 3 selected.
  private func start() async throws -> AppDriver {
    let app = try AppDriver(directory, columns: 100)
    try await app.favorite(3)
    try await app.expect(text: "☆ Panda 4")
    try app.press(.nextPane)
    return app
  }

  private func enlarge(_ app: AppDriver) async throws {
    try app.press(.zoom)
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
    try app.press(.show)
    try await app.expect(text: "★ Panda 3")
    try app.press(.right)
    try await enlarge(app)
    drag(app)
    try app.press(.remove)
    try await app.expect(favorites: 2)
    #expect(app.app.carousel.list.map(\.title) == ["Panda 3", "Panda 1"])
    try await app.quit()
  }

  @Test func `the enlarged favorite of the card is removed, whatever is selected`() async throws {
    let app = try await start()
    try app.press(.show)
    try await app.expect(text: "★ Panda 3")
    try app.press(.right, .nextPane)
    try await enlarge(app)
    try app.press(.remove)
    try await app.expect(favorites: 2)
    #expect(app.app.carousel.list.map(\.title) == ["Panda 2", "Panda 1"])
    try await app.quit()
  }

  @Test func `a double click on an enlarged picture favorites nothing behind it`() async throws {
    let app = try await start()
    try await enlarge(app)
    app.doubleClick(column: 50, row: 10)
    #expect(app.app.model.focus == .carousel)
    try app.press(.cancel)
    try await app.expect(favorites: 3)
    #expect(app.app.card.image?.title == "Panda 4" && !app.app.card.isShownSaved)
    try await app.quit()
  }

  @Test func `the picture that the wheel enlarges stays on the card`() async throws {
    let before = try AppDriver(directory)
    try await before.expect(text: "☆ Panda 1")
    try await before.quit()
    // What was seen last is shown while the first request is under way.
    let app = try AppDriver(directory, source: SilentSource(), columns: 100)
    try await app.expectPicture()
    try await eventually("the first request") { app.app.card.state.request?.purpose == .show }
    app.app.handle([
      .mouse(MouseEvent(.scroll(.up), column: 40, row: 8, modifiers: .control))
    ])
    try await app.expect(text: "%")
    #expect(app.app.card.state.request?.purpose == .announce)
    try await app.quit()
  }
}
