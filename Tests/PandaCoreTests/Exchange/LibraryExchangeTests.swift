import Foundation
import SystemSupport
import PandaTestSupport
import Testing

@testable import PandaCore
@testable import Pantry

/// Favorites that leave one library and come to another.
@MainActor
@Suite struct LibraryExchangeTests {
  let fixture = ExchangeFixture()

  /// Everything about favorites, with their bytes, to the last bit.
  private func content(of library: ImageLibrary) async throws -> [Favorite] {
    try await library.favorites.itemsHaveLoaded()
    var content: [Favorite] = []
    for image in library.favorites.items {
      content.append(Favorite(image: image, data: try await image.dataRepresentation.data()))
    }
    return content
  }

  struct Favorite: Equatable {
    let image: RemoteImage
    let data: Data

    static func == (left: Favorite, right: Favorite) -> Bool {
      // Strings are equal to those with other bytes that look the same: "\(image)" as bytes is not.
      left.image == right.image && left.data == right.data
        && "\(left.image)".utf8.elementsEqual("\(right.image)".utf8)
    }
  }

  @Test func `a thousand favorites are read back item by item, byte by byte`() async throws {
    let texts = HostileText.all
    let images = (0..<1_000).map { number in
      let text = texts[number % texts.count]
      return RemoteImage.sample(
        number, title: number % 3 == 0 ? nil : text, caption: number % 2 == 0 ? text : nil,
        tags: number % 5 == 0 ? [text, "cute"] : [],
        savedAt: number % 7 == 0 ? nil : Date(timeIntervalSince1970: 1_790_000_000.123_456))
    }
    let library = try await fixture.library("one", images)
    let path = fixture.path("panda")
    let report = try await library.export(to: ExportTarget(path: path))
    let other = fixture.library("other")
    #expect(try await other.importFavorites(from: path) == ImportReport(added: 1_000, known: 0))

    #expect(report == ExportReport(count: 1_000, written: 1_000, unreadable: []))
    let expected = try await content(of: library)
    let found = try await content(of: other)
    #expect(found == expected)
    #expect(expected.count == 1_000)
    // Nothing is left of what the import stored.
    #expect(other.incoming.items.isEmpty)
  }

  @Test func `importing again changes nothing, and keeps captions and tags`() async throws {
    let images = (1...3).map { RemoteImage.sample($0, caption: "exported", tags: ["exported"]) }
    let library = try await fixture.library(images)
    let path = fixture.path("panda")
    _ = try await library.export(to: ExportTarget(path: path))
    try await library.setCaption("mine", of: [images[0]])
    try await library.setTags([], of: [images[1]])
    try await library.remove([images[2]])
    let kept = try await content(of: library)

    // Nothing is silently different here.
    let left = ImportReport(added: 0, known: 2, trashed: 1, otherCaptions: 1, otherTags: 1)
    #expect(try await library.importFavorites(from: path) == left)
    #expect(try await content(of: library) == kept)
    #expect(
      try await library.importFavorites(from: path, restoring: true)
        == ImportReport(added: 1, known: 2, otherCaptions: 1, otherTags: 1))
    let after = try await content(of: library)
    #expect(after.dropLast() == kept[...])
    #expect(after.last?.image == images[2])
    #expect(try await library.importFavorites(from: path).known == 3)
    #expect(try await content(of: library) == after)
  }

  @Test func `an import is undone and redone as one step`() async throws {
    let library = try await fixture.library("one", (1...5).map { .sample($0, caption: "c\($0)") })
    let path = fixture.path("panda")
    _ = try await library.export(to: .directory(path))
    let other = fixture.library("other")
    try await other.save(.sample(9))
    try await other.save(.sample(2))
    #expect(
      try await other.importFavorites(from: path)
        == ImportReport(added: 4, known: 1, otherCaptions: 1))
    let all = Set(other.favorites.items.map(\.id))
    #expect(try await other.undo()?.count == 4)
    let ids = other.favorites.items.map(\.id)
    #expect(ids == [RemoteImage.sample(9).id, RemoteImage.sample(2).id])
    #expect(try await other.redo()?.count == 4)
    #expect(Set(other.favorites.items.map(\.id)) == all)
    #expect(other.favorites[RemoteImage.sample(4).id]?.caption == "c4")
  }

  @Test func `pictures with equal bytes are stored once, and each is a favorite`() async throws {
    let images = (1...3).map { number in
      RemoteImage(
        createdAt: Date(timeIntervalSince1970: 5), url: URL(string: "https://a.example/\(number)")!,
        width: 1, height: 1, dataRepresentation: Attachment(RemoteImage.picture(0)),
        source: "a.example", title: "Twin")
    }
    let library = try await fixture.library("one", images)
    _ = try await library.export(to: .directory(fixture.path("panda")))
    let other = fixture.library("other")
    #expect(try await other.importFavorites(from: fixture.path("panda")).added == 3)
    #expect(try await content(of: other) == content(of: library))
  }

  @Test func `given favorites are exported in their order, and others are not`() async throws {
    let library = try await fixture.library((1...4).map { .sample($0) })
    let some = [3, 1].map { RemoteImage.sample($0) }
    let path = fixture.path("panda")
    #expect(try await library.export(some, to: .directory(path)).count == 2)
    let other = fixture.library("other")
    _ = try await other.importFavorites(from: path)
    #expect(other.favorites.items == some)
    #expect(try await library.export([], to: .directory(fixture.path("none"))).count == 0)
    #expect(try fixture.names(in: "none") == ["favorites.ndjson"])
    #expect(try await other.importFavorites(from: fixture.path("none")) == ImportReport())
  }

  @Test func `a nightly export writes new files and removes old ones`() async throws {
    let library = try await fixture.library((1...5).map { .sample($0) })
    let target = ExportTarget.directory(fixture.path("panda"))
    #expect(try await library.export(to: target).written == 5)
    let names = try fixture.names(in: "panda")
    #expect(try await library.export(to: target) == ExportReport(count: 5, written: 0))
    #expect(try fixture.names(in: "panda") == names)

    // What others put there stays, also what was changed.
    try fixture.write(Data("mine".utf8), to: "panda/notes.txt")
    let gone = names.filter { $0.contains("Panda 1 ") || $0.contains("Panda 2 ") }
    #expect(gone.count == 2)
    try fixture.write(Data("edited".utf8), to: "panda/\(gone[1])")
    let damaged = try #require(names.first { $0.contains("Panda 3 ") })
    try fixture.write(Data("damaged".utf8), to: "panda/\(damaged)")
    try await library.remove([.sample(1), .sample(2)])
    try await library.save(.sample(6, savedAt: nil))
    #expect(try await library.export(to: target).written == 2)
    let after = try fixture.names(in: "panda")
    #expect(!after.contains(gone[0]) && after.contains(gone[1]) && after.contains("notes.txt"))
    #expect(after.count == names.count + 1)
    #expect(try fixture.bytes("panda/\(damaged)") == RemoteImage.picture(3))
    let other = fixture.library("other")
    #expect(try await other.importFavorites(from: fixture.path("panda")).added == 4)
  }

  @Test func `unreadable pictures are left out and reported`() async throws {
    let odd = RemoteImage(
      createdAt: Date(timeIntervalSince1970: 5), url: URL(string: "https://a.example/odd")!,
      width: 4, height: 3, dataRepresentation: Attachment(Data("no picture".utf8)), source: "a")
    let library = try await fixture.library([.sample(1), odd, .sample(2)])
    for target in ["panda", "panda.html"] {
      let report = try await library.export(to: ExportTarget(path: fixture.path(target)))
      #expect(report == ExportReport(count: 2, written: 2, unreadable: [odd.id]))
    }
    #expect(
      try await fixture.library("other").importFavorites(from: fixture.path("panda")).added == 2)
  }

  @Test func `an export keeps its files of favorites that cannot be read any more`() async throws {
    let library = try await fixture.library((1...4).map { .sample($0) })
    let target = ExportTarget.directory(fixture.path("panda"))
    _ = try await library.export(to: target)
    let names = try fixture.names(in: "panda")
    await library.close()
    let database = try Database(path: fixture.path("library/favorites.sqlite"))
    try database.execute("UPDATE attachment SET bytes = zeroblob(byteCount) WHERE id = 1")
    let second = RemoteImage.sample(2).id
    try database.execute("UPDATE item SET data = '{' WHERE key = '\(second)'")
    let damaged = fixture.library()
    try await damaged.remove([.sample(3)])
    let report = try await damaged.export(to: target)
    #expect(report.count == 1 && report.unreadable == [RemoteImage.sample(1).id])
    #expect(try fixture.names(in: "panda") == names.filter { !$0.contains("Panda 3 ") })
    let other = fixture.library("other")
    #expect(try await other.importFavorites(from: fixture.path("panda")).added == 3)
    // What may have metadata does not stay in an export without.
    _ = try await damaged.export(to: target, withoutMetadata: true)
    #expect(try fixture.names(in: "panda").count == 2)
  }

  @Test func `an empty library removes no earlier export, unless that is allowed`() async throws {
    let target = ExportTarget.directory(fixture.path("panda"))
    _ = try await fixture.library([.sample(1)]).export(to: target)
    let empty = fixture.library("empty")
    await #expect(throws: ExchangeError(.mayHaveMore(than: 0), path: target.path)) {
      try await empty.export(to: target)
    }
    #expect(try fixture.names(in: "panda").count == 2)
    #expect(try await empty.export(to: target, replacing: true).count == 0)
    #expect(try fixture.names(in: "panda") == ["favorites.ndjson"])
  }

  @Test func `an import knows the pictures in the trash by content, as the library does`()
    async throws
  {
    func file(_ path: String, _ number: Int) -> RemoteImage {
      RemoteImage(
        createdAt: Date(timeIntervalSince1970: 5), url: URL(filePath: path), width: 1, height: 1,
        dataRepresentation: Attachment(RemoteImage.picture(number)), source: "files")
    }
    let one = try await fixture.library("one", [file("/ann/1.png", 1), file("/ann/2.png", 2)])
    let path = fixture.path("panda")
    _ = try await one.export(to: .directory(path))
    let other = fixture.library("other")
    // The first is another picture's path there.
    for image in [file("/bob/1.png", 1), file("/ann/2.png", 3)] { try await other.save(image) }
    try await other.remove(other.favorites.items)
    #expect(
      try await other.importFavorites(from: path) == ImportReport(added: 1, known: 0, trashed: 1))
    #expect(try await other.importFavorites(from: path, restoring: true).added == 1)
    #expect(try await other.importFavorites(from: path).known == 2)
  }

  @Test func `progress is reported for each picture`() async throws {
    let library = try await fixture.library((1...3).map { .sample($0) })
    let steps = Lock<[ExchangeProgress]>([])
    let note: @Sendable (ExchangeProgress) -> Void = { step in steps.withLock { $0.append(step) } }
    let expected = (1...3).map { ExchangeProgress(done: $0, total: 3) }
    for path in ["panda", "panda.html"].map(fixture.path) {
      _ = try await library.export(to: ExportTarget(path: path), progress: note)
      #expect(steps.withLock { $0 } == expected)
      steps.withLock { $0 = [] }
    }
    _ = try await fixture.library("b").importFavorites(from: fixture.path("panda"), progress: note)
    #expect(steps.withLock { $0 } == expected)
    steps.withLock { $0 = [] }
    _ = try await library.backup(to: fixture.path("backup"), progress: note)
    #expect(steps.withLock { $0 } == expected)
  }

  @Test func `pictures stored by a killed import are deleted after a day`() async throws {
    let library = fixture.library(now: { Date(timeIntervalSince1970: 1_790_000_000) })
    try await IncomingPictures(library: library).store(
      [Attachment(RemoteImage.picture(1))], of: "killed")
    try await library.emptyTrash()
    #expect(library.incoming.items.count == 1)
    let later = ImageLibrary(
      favorites: library.favorites, now: { Date(timeIntervalSince1970: 1_790_086_401) })
    try await later.emptyTrash()
    #expect(later.incoming.items.isEmpty)
  }
}
