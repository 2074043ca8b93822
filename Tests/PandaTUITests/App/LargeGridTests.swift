import PandaCore
import PandaTestSupport
import Testing

@testable import PandaSession
@testable import PandaTUI
@testable import TerminalKit

/// The grid on a screen with space for hundreds of thumbnails.
@MainActor
@Suite(.timeLimit(.minutes(15))) struct LargeGridTests {
  let directory = TemporaryDirectory()

  @Test func `the smallest thumbnails of a large screen are loaded once`() async throws {
    try await ManyFavorites.save(300, in: directory)
    let app = try AppDriver(directory, columns: 200, rows: 60)
    try await app.expect(favorites: 300)
    try app.press(.view(.grid), .view(.smaller), .view(.smaller))
    try await app.expectAllThumbnails()
    #expect(app.display.canvas.placements.count > 200)
    try app.press(.move(.pageRight))
    try await app.expectAllThumbnails()
    try await app.quit()
  }

  @Test func `small pictures have no labels`() async throws {
    try await ManyFavorites.save(3, in: directory, titled: "Snow falls on the roof of the zoo")
    let app = try AppDriver(directory)
    try await app.expect(favorites: 3)
    try app.press(.view(.grid))
    try await app.expect("labels, and the line about the selected one") {
      $0.lines.count { $0.contains("Snow") } == 2
    }
    for _ in 0..<8 { try app.press(.view(.smaller)) }
    try await app.expect("that line alone") { $0.lines.count { $0.contains("Snow") } == 1 }
    try await app.quit()
  }

  @Test func `a double click opens what it hit, though the grid scrolled under it`() async throws {
    try await ManyFavorites.save(60, in: directory)
    let app = try AppDriver(directory, columns: 80, rows: 31)
    try await app.expect(favorites: 60)
    try app.press(.view(.grid))
    try await app.expectAllThumbnails()
    // The last row is cut off at the end of the screen.
    let place = try #require(app.app.context.carousel.shown.places.last)
    app.click(column: place.rect.column + 1, row: place.rect.row)
    try await app.expect("it has scrolled") { _ in
      app.app.context.carousel.shown.places.last?.id != place.id
        && app.app.context.favorites.selected?.id == place.id
    }
    app.click(column: place.rect.column + 1, row: place.rect.row)
    try await app.expect(text: "Red Panda")
    #expect(app.app.context.card.image?.id == place.id)
    try await app.quit()
  }
}
