import Foundation
import PandaCore
import PandaTestSupport
import Pantry
import PictureCodecs

@testable import PandaTUI
@testable import TerminalKit

/// The whole program in this process, with keys by what they ask for.
///
/// The stores are on a real file. The terminal is a canvas in memory, the clock stands until a test
/// advances it, and pictures come from a source that answers at once.
@MainActor
final class AppDriver {
  let display: CanvasDisplay
  let clock = TestClock()
  let app: PandaApp
  let library: ImageLibrary
  private let running: Task<Void, Never>

  /// Starts the program on a data directory.
  ///
  /// - Parameters:
  ///   - source: where pictures come from; nil for small ones without end.
  ///   - fallback: what draws while the source is slow.
  ///   - showsPictures: whether pictures are drawn, by symbols; otherwise words stand for them.
  init(
    _ directory: TemporaryDirectory, source: (any ImageSource)? = nil,
    fallback: (any ImageSource)? = nil, configuration: Configuration = Configuration(),
    columns: Int = 100, rows: Int = 30, showsPictures: Bool = true,
    environment: [String: String] = ["TERM": "xterm-256color"]
  ) throws {
    guard setlocale(LC_CTYPE, "C.UTF-8") != nil else { throw TestFailure("no UTF-8 locale") }
    display = CanvasDisplay(
      columns: columns, rows: rows,
      output: showsPictures ? SymbolOutput(symbols: .quadrants) : nil)
    library = ImageLibrary(in: StorageDirectory(url: directory.url.appending(path: "data")))
    let profile = TerminalProfile(
      environment: TerminalEnvironment(environment), isUnicode: true)
    app = try PandaApp(
      PandaApp.Parts(
        library: library,
        sources: PictureSources(source ?? SmallSource(), fallback: fallback),
        thumbnails: ThumbnailCache(
          directory: StorageDirectory(url: directory.url.appending(path: "cache"))),
        configuration: configuration,
        remembered: Remembered(in: StorageDirectory(url: directory.url.appending(path: "state"))),
        terminal: DetectedTerminal(
          profile: profile, input: EarlyInput(), option: .auto, symbols: .auto)),
      on: display, clock: clock)
    running = Task { [app] in await app.run() }
  }

  // MARK: Input

  /// Presses the first key of a command, as the key table has it.
  func press(_ commands: Command...) throws {
    for command in commands {
      guard let key = app.keys[command]?.keys.first else {
        throw TestFailure("\(command) has no key")
      }
      press(key)
    }
  }

  func press(_ keys: Key...) { app.handle(keys.map { .key($0) }) }

  /// Types text, one key after another.
  func type(_ text: String) { app.handle(text.map { .key(.character($0)) }) }

  /// Types text into what is open, and Enter after it.
  func enter(_ text: String) {
    type(text)
    press(.enter)
  }

  /// Clicks with the left button on a cell.
  func click(column: Int, row: Int) {
    for kind in [MouseEvent.Kind.press(.left), .release(.left)] {
      app.handle([.mouse(MouseEvent(kind, column: column, row: row))])
    }
  }

  /// Turns the wheel over a cell.
  func scroll(_ direction: MouseEvent.Direction, column: Int, row: Int) {
    app.handle([.mouse(MouseEvent(.scroll(direction), column: column, row: row))])
  }

  // MARK: Output

  /// Waits until a text is on the screen, and returns the screen's text.
  @discardableResult
  func expect(text: String) async throws -> String {
    try await expect("“\(text)” on the screen") { $0.text.contains(text) }
  }

  /// Waits until a text is no longer on the screen.
  @discardableResult
  func expect(noText text: String) async throws -> String {
    try await expect("no “\(text)” on the screen") { !$0.text.contains(text) }
  }

  /// Waits until the screen is as it should be.
  @discardableResult
  func expect(
    _ what: String, _ condition: @escaping (CanvasDisplay) -> Bool
  ) async throws -> String {
    do {
      try await eventually(what) { condition(display) }
    } catch {
      throw TestFailure("\(error); the screen is\n\(display.text)")
    }
    return display.text
  }

  /// Waits for the title of the carousel.
  @discardableResult
  func expect(favorites count: Int) async throws -> String {
    try await expect(text: "Favorites (\(count))")
  }

  /// Waits until a picture is on the card, and not only words about one.
  func expectPicture() async throws {
    try await expect("a picture on the card") { !$0.canvas.placements.isEmpty }
  }

  /// Favorites so many pandas, each when it is on the card; `former` are there already.
  func favorite(_ count: Int, after former: Int = 0) async throws {
    for number in (former + 1)...(former + count) {
      try await expect(text: "☆")
      try press(.favorite)
      try await expect(favorites: number)
      // Then the next one comes.
      try await expect(text: "Added to your favorites")
      clock.advance(by: CardPresenter.starDelay)
    }
  }

  /// Quits, and waits until everything is saved.
  func quit() async throws {
    try press(.quit)
    await running.value
  }

  /// Ends the program as a hangup of the terminal does.
  func hangUp() async {
    app.quit()
    await running.value
  }
}
