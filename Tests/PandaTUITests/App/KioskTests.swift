import Foundation
import PandaCore
import PandaTestSupport
import Pantry
import Testing

@testable import PandaTUI
@testable import TerminalKit

/// `--kiosk`: nothing leaves the screen.
@MainActor
@Suite struct KioskTests {
  private let directory = TemporaryDirectory()
  private let sentence = Sentence.refused(.notInKiosk)

  /// Each command by hand: a new one must be decided here too.
  private static let withheld: Set<Command> = [
    .picture(.open), .picture(.copyAddress), .picture(.copyCredit), .picture(.save),
    .picture(.shareCard), .program(.problem), .program(.suspend), .favorites(.clear),
    .favorites(.markAll),
  ]
  private static let allowed: Set<Command> = [
    .card(.fetch), .card(.back), .favorites(.favorite), .favorites(.remove), .favorites(.undo),
    .favorites(.redo), .view(.nextPane), .favorites(.show), .favorites(.random), .move(.left),
    .move(.right), .move(.up), .move(.down), .move(.first), .move(.last), .move(.pageLeft),
    .move(.pageRight),
    .favorites(.filter), .favorites(.sort), .favorites(.collections), .favorites(.trash),
    .favorites(.caption),
    .favorites(.tags), .picture(.details),
    .view(.grid), .view(.larger), .view(.smaller), .view(.zoom), .favorites(.mark),
    .favorites(.markRange),
    .card(.slideshow), .card(.hide), .card(.party), .card(.sources), .program(.help),
    .program(.cancel), .program(.redraw), .program(.quit),
  ]

  private var configuration: Configuration {
    Configuration(autoAdvance: false, kiosk: true)
  }

  private func key(_ command: Command) throws -> Key {
    try #require(KeyTable.standard[command]?.keys.first)
  }

  @Test func `each command is allowed or not`() {
    #expect(Self.withheld.union(Self.allowed) == Set(Command.allCases))
    for command in Command.allCases {
      #expect(command.entry.isAllowedInKiosk == Self.allowed.contains(command), "\(command)")
    }
    #expect(!Configuration().keyTable.isForKiosk)
  }

  @Test func `a withheld command says so, does nothing, and is not offered`() async throws {
    let panda = try AppDriver(directory, configuration: configuration, columns: 200)
    try await panda.expect(text: "☆ Panda 1 ")
    try panda.press(.favorites(.favorite))
    try await panda.expect(favorites: 1)
    for command in Self.withheld {
      try panda.press(.card(.party))
      try await panda.expect(noText: sentence)
      panda.press(key: try key(command))
      try await panda.expect(text: sentence)
      #expect(panda.app.context.model.dialog == nil)
      try panda.press(.card(.party))
    }
    // Another process asks it to stop.
    try await panda.expect(noText: sentence)
    panda.app.handle([TerminalGuard.Signal.stopRequested])
    try await panda.expect(text: sentence)
    #expect(panda.display.suspendCount == 0 && panda.display.sent.isEmpty)
    let bar = try #require(panda.display.lines.last)
    #expect(bar.contains("q quit") && !bar.contains("o open") && !bar.contains("w save"), "\(bar)")
    let help = try await panda.open(.program(.help), "Fetch another red panda")
    for command in Self.withheld {
      let text = try #require(KeyTable.standard[command]?.help)
      #expect(!help.contains(text))
    }
    panda.type("browser")
    try await panda.expect(text: "No key is about that")
    try panda.press(.program(.cancel))
    try await panda.quit()
  }

  @Test func `an allowed command is not reported as withheld`() async throws {
    let panda = try AppDriver(directory, configuration: configuration)
    try await panda.expect(text: "☆ Panda 1 ")
    for command in Self.allowed where command != .program(.quit) {
      #expect(panda.app.commands.reason(against: command) != sentence, "\(command)")
    }
    try await panda.quit()
  }

  @Test func `rebound keys do not get around the restrictions`() async throws {
    var configuration = configuration
    configuration.keys = [
      .picture(.open): [.character("O")], .program(.suspend): [.character("P")],
    ]
    let panda = try AppDriver(directory, configuration: configuration)
    try await panda.expect(text: "☆ Panda 1 ")
    for key in ["O", "P"] as [Character] {
      panda.press(key: .character(key))
      try await panda.expect(text: sentence)
      try panda.press(.card(.party))
      try await panda.expect(noText: sentence)
    }
    try await panda.quit()
  }

  @Test func `no path of a file is shown`() async throws {
    let folder = directory.url.appending(path: "pictures of me")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try SmallSource.png(1).write(to: folder.appending(path: "wah.png"))
    // Nothing can be saved, which has a cause with a path.
    try Data().write(to: directory.url.appending(path: "data"))
    var configuration = configuration
    configuration.source = .folder(folder.path)
    let panda = try AppDriver(directory, configuration: configuration, columns: 200)
    try await panda.expect(text: "☆ wah")
    let details = try await panda.open(.picture(.details), "SHA-256")
    #expect(!details.contains("file:") && !details.contains(directory.url.lastPathComponent))
    try panda.press(.picture(.details))
    panda.app.context.say(.problem("\(directory.path("data/favorites.sqlite")) is damaged"))
    try await panda.expect(text: "favorites.sqlite is damaged")
    #expect(!panda.display.text.contains(directory.url.lastPathComponent))
    try await panda.quit()
  }

  @Test(arguments: [
    ("/home/wah/favorites.sqlite is damaged", "favorites.sqlite is damaged"),
    ("It is https://zoo.example/a/b", "It is https://zoo.example/a/b"),
    ("'~/a/b': no", "b': no"), ("no  path / here", "no  path  here"),
  ])
  func `a path is shortened to its last component`(_ text: String, _ short: String) {
    #expect(text.withoutPaths == short)
  }

  // MARK: Plain mode

  @Test func `plain mode withholds the same words and keys`() async throws {
    final class Lines { var all: [PlainLine] = [] }
    let lines = Lines()
    let library = ImageLibrary(favorites: .loadingInBackground(storage: MemoryStorageEngine()))
    let session = PlainSession(
      ImagesController(library: library, source: SmallSource()), in: directory,
      configuration: configuration
    ) { lines.all.append($0) }
    await session.begin()
    let words = CommandLineTable.plain.subcommands.map(\.name)
    let allowed = words.filter { $0.screenCommand.map(Self.allowed.contains) == true }
    for word in words where word != .quit {
      let isAllowed = allowed.contains(word)
      let own = word.screenCommand.flatMap { $0.rawValue == word.rawValue ? $0 : nil }
      let key = try own.map(key).map(\.label) ?? ""
      // Alone and with something behind it, its key, its help.
      for line in [word.rawValue, "\(word.rawValue) x", key, "help \(word.rawValue)"] {
        lines.all = []
        await session.handle(.text(line))
        let isRefused = lines.all.contains(.failure("\(sentence)."))
        #expect(isRefused == (!isAllowed && !line.isEmpty), "\(line): \(lines.all)")
      }
    }
    for (line, count) in [("help", 8 + 2), ("help all", allowed.count - 8 + 1)] {
      lines.all = []
      await session.handle(.text(line))
      #expect(lines.all.count == count, "\(lines.all)")
    }
    await session.finish()
  }
}
