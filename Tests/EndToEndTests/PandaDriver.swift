import Foundation
import PandaTestSupport

@testable import PandaSession
@testable import TerminalKit

/// The real program in a real terminal, with keys by what they ask for.
struct PandaDriver {
  let tmux: Tmux

  /// Starts the program on a data directory.
  init(
    _ directory: TemporaryDirectory, source: String, arguments: [String] = [],
    columns: Int = 100, rows: Int = 30, environment: [String] = []
  ) throws {
    tmux = try Tmux(
      BuildProducts.path(of: "panda"),
      ["--source", source, "--data-dir", directory.path("data")] + arguments,
      environment: [
        "XDG_CACHE_HOME=\(directory.path("cache"))", "XDG_STATE_HOME=\(directory.path("state"))",
        "XDG_CONFIG_HOME=\(directory.path("config"))",
      ] + environment,
      columns: columns, rows: rows)
  }

  /// Presses the first key of a command, as the key table has it.
  func press(_ commands: Command...) throws {
    for command in commands {
      guard let key = KeyTable.standard[command]?.keys.first else {
        throw TestFailure("\(command) has no key")
      }
      try tmux.press(key.tmuxName)
    }
  }

  /// Writes the configuration file that a driver on this directory reads.
  static func configure(_ directory: TemporaryDirectory, _ settings: String) throws {
    let folder = directory.url.appending(path: "config/panda")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(settings.utf8).write(to: folder.appending(path: "config.json5"))
  }

  /// Presses the key of a command, and waits for its dialog.
  ///
  /// A command that needs the favorites is done when they have been read.
  func open(_ command: Command, _ text: String) async throws {
    try press(command)
    try await tmux.expect(text: text)
  }

  /// Favorites so many pandas, each when it is on the card; `former` are there already.
  func favorite(_ count: Int, after former: Int = 0) async throws {
    for number in (former + 1)...(former + count) {
      let title = Self.title(in: try await tmux.expect(text: "☆"))
      try press(.favorites(.favorite))
      try await expect(favorites: number)
      // The count may be there before the star of the same frame: a second key would mean "next".
      try await tmux.expect("the star of panda \(number)") { Self.title(in: $0) != title }
    }
  }

  /// The title on the card, with its star.
  private static func title(in screen: ScreenText) -> Substring? {
    screen.lines.lazy.compactMap { line in
      line.firstIndex { $0 == "☆" || $0 == "★" }.map { line[$0...].prefix { $0 != "│" } }
    }.first
  }

  /// Clicks with the left button on a cell counted from 0.
  func click(column: Int, row: Int) throws {
    try tmux.type("\u{1B}[<0;\(column + 1);\(row + 1)M\u{1B}[<0;\(column + 1);\(row + 1)m")
  }

  /// Waits for the title of the carousel.
  @discardableResult
  func expect(favorites count: Int) async throws -> ScreenText {
    try await tmux.expect(text: "Favorites (\(count))")
  }

  /// Waits until a picture is on the card.
  ///
  /// A sketch, which can be neither kept nor copied, has no star.
  @discardableResult
  func expectPicture() async throws -> ScreenText {
    try await tmux.expect("a picture on the card") { screen in
      Self.title(in: screen) != nil && coloredCells(screen, in: .card) > 100
    }
  }

  /// Waits until thumbnails are in the carousel.
  @discardableResult
  func expectThumbnails() async throws -> ScreenText {
    try await tmux.expect("thumbnails in the carousel") { coloredCells($0, in: .carousel) > 30 }
  }

  enum Pane { case card, carousel }

  /// How many cells of a pane have a color of their own, as pictures have.
  func coloredCells(_ screen: ScreenText, in pane: Pane) -> Int {
    // The carousel is beside the card, or below it on a narrow screen.
    let column = screen.lines.first?.firstIndex(of: "┬").map {
      screen.lines[0].distance(from: screen.lines[0].startIndex, to: $0)
    }
    let row = screen.lines.firstIndex { $0.hasPrefix("├─ ") }
    return screen.cells.enumerated().reduce(0) { sum, line in
      sum
        + line.element.enumerated().count { place, cell in
          guard case .rgb = cell.background else { return false }
          let isCard = column.map { place < $0 } ?? (line.offset < row ?? screen.lines.count)
          return isCard == (pane == .card)
        }
    }
  }

  /// Kills the program, and waits until it is gone.
  func killed() async throws {
    try tmux.kill()
    let exit = try await tmux.waitForExit()
    guard exit == .signalled(9) else { throw TestFailure("panda ended with \(exit)") }
  }

  /// Quits, and checks that the program said so with status 0.
  func quit() async throws {
    try press(.program(.quit))
    let exit = try await tmux.waitForExit()
    guard exit == .exited(0) else { throw TestFailure("panda ended with \(exit)") }
  }
}

extension TerminalKit.Key {
  /// The key as tmux calls it.
  var tmuxName: Tmux.Key {
    switch self {
    case .character(" "): .space
    case .character(let character): Tmux.Key(stringLiteral: String(character))
    case .control(let character): Tmux.Key(stringLiteral: "C-\(character)")
    case .enter: .enter
    case .tab: .tab
    case .backTab: .backTab
    case .escape: .escape
    case .backspace: .backspace
    case .delete: .delete
    case .up: .up
    case .down: .down
    case .left: .left
    case .right: .right
    case .home: .home
    case .end: .end
    case .pageUp: .pageUp
    case .pageDown: .pageDown
    default: Tmux.Key(stringLiteral: label)
    }
  }
}

/// Pictures to serve: a PNG and a JPEG, both red pandas of the grove.
enum ServedPictures {
  static func all() throws -> [Data] {
    guard let jpeg = Bundle.module.url(forResource: "Fixtures/panda", withExtension: "jpg"),
      let png = Bundle.module.url(forResource: "Fixtures/panda", withExtension: "png")
    else { throw TestFailure("The pictures are missing.") }
    return [try Data(contentsOf: jpeg), try Data(contentsOf: png)]
  }
}
