import Foundation
import PandaCore
import PandaTestSupport
import Pantry

@testable import PandaSession
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
  private let client: HTTPClient
  private let running: Task<Void, Never>
  private var live: (app: PandaApp, library: ImageLibrary)?

  /// The program; only until it has ended.
  var app: PandaApp {
    guard let live else { preconditionFailure("the program has ended") }
    return live.app
  }

  /// Starts the program on a data directory.
  ///
  /// - Parameters:
  ///   - library: the favorites; nil for those in the directory.
  ///   - source: where pictures come from; nil for the one that the configuration names, or, if it
  ///     names none, small ones without end.
  ///   - fallback: what draws while `source` is slow.
  ///   - showsPictures: whether pictures are drawn; otherwise words stand for them.
  ///   - output: shows the pictures.
  ///   - environment: what the environment says about the terminal.
  ///   - log: the log to write.
  ///   - settingsIgnored: what is wrong in the configuration file.
  ///   - frame: a picture frame to begin with.
  ///   - picking: what the screen is for, if it is only for choosing.
  init(
    _ directory: TemporaryDirectory, library: ImageLibrary? = nil,
    source: (any ImageSource)? = nil,
    fallback: (any ImageSource)? = nil, configuration: Configuration = Configuration(),
    columns: Int = 120, rows: Int = 30, showsPictures: Bool = true,
    output: any PictureOutput = BitmapOutput(),
    environment: [String: String] = ["TERM": "xterm-256color"], log: WrittenLog? = nil,
    settingsIgnored: [ConfigurationProblem] = [], frame: SlideshowRequest? = nil,
    picking: Picking? = nil
  ) throws {
    guard setlocale(LC_CTYPE, "C.UTF-8") != nil else { throw TestFailure("no UTF-8 locale") }
    display = CanvasDisplay(
      columns: columns, rows: rows, output: showsPictures ? output : nil)
    let written = log?.log ?? .off
    client = HTTPClient(userAgent: "panda-tests", log: written)
    let library =
      library
      ?? ImageLibrary(
        in: StorageDirectory(url: directory.url.appending(path: "data")),
        now: { TestClock.start })
    let sources =
      if source == nil, configuration.source != .automatic {
        try PictureSources(configuration, library: library, client: client, log: written)
      } else {
        PictureSources(source ?? SmallSource(), fallback: fallback)
      }
    let profile = TerminalProfile(
      environment: TerminalEnvironment(environment), isUnicode: true)
    let session = Session(
      in: directory, configuration: configuration, problems: settingsIgnored,
      environment: profile.environment, output: Output(log: written),
      logFailures: log?.failureStream ?? AsyncStream { $0.finish() }, library: library,
      sources: sources)
    let terminal = DetectedTerminal(
      profile: profile, input: EarlyInput(), option: .auto, symbols: .auto)
    let app = try PandaApp(
      session, terminal, frame: frame, picking: picking, on: display, clock: clock)
    live = (app, library)
    running = Task { [app] in await app.run() }
  }

  // MARK: Input

  /// Presses the first key of each command, as the key table has it.
  func press(_ commands: Command...) throws {
    for command in commands {
      guard let key = app.context.keys[command]?.keys.first else {
        throw TestFailure("\(command) has no key")
      }
      press(key: key)
    }
  }

  /// Presses a key.
  func press(key: Key) { app.handle([.key(key)]) }

  /// Presses the key of a command, and waits for its dialog.
  ///
  /// A command that needs the favorites is done when they have been read.
  @discardableResult
  func open(_ command: Command, _ text: String) async throws -> String {
    try press(command)
    return try await expect(text: text)
  }

  /// Types text, one key after another.
  func type(_ text: String) { app.handle(text.map { .key(.character($0)) }) }

  /// Types text into what is open, and Enter after it.
  func enter(_ text: String) {
    type(text)
    press(key: .enter)
  }

  /// Pastes text.
  func paste(_ text: String) { app.handle([.paste(text)]) }

  /// Clicks with the left button on a cell.
  func click(column: Int, row: Int, with modifiers: KeyModifiers = []) {
    for kind in [MouseEvent.Kind.press(.left), .release(.left)] {
      app.handle([
        .mouse(MouseEvent(kind, column: column, row: row, modifiers: modifiers))
      ])
    }
  }

  /// Waits until a text is on the screen, and clicks on its first cell.
  func click(text: String) async throws {
    try await expect(text: text)
    let lines = display.lines
    for (row, line) in lines.enumerated() {
      guard let place = line.range(of: text) else { continue }
      return click(column: String(line[..<place.lowerBound]).columns, row: row)
    }
    throw TestFailure("\(text) is gone.")
  }

  /// Clicks twice, as fast as can be, and waits until another click is a single one.
  func doubleClick(column: Int, row: Int) {
    click(column: column, row: row)
    click(column: column, row: row)
    clock.advance(by: ClickCounter.patience * 2)
  }

  /// Turns the wheel over a cell.
  func scroll(_ direction: MouseEvent.Direction, column: Int, row: Int) {
    app.handle([.mouse(MouseEvent(.scroll(direction), column: column, row: row))])
  }

  /// Changes the window's size.
  ///
  /// - Parameter rests: whether the pause passes after which the screen follows.
  func resize(columns: Int, rows: Int, rests: Bool = true) {
    display.size = CellSize(columns: columns, rows: rows)
    app.handle(Set([TerminalGuard.Signal.resized]))
    if rests { clock.advance(by: PandaApp.resizePause) }
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
  func expect(_ what: String, _ condition: (CanvasDisplay) -> Bool) async throws -> String {
    do {
      try await eventually(what) { condition(display) }
    } catch {
      throw TestFailure("\(error); the screen is\n\(display.text)")
    }
    return display.text
  }

  /// Waits for a frame that nothing on the screen asks for; then it is known what that waits for.
  func expectAnotherFrame() async throws {
    let count = display.frameCount
    app.context.invalidate()
    try await expect("another frame") { $0.frameCount > count }
  }

  /// Waits for the title of the carousel.
  @discardableResult
  func expect(favorites count: Int) async throws -> String {
    try await expect("\(count) favorites in the title") {
      // Where the title has more to say, a star stands for the word.
      $0.text.contains("Favorites (\(count))") || $0.text.contains("─ ★ \(count) ·")
    }
  }

  /// Leaves the filter or the trash by Esc; the carousel must have the keyboard.
  func cancel(expecting favorites: Int) async throws {
    try press(.program(.cancel))
    try await expect(favorites: favorites)
  }

  /// Waits until a picture is on the card, and not only words about one.
  func expectPicture() async throws {
    try await expect("a picture on the card") { _ in cardPicture != nil }
  }

  /// Waits until so many thumbnails are in the carousel.
  func expectThumbnails(_ count: Int) async throws {
    try await expect("\(count) thumbnails in the carousel") { display in
      display.canvas.placements.count { isPlaced($0, in: app.context.layout.carousel) } == count
    }
  }

  /// The picture that is drawn on the card.
  var cardPicture: (any PreparedPicture)? {
    display.canvas.placements.first { isPlaced($0, in: app.context.layout.picture) }?.picture
  }

  private func isPlaced(_ placement: Canvas.Placement, in area: CellRect?) -> Bool {
    let corner = CellPoint(column: placement.rect.column, row: placement.rect.row)
    return area?.contains(corner) == true
  }

  /// What the line under the picture says of it.
  var shown: String {
    let line = display.lines.first { $0.contains("☆") || $0.contains("★") } ?? ""
    let words = line.drop { !"☆★".contains($0) }.dropFirst(2)
    let end = [words.firstRange(of: "  "), words.firstRange(of: " ·")].compactMap { $0 }
      .map(\.lowerBound).min()
    return String(words[..<(end ?? words.endIndex)])
  }

  /// Waits until another picture is on the card, and returns what is said of it.
  @discardableResult
  func expectOther(than former: String) async throws -> String {
    try await expect("another panda than “\(former)”") { _ in
      !shown.isEmpty && shown != former
    }
    return shown
  }

  /// Favorites so many pandas, each when it is on the card; `former` are there already.
  func favorite(_ count: Int, after former: Int = 0) async throws {
    for number in (former + 1)...(former + count) {
      try await expect(text: "☆")
      try press(.favorites(.favorite))
      try await expect(favorites: number)
      // Then the next one comes.
      try await expect(text: Sentence.added)
      clock.advance(by: CardPresenter.starDelay)
    }
  }

  // MARK: The end

  /// Quits, and waits until everything is saved; the next program reads it from the disk.
  func quit() async throws {
    try press(.program(.quit))
    // A dialog that is open would have taken the key as text.
    try await expect("the end") { _ in app.context.hasEnded }
    await end()
  }

  /// Waits until no part of an earlier program has the favorites open: it would keep what it knows.
  static func fileIsClosed(in directory: TemporaryDirectory) async throws {
    let path = directory.path("data/favorites.sqlite")
    try await eventually("the file is closed") {
      let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
      return !descriptors.contains { descriptor in
        let target = try? FileManager.default.destinationOfSymbolicLink(  // nil: just closed
          atPath: "/proc/self/fd/\(descriptor)")
        return target?.hasPrefix(path) == true
      }
    }
  }

  /// Ends the program as a hangup of the terminal does.
  func hangUp() async {
    app.context.quit()
    await end()
  }

  /// Waits for the end of a program that has been quit.
  func end() async {
    await running.value
    // What is remembered in memory goes with the program.
    live = nil
    await client.close()
  }
}
