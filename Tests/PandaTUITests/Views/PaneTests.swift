import Foundation
import PandaCore
import PandaTestSupport
import Testing

@testable import PandaSession
@testable import PandaTUI
@testable import Pantry

/// What the panes do for keys whose turn comes later than they were pressed.
@MainActor
@Suite struct PaneTests {
  private let directory = TemporaryDirectory()
  private let library = ImageLibrary(
    favorites: .loadingInBackground(storage: MemoryStorageEngine()))
  private let said = Said()

  @MainActor private final class Said {
    private var all: [Message] = []
    func add(_ report: PaneReport) {
      if case .message(let message) = report { all.append(message) }
    }
    /// What was said since this was asked last.
    func take() -> [Message] {
      defer { all = [] }
      return all
    }
  }

  private func controller(_ library: ImageLibrary) -> ImagesController {
    ImagesController(library: library, source: BambooGroveSource())
  }

  private func card() -> CardPresenter {
    CardPresenter(
      controller: controller(library), configuration: Configuration(), clock: TestClock(),
      report: said.add)
  }

  private func carousel(of library: ImageLibrary) throws -> FavoritesPresenter {
    FavoritesPresenter(
      controller: controller(library), order: .newest, keys: .standard, now: { Date() },
      report: said.add)
  }

  let first = CardStateTests.image("first")
  let second = CardStateTests.image("second")

  @Test func `a key acts on the picture it was pressed for, not on the next one`() async throws {
    let card = card()
    card.show(second, .fetched)
    await card.favorite(first)
    #expect(library.favorites.items.map(\.id) == [first.id])
    await card.remove(first)
    #expect(library.trashed.map(\.id) == [first.id])
    await card.hide(first)
    #expect(try await library.isHidden(first))
    #expect(try await !library.isHidden(second))
  }

  @Test func `a key pressed twice does not report the same outcome twice`() async throws {
    let card = card()
    let carousel = try carousel(of: library)
    for _ in 1...2 { await card.favorite(first) }
    #expect(said.take() == [.outcome(Sentence.added), .info(Sentence.refused(.isFavorite))])
    await card.hide(first)
    #expect(said.take() == [.info(Sentence.refused(.hidesNoFavorite))])
    let removed: [Message] = [
      .outcome(Sentence.done(.removed(count: 1))), .info(Sentence.refused(.wasRemoved)),
    ]
    for _ in 1...2 { await card.remove(first) }
    #expect(said.take() == removed)
    await card.favorite(first)
    _ = said.take()
    for _ in 1...2 { await carousel.remove([first]) }
    #expect(said.take() == removed)
    carousel.collection = .trash
    let entry = try #require(
      carousel.selected.flatMap { carousel.controller.library.trashed($0.id) })
    for _ in 1...2 { await carousel.restore([entry]) }
    #expect(
      said.take() == [
        .outcome(Sentence.done(.restored(count: 1))), .info(Sentence.refused(.isFavorite)),
      ])
    for _ in 1...2 { await carousel.clear() }
    #expect(
      said.take() == [
        .outcome(Sentence.done(.cleared(count: 1))), .info(Sentence.refused(.nothingToClear)),
      ])
  }

  @Test func `going back skips hidden pictures`() async throws {
    let card = card()
    try await library.noteSeen(first)
    #expect(card.canGoBack)
    try await library.hide(first)
    // As if the program had ended before it was forgotten.
    try await library.noteSeen(first)
    #expect(!card.canGoBack)
    card.back(1)
    #expect(card.image == nil)
    try await library.noteSeen(second)
    card.back(5)
    #expect(card.image?.id == second.id)
  }

  @Test func `the last picture is remembered even if pictures change faster than writes`()
    async throws
  {
    let card = card()
    let images = (1...40).map { CardStateTests.image("picture-\($0)") }
    // Nothing is written meanwhile, since this does not suspend.
    for image in images { card.remember(image) }
    let remembered = images.prefix(CardPresenter.notesLimit) + images.suffix(1)
    // Those that are written at the same time are in any order.
    try await eventually("what is remembered") {
      let seen = library.seen.items.map(\.image.id)
      return Set(seen) == Set(remembered.map(\.id)) && seen.last == images.last?.id
    }
  }

  @Test func `a problem ends once the favorites can be read`() async throws {
    let data = directory.url.appending(path: "data")
    try FileManager.default.createDirectory(at: data, withIntermediateDirectories: false)
    let file = data.appending(path: "favorites.sqlite")
    do {
      // That of another program.
      let database = try Database(path: file.path)
      try database.execute("PRAGMA application_id = 1; CREATE TABLE note (text)")
    }
    let library = ImageLibrary(in: StorageDirectory(url: data))
    let carousel = try carousel(of: library)
    await #expect(throws: (any Error).self) { try await carousel.load() }
    #expect(carousel.problem == StorageWords.unreadable)
    try FileManager.default.removeItem(at: file)
    try await carousel.load()
    #expect(carousel.problem == nil)
    await library.close()
  }
}
