import Foundation
import PandaTestSupport
import Testing

@testable import PandaCore
@testable import Pantry

/// What the person does to the favorites, and takes back.
@MainActor
@Suite struct ImageLibraryTests {
  private let folder = LibraryFolder()

  @Test func `the picture that was shown last is known in the next process`() async throws {
    let library = folder.library()
    #expect(try await library.newestSeen() == nil)
    for number in [1, 2, 3, 1] { try await library.noteSeen(image(number)) }
    #expect(try await library.newestSeen()?.id == image(1).id)
    let reopened = folder.reopened()
    #expect(try await reopened.newestSeen()?.id == image(1).id)
    try await reopened.seen.itemsHaveLoaded()
    #expect(try await reopened.newestSeen()?.id == image(1).id)
  }

  @Test func `favorite, remove, clear, caption and tags are undone and redone one by one`()
    async throws
  {
    let library = folder.library()
    let images = (1...3).map { image($0) }
    for image in images { try await library.save(image) }
    try await library.setCaption("Sleepy", of: [images[0]])
    try await library.setTags(["cute"], of: [images[0]])
    try await library.remove([images[1]])
    try await library.remove(library.favorites.items, isAll: true)
    #expect(try await folder.favorites(library).isEmpty)

    #expect(try await library.undo()?.count == 2)
    #expect(try await folder.favorites(library) == ["1", "3"])
    #expect(try await library.undo()?.count == 1)
    #expect(Set(try await folder.favorites(library)) == ["1", "2", "3"])
    #expect(library.favorites[images[0].id]?.tags == ["cute"])
    #expect(try await library.undo() != nil)
    #expect(library.favorites[images[0].id]?.tags == [])
    #expect(try await library.undo() != nil)
    #expect(library.favorites[images[0].id]?.caption == nil)
    for _ in 1...3 { #expect(try await library.undo()?.count == 1) }
    #expect(try await folder.favorites(library).isEmpty)
    #expect(try await library.undo() == nil)

    for _ in 1...7 { #expect(try await library.redo() != nil) }
    #expect(try await library.redo() == nil)
    #expect(try await folder.favorites(library).isEmpty)
    #expect(Set(library.trashed.map(\.image.id)) == Set(images.map(\.id)))
  }

  @Test func `fault 64: hostile texts of a favorite are the same bytes after a relaunch`()
    async throws
  {
    let library = folder.library()
    let texts = HostileText.all
    #expect(texts.count > 300)
    let images = texts.enumerated().map { number, text in
      RemoteImage(
        createdAt: Date(timeIntervalSince1970: 1),
        url: URL(string: "https://zoo.example/\(number)")!, width: 4, height: 3,
        dataRepresentation: Attachment(Data("wah".utf8)), source: text, title: text, credit: text,
        license: text, caption: text, tags: [text, text])
    }
    try await library.favorites.add(images)
    // The other way in: a few, since each is a commit.
    for number in stride(from: 0, to: texts.count, by: 40) {
      try await library.setCaption("\(texts[number])!", of: [images[number]])
    }
    await library.close()

    let reopened = folder.reopened()
    try await reopened.favorites.itemsHaveLoaded()
    #expect(reopened.favorites.items.count == texts.count)
    for (number, (image, text)) in zip(reopened.favorites.items, texts).enumerated() {
      let caption = number.isMultiple(of: 40) ? "\(text)!" : text
      for (kept, given) in [
        (image.source, text), (image.title, text), (image.credit, text), (image.license, text),
        (image.caption, caption), (image.tags.first, text), (image.tags.last, text),
      ] {
        #expect(kept?.utf8.elementsEqual(given.utf8) == true, "\(given.debugDescription)")
      }
    }
  }

  @Test func `undo survives quitting, and brings the picture's bytes back`() async throws {
    let first = folder.library()
    try await first.save(image(1))
    try await first.setCaption("Höhe über alles", of: [image(1)])
    try await first.remove([image(1)])
    let second = folder.reopened()
    #expect(try await second.undo()?.change.kind == .removed(ids: [image(1).id]))
    let restored = try #require(second.favorites.items.first)
    #expect(restored.caption == "Höhe über alles")
    #expect(try await restored.dataRepresentation.data() == picture(1))
    let third = folder.reopened()
    #expect(try await third.redo() != nil)
    #expect(try await folder.favorites(third).isEmpty)
  }

  @Test func `a new action clears the redo history`() async throws {
    let library = folder.library()
    try await library.save(image(1))
    #expect(try await library.undo() != nil)
    #expect(!library.hasNothingToRedo)
    try await library.save(image(2))
    #expect(library.hasNothingToRedo)
    #expect(try await library.redo() == nil)
  }

  @Test func `saving, removing and restoring return how much changed`() async throws {
    let library = folder.library()
    #expect(try await library.save(image(1)))
    #expect(try await !library.save(image(1)))
    #expect(try await library.remove([image(1), image(2)]) == 1)
    #expect(try await library.remove([image(1)]) == 0)
    let entry = library.trashed[0]
    #expect(try await library.restore([entry]) == 1)
    #expect(try await library.restore([entry]) == 0)
    // Nothing is a step that undo would have to pass over.
    for _ in 1...3 { #expect(try await library.undo()?.count == 1) }
    #expect(try await library.undo() == nil)
  }

  @Test func `a row that cannot be read survives clearing`() async throws {
    try await folder.engine("RemoteImage").write(
      Data("no JSON".utf8), key: CacheKey(verbatim: "odd"))
    let library = folder.library()
    try await library.save(image(1))
    try await library.remove(library.favorites.items, isAll: true)
    #expect(try await folder.engine("RemoteImage").keyCount() == 1)
  }

  @Test func `clearing leaves a favorite that another process has just added`() async throws {
    let library = folder.library()
    for number in 1...2 { try await library.save(image(number)) }
    let elsewhere = LibraryFolder()
    try await elsewhere.library().save(image(3))
    let others = try Database(path: folder.databasePath)
    try others.execute(
      """
      ATTACH '\(elsewhere.databasePath)' AS elsewhere;
      INSERT INTO main.item (namespace, key, data, createdAt, updatedAt, id)
      SELECT
        own.id, key, data, createdAt, updatedAt,
        (SELECT max(id) + 1 FROM main.item WHERE namespace = own.id)
      FROM elsewhere.item
      JOIN elsewhere.namespace AS other ON other.id = item.namespace
      JOIN main.namespace AS own ON own.name = other.name
      WHERE own.name = 'RemoteImage';
      """)
    #expect(others.lastInsertedRow > 0)
    #expect(try await library.remove(library.favorites.items, isAll: true) == 2)
    #expect(try await folder.favorites(folder.reopened()) == ["3"])
    #expect(Set(library.trashed.map(\.image.url.lastPathComponent)) == ["1", "2"])
  }

  @Test func `the last 200 pictures shown are kept in their order, and known again`() async throws {
    let library = folder.library()
    for number in 1...ImageLibrary.seenLimit + 5 { try await library.noteSeen(image(number)) }
    try await library.noteSeen(image(10))
    let shown = library.seen.items.map(\.image.url.lastPathComponent)
    #expect(shown.count == ImageLibrary.seenLimit)
    #expect(shown.first == "6" && shown.last == "10" && shown[shown.count - 2] == "205")
    #expect(library.lastSeen(image(1)) == nil)
    #expect(library.lastSeen(image(10)) != nil)
    // The same bytes at another address are the same picture.
    #expect(library.lastSeen(image(999, bytes: picture(10))) != nil)
    let reopened = folder.reopened()
    try await reopened.seen.itemsHaveLoaded()
    #expect(reopened.seen.items.last?.id == image(10).id)
  }

  @Test func `the stores of a library share one writing connection and one for pictures`()
    async throws
  {
    let library = folder.library()
    try await library.save(image(1))
    try await library.noteSeen(image(2))
    try await library.hide(image(3))
    try await library.sources.candidates.itemsHaveLoaded()
    try await library.sources.listings.itemsHaveLoaded()
    try await library.sources.haveLoaded()
    _ = try await library.favorites.items[0].dataRepresentation.data()
    let path = folder.databasePath
    let links = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").map {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")  // closed
    }
    #expect(links.count { $0 == path } <= 2)
    #expect(links.contains(path))
  }

  @Test func `a picture that is seen and a favorite is kept once`() async throws {
    let library = folder.library()
    let image = image(1, bytes: Data(repeating: 7, count: 4_000_000))
    try await library.noteSeen(image)
    try await library.save(image)
    try await library.remove([image])
    let path = folder.databasePath
    let attributes = try FileManager.default.attributesOfItem(atPath: path + "-wal")
    let size = try #require(attributes[.size] as? Int)
    #expect(size < 7_000_000, "the log holds the picture once")
  }

  @Test func `a hidden picture is not shown again, under any address, until that is undone`()
    async throws
  {
    let library = folder.library()
    for shown in [image(3), image(1), image(5, bytes: picture(1))] {
      try await library.noteSeen(shown)
    }
    try await library.hide(image(1))
    #expect(try await library.isHidden(image(1)))
    #expect(try await library.isHidden(image(5, bytes: picture(1))))
    #expect(try await !library.isHidden(image(2)))
    #expect(library.seen.items.map(\.id) == [image(3).id])
    #expect(try await library.undo() != nil)
    #expect(try await !library.isHidden(image(1)))
    try await library.noteSeen(image(5, bytes: picture(1)))
    #expect(try await library.redo() != nil)
    #expect(library.seen.items.map(\.id) == [image(3).id])
  }

  @Test func `a hidden picture is never the newest one seen`() async throws {
    let library = folder.library()
    for number in 1...2 { try await library.noteSeen(image(number)) }
    try await library.hide(image(2))
    // As if the program had ended before it was forgotten.
    try await library.noteSeen(image(2))
    #expect(try await library.newestSeen()?.id == image(1).id)
    #expect(try await folder.reopened().newestSeen()?.id == image(1).id)
  }

  @Test func `concurrent calls are performed one after another`() async throws {
    let library = folder.library()
    await withTaskGroup(of: Void.self) { group in
      for number in 1...20 {
        group.addTask { _ = try? await library.save(image(number)) }  // counted below
        group.addTask { _ = try? await library.undo() }  // counted below
      }
    }
    let saved = try await folder.favorites(library).count
    #expect(saved + library.trashed.count == 20)
  }

  // MARK: When a favorite is shown

  @Test func `a favorite is shown once it is on disk`() async throws {
    let library = folder.library()
    try await library.save(image(1))
    let saving = Task.immediate { try await library.save(image(2)) }
    #expect(library.favorites.items.map(\.id) == [image(1).id])
    #expect(try await saving.value)
    #expect(library.favorites.items.map(\.id) == [image(1).id, image(2).id])
    #expect(library.favorites.items.allSatisfy { $0.savedAt != nil })
    #expect(try await library.save(image(2)) == false)
    #expect(try await folder.favorites(folder.reopened()) == ["1", "2"])
  }

  @Test func `a favorite that cannot be written is not shown, and cannot be undone`() async throws {
    let library = folder.library()
    try await library.load()
    let path = folder.databasePath
    try Database(path: path).execute(
      // An index that cannot be computed for rows that are written from now on.
      """
      CREATE INDEX refuse ON item
        (abs(iif(updatedAt > \(Date().timeIntervalSince1970), -9223372036854775807 - 1, 0)))
      """)
    await #expect(throws: SQLiteError.self) { try await library.save(image(1)) }
    #expect(library.favorites.items.isEmpty)
    #expect(try await library.undo() == nil)
    try Database(path: path).execute("DROP INDEX refuse")
    #expect(try await library.save(image(1)))
    #expect(library.favorites.items.count == 1)
  }

  // MARK: Sources

  @Test func `a source is known with its page and its health, in every process`() async throws {
    let clock = SettableClock()
    let library = folder.library(now: { clock.now })
    let source = SettableSource()
    let began = clock.now
    try await library.sources.recordAnswer(of: source)
    clock.now += 60
    try await library.sources.recordAnswer(of: source)
    #expect(library.sources["zoo"]?.health == .answering(since: began))
    #expect(library.sources["zoo"]?.homePage == URL(string: "https://zoo.example"))
    let other = folder.reopened()
    _ = other.sources["zoo"]
    clock.now += 60
    let failed = clock.now
    try await library.sources.recordAnswer(of: source, failure: "no answer")
    clock.now += 60
    try await library.sources.recordAnswer(of: source, failure: "still none")
    try await eventually("the other process knows") {
      other.sources["zoo"]?.health == .failing(since: failed, reason: "no answer")
    }
    try await library.sources.recordAnswer(of: source)
    #expect(library.sources["zoo"]?.health == .answering(since: clock.now))
  }
}

/// A source that is asked for nothing.
private struct SettableSource: ImageSource {
  let name = "zoo"
  let homePage = URL(string: "https://zoo.example")

  func fetchImage(
    progress: @escaping @Sendable (FetchProgress) -> Void
  ) async throws -> FetchedImage {
    throw CancellationError()
  }
}
