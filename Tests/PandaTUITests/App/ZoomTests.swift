import PandaCore
import PandaTestSupport
import PictureCodecs
import Testing

@testable import PandaSession
@testable import PandaTUI
@testable import TerminalKit

/// A picture on the whole screen.
@MainActor
@Suite(.timeLimit(.minutes(15))) struct ZoomTests {
  let directory = TemporaryDirectory()

  @Test func `the picture fills the screen, zooms and pans, and closes`() async throws {
    let app = try AppDriver(directory, columns: 100)
    try await app.expectPicture()
    try app.press(.view(.zoom))
    try await app.expect(text: "%")
    try await app.expectPicture()
    #expect(!app.display.text.contains("Favorites"))
    let fitted = try #require(app.app.context.zoom.state)
    #expect(fitted.isFitted)
    try app.press(.view(.larger), .view(.larger))
    #expect(try #require(app.app.context.zoom.state).scale > fitted.scale)
    let before = try #require(app.app.context.zoom.state).region
    try app.press(.move(.right), .move(.down))
    let after = try #require(app.app.context.zoom.state).region
    #expect(after.x > before.x && after.y > before.y)
    try app.press(.view(.zoom))
    #expect(try #require(app.app.context.zoom.state).isFitted)
    try app.press(.program(.cancel))
    try await app.expect(text: "Favorites (0)")
    try await app.quit()
  }

  @Test func `the wheel with ctrl enlarges at the pointer, dragging moves, and the wheel ends it`()
    async throws
  {
    let app = try AppDriver(directory, columns: 100)
    try await app.expectPicture()
    let point = (column: 40, row: 8)
    func wheel(_ direction: MouseEvent.Direction, _ modifiers: KeyModifiers = []) {
      app.app.handle([
        .mouse(
          MouseEvent(
            .scroll(direction), column: point.column, row: point.row, modifiers: modifiers))
      ])
    }
    wheel(.down, .control)
    #expect(!app.app.context.zoom.isOpen, "there is nothing to make smaller")
    wheel(.up, .control)
    try await app.expect(text: "%")
    wheel(.up)
    let before = try #require(app.app.context.zoom.state).region
    for (kind, column) in [(MouseEvent.Kind.press(.left), 50), (.drag(.left), 45)] {
      app.app.handle([.mouse(MouseEvent(kind, column: column, row: 10))])
    }
    #expect(try #require(app.app.context.zoom.state).region.x > before.x)
    for _ in 0..<3 { wheel(.down) }
    try await app.expect(text: "Favorites (0)")
    try await app.quit()
  }

  @Test func `a slideshow pauses when the wheel zooms`() async throws {
    let app = try AppDriver(directory, columns: 100)
    try await app.favorite(3)
    try app.press(.view(.nextPane), .card(.slideshow))
    try await app.expect(text: "any key pause")
    app.app.handle([.mouse(MouseEvent(.scroll(.up), column: 40, row: 8, modifiers: .control))])
    #expect(app.app.context.zoom.isOpen && !app.app.context.model.slideshow.isRunning)
    try app.press(.program(.cancel), .program(.cancel))
    try await app.quit()
  }

  @Test func `from the carousel, arrows show the next favorites as long as all is seen`()
    async throws
  {
    let app = try AppDriver(directory, columns: 100)
    try await app.favorite(3)
    try app.press(.view(.nextPane), .view(.zoom))
    try await app.expect(text: "Panda 3")
    try app.press(.move(.right))
    try await app.expect(text: "Panda 2")
    try app.press(.view(.zoom), .view(.zoom), .program(.cancel))
    try await app.expect(favorites: 3)
    #expect(app.app.context.favorites.selected?.title == "Panda 2")
    // Once the shown one is gone, its neighbor is the next one.
    try app.press(.move(.first), .view(.zoom))
    try await app.expect(text: "Panda 3")
    let shown = try #require(app.app.context.zoom.image)
    _ = try await app.app.context.card.controller.library.remove([shown])
    try await app.expect("its removal") { _ in app.app.context.favorites.list.count == 2 }
    try app.press(.move(.right))
    try await app.expect(text: "Panda 2")
    // The way out stays in view.
    app.resize(columns: 20, rows: 8)
    try await app.expect(text: " esc")
    try app.press(.program(.cancel))
    try await app.quit()
  }

  @Test func `without pictures there is nothing to enlarge`() async throws {
    let app = try AppDriver(directory, showsPictures: false)
    try await app.expect(text: "☆")
    try await app.open(.view(.zoom), "This terminal shows no pictures")
    try await app.quit()
  }

  /// Everything from a usual window to that of a telephone.
  @Test(arguments: [(120, 40), (80, 24), (76, 16), (60, 40), (60, 16), (50, 22)], [false, true])
  func `details dock beside the picture where they fit`(
    _ size: (columns: Int, rows: Int), isEnlarged: Bool
  ) async throws {
    let app = try AppDriver(directory, columns: size.columns, rows: size.rows)
    try await app.expectPicture()
    if isEnlarged {
      try app.press(.view(.zoom))
      try await app.expect(text: "pixels")
    }
    try await app.open(.picture(.details), "Details")
    try await app.expectPicture()
    try await app.expect("a picture of which nothing is covered") { shown in
      let canvas = shown.canvas
      let seen = canvas.pictureParts.reduce(0) { $0 + $1.cells.columns * $1.cells.rows }
      let drawn = canvas.placements.reduce(0) { $0 + $1.rect.columns * $1.rect.rows }
      return drawn > 0 && seen == drawn
    }
    #expect(app.display.lines.last?.contains("esc") == true)
    try app.press(.program(.cancel))
    try await app.expect(noText: "Details")
    try await app.quit()
  }
}
