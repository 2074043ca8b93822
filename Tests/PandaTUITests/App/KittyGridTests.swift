import PandaTestSupport
import Testing

@testable import PandaSession
@testable import PandaTUI
@testable import TerminalKit

/// The grid in kitty, which holds few images at a time.
@MainActor
@Suite(.timeLimit(.minutes(15))) struct KittyGridTests {
  let directory = TemporaryDirectory()
  private let smallest = ViewCommands.noOtherSize(isLarger: false)

  @Test func `in kitty no thumbnail is blank, however many were scrolled past`() async throws {
    try await ManyFavorites.save(300, in: directory)
    let output = KittyOutput(
      .placeholders(repeatsCharacters: true), images: KittyImages(route: .direct),
      readsFiles: false)
    let app = try AppDriver(directory, columns: 200, rows: 60, output: output)
    let display = app.display
    var (blankCount, shown) = (0, display.canvas)
    display.onPresent = {
      var bytes: [UInt8] = []
      output.beginFrame(into: &bytes)
      for placement in display.canvas.placements {
        let picture = placement.picture
        bytes = []
        picture.draw(
          CellRect(picture.size), at: CellPoint(column: 0, row: 0), into: &bytes)
        if bytes.isEmpty { blankCount += 1 }
      }
      // The pictures of the last frame are held until they are replaced.
      shown = display.canvas
    }
    try await app.expect(favorites: 300)
    try app.press(.view(.grid), .view(.smaller), .view(.smaller))
    try await app.expectAllThumbnails()
    for command in [
      Command.move(.pageRight), .move(.pageRight), .move(.last), .move(.pageLeft), .move(.first),
    ] {
      try app.press(command)
      try await app.expectAllThumbnails()
    }
    #expect(blankCount == 0)
    #expect(shown.placements.count > 50)
    display.onPresent = {}
    // Each key changes the size, or says that it cannot.
    try app.press(.move(.first))
    var count = 0
    repeat {
      count = shown.placements.count
      try app.press(.view(.smaller))
      try await app.expect("another size, or a word") {
        $0.text.contains(smallest) || $0.canvas.placements.count > count
      }
      try await app.expectAllThumbnails()
      shown = display.canvas
    } while shown.placements.count > count
    #expect(display.text.contains(smallest))
    try await app.quit()
  }
}
