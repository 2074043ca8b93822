import Foundation

@testable import PandaCore
@testable import PandaSession
@testable import PandaTUI
@testable import Pantry
@testable import TerminalKit
import PandaTestSupport
import Testing

/// How Panda bears a home that cannot be written, or that others can reach.
@MainActor
@Suite struct HostileHomeTests {
  private let directory = TemporaryDirectory()
  private var data: StorageDirectory {
    StorageDirectory(url: directory.url.appending(path: "data"))
  }

  // MARK: A configuration with mistakes

  @Test func `one key lists every ignored setting, whatever else went wrong`() async throws {
    let problems = Configuration.read(text: "{ a: 1,\n b: 2,\n c: 3 }").problems
    let panda = try AppDriver(directory, settingsIgnored: problems)
    try await panda.expect(text: "\(problems[0]) (and 2 more: ! shows them)")
    try await panda.expect(text: "! why")
    for _ in 1...2 {
      try await panda.open(.program(.problem), ProgramCommands.troubleTitle)
      for problem in problems { try await panda.expect(text: "\(problem)") }
      try panda.press(.program(.problem))
      panda.app.context.fail("Not saved", HTTPError(.hostNotFound, host: "zoo.example"))
    }
    try await panda.quit()
  }

  // MARK: Nothing can be saved

  @Test func `fault 41: with a file where the home should be, all works until quitting`()
    async throws
  {
    try Data().write(to: directory.url.appending(path: "data"))
    try Data().write(to: directory.url.appending(path: "state"))
    try Data().write(to: directory.url.appending(path: "cache"))
    let panda = try AppDriver(directory, configuration: Configuration(autoAdvance: false))
    try await panda.expect(text: StorageWords.notSaved)
    try await panda.expect(text: "Favorites (0) · not saved")
    try await panda.expect(text: "! why")
    try await panda.open(.program(.problem), StorageWords.remedy)
    let trouble = try #require(panda.app.context.model.trouble)
    #expect(trouble.sentence.hasSuffix("/data could not be created: it is a file, not a directory"))
    #expect(!trouble.cause.contains("Cocoa") && !trouble.cause.contains("SQLite"))
    try panda.press(.program(.problem))
    try await panda.expect(text: "☆ Panda 1 ")
    try panda.press(.favorites(.favorite))
    try await panda.expect(text: "Favorites (1) · not saved")
    try await panda.expectThumbnails(1)
    try panda.press(.view(.nextPane))
    try await panda.open(.favorites(.caption), FavoritesCommands.captionNote)
    panda.enter("Mei")
    try await panda.expect(text: Sentence.done(.captioned("Mei", count: 1, isCut: false)))
    try panda.press(.favorites(.remove))
    try await panda.expect(favorites: 0)
    try panda.press(.favorites(.undo))
    try await panda.expect(favorites: 1)
    try panda.press(.favorites(.sort), .card(.party))
    let library = panda.app.context.session.library
    #expect(await library.hasUnsavedChanges)
    try await panda.quit()
  }

  /// The library of the directory, as if that could not be written.
  private func unsavedLibrary() throws -> ImageLibrary {
    let file = try SQLiteStorageEngine(
      directory: data, databaseFilename: "favorites.sqlite", readOnly: true)
    let engine = UnsavedEngine(
      over: file, reason: .cannotWrite(path: "/media/cd", reason: "the file system is read-only"),
      namespace: "RemoteImage")
    return ImageLibrary(favorites: .images(on: engine))
  }

  @Test func `fault 74: favorites on a read-only file system are shown, and new ones kept`()
    async throws
  {
    let before = try AppDriver(directory)
    try await before.favorite(2)
    try await before.quit()
    let panda = try AppDriver(
      directory, library: unsavedLibrary(), source: SmallSource(first: 101),
      configuration: Configuration(autoAdvance: false))
    try await panda.expect(text: "Favorites (2) · not saved")
    try await panda.expectThumbnails(2)
    try await panda.expect(text: "☆ Panda 101 ")
    try panda.press(.favorites(.favorite))
    try await panda.expect(favorites: 3)
    // They slide to their places.
    panda.clock.advance(by: .seconds(1))
    try await panda.expectThumbnails(3)
    try panda.press(.view(.nextPane), .move(.last), .favorites(.remove))
    try await panda.expect(favorites: 2)
    try await panda.open(
      .program(.problem), "/media/cd cannot be written: the file system is read-only")
    let library = panda.app.context.session.library
    let reason = try #require(library.reasonNotSaved)
    #expect(await panda.app.context.loss() == StorageWords.lost(because: reason))
    try panda.press(.program(.problem))
    try await panda.quit()
    let again = try AppDriver(directory)
    try await again.expect(favorites: 2)
    #expect(!again.display.text.contains("not saved"))
    try await again.quit()
  }

  @Test func `fault 74: a later failure does not hide why nothing is saved`() async throws {
    try Data().write(to: directory.url.appending(path: "data"))
    let panda = try AppDriver(
      directory,
      configuration: Configuration(
        source: .endpoint(URL(string: "http://panda.invalid/random/json")!)))
    try await panda.expect("the badge in the corner") { $0.lines[0].contains("offline ─") }
    try await panda.expectPicture()
    let screen = try await panda.open(
      .program(.problem), StorageWords.remedy)
    #expect(screen.contains("why  panda.invalid"))
    try panda.press(.program(.problem))
    try await panda.expect(noText: "cause")
    try await panda.quit()
  }

  // MARK: A name too many

  @Test func `fault 52: a hard-linked database is refused, with the command that cures it`()
    async throws
  {
    do {
      let before = try AppDriver(directory)
      try await before.favorite(1)
      try await before.quit()
    }
    try await AppDriver.fileIsClosed(in: directory)
    let path = directory.path("data/favorites.sqlite")
    try #require(link(path, directory.path("second.sqlite")) == 0)
    let panda = try AppDriver(directory)
    try await panda.expect(text: Sentence.beginning(of: StorageWords.unreadable))
    try await panda.open(.program(.problem), ProgramCommands.troubleTitle)
    let sentence = try #require(panda.app.context.model.trouble?.sentence)
    #expect(sentence.contains("a hard link") && sentence.contains(" && cp -p "))
    try panda.press(.program(.problem))
    try await panda.quit()
    try #require(unlink(directory.path("second.sqlite")) == 0)
    let again = try AppDriver(directory)
    try await again.expect(favorites: 1)
    try await again.quit()
  }

  // MARK: Others

  @Test func `fault 55: favorites that others could read are made private, with one notice`()
    async throws
  {
    let before = try AppDriver(directory)
    try await before.favorite(1)
    try await before.quit()
    let path = directory.path("data/favorites.sqlite")
    try #require(chmod(path, 0o644) == 0)
    let sentence = "Other users of this computer could read your favorites; now only you can"
    let panda = try AppDriver(directory)
    try await panda.expect(text: sentence)
    try await panda.expect(favorites: 1)
    #expect(mode(path) == 0o600)
    try await panda.quit()
    let again = try AppDriver(directory)
    try await again.expect(favorites: 1)
    #expect(!again.display.text.contains(sentence))
    try await again.quit()
    // A group that shares its favorites still can.
    try #require(chmod(path, 0o660) == 0)
    let shared = try AppDriver(directory)
    try await shared.expect(favorites: 1)
    #expect(mode(path) == 0o660)
    try await shared.quit()
  }

  @Test func `fault 55: a world-writable directory is left alone, with one notice`() async throws {
    let place = directory.path("data")
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
    try #require(chmod(place, 0o777) == 0)
    let panda = try AppDriver(directory)
    try await panda.expect(text: "Every user of this computer may write to the directory of your")
    try await panda.expect(favorites: 0)
    #expect(mode(place) == 0o777)
    try await panda.app.context.remembered.warnedDirectory.flush()
    try await panda.quit()
    let again = try AppDriver(directory)
    try await again.expect(favorites: 0)
    #expect(again.app.context.model.message == nil)
    try await again.quit()
  }

  private func mode(_ path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
  }

  // MARK: A lock

  @Test func `fault 79: a locked file delays no panda, and is tried again by itself`()
    async throws
  {
    let lock = try await LockedFavorites(in: directory, patience: 20)
    let panda = try AppDriver(directory, source: SmallSource(first: 101))
    try await panda.expect(text: lockedMessage)
    panda.clock.advance(by: CardPresenter.headStart)
    try await panda.expect(text: "☆ Panda 101 ")
    panda.clock.advance(by: FavoritesLoading.lockedWait)
    try await panda.open(.program(.problem), ProgramCommands.troubleTitle)
    #expect(panda.display.text.contains(lockedMessage))
    try panda.press(.program(.problem))
    try await panda.expect(noText: ProgramCommands.troubleTitle)
    #expect(!panda.display.text.contains("not saved ─"))
    lock.release()
    try await eventually("the favorites are read") {
      panda.clock.advance(by: FavoritesLoading.lockedWait)
      return panda.display.text.contains("Favorites (1)")
    }
    try await panda.favorite(1, after: 1)
    try await panda.quit()
  }

  @Test func `fault 79: even while the program waits for the lock, a panda comes`() async throws {
    let lock = try await LockedFavorites(in: directory, patience: 600_000)
    let panda = try AppDriver(directory, source: SmallSource(first: 101))
    try await eventually("it waits for the last picture") { panda.clock.waitingCount > 0 }
    panda.clock.advance(by: CardPresenter.headStart)
    try await panda.expect(text: "☆ Panda 101 ")
    lock.release()
    try await panda.expect(favorites: 1)
    try await panda.quit()
  }
}
