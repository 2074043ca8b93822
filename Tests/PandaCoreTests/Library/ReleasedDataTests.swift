import Foundation
import PandaTestSupport
import Testing

@testable import PandaCore
@testable import Pantry
@testable import PictureCodecs

/// Every file that a released version wrote opens in this one, with nothing lost.
@MainActor
@Suite struct ReleasedDataTests {
  let directory = TemporaryDirectory()

  private func library() -> ImageLibrary {
    ImageLibrary(in: StorageDirectory(url: directory.url.appending(path: "data/panda")))
  }

  @Test func `the fixtures of each release are there`() {
    let homes = ReleasedData.all.map(\.description)
    #expect(homes.starts(with: ["0.2.0 closed", "0.2.0 killed"]))
  }

  @Test(arguments: ["closed", "killed", "drawn"])
  func `favorites of 0.1.0 are refused, and byte for byte untouched`(home: String) async throws {
    try ReleasedData(release: "0.1.0", home: home).copy(to: directory)
    let folder = directory.url.appending(path: "data/panda")
    let names = ["favorites.sqlite", "favorites.sqlite-wal"]
    // SQLite leaves an empty log beside a file that had none.
    func bytes() -> [Data] {
      names.map { FileManager.default.contents(atPath: folder.appending(path: $0).path) ?? Data() }
    }
    let before = bytes()
    let library = library()
    let path = folder.appending(path: "favorites.sqlite").path
    await #expect(throws: StorageError.olderSchema(path: path)) { try await library.load() }
    await library.close()
    #expect(bytes() == before)
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!left.contains { $0.contains(".corrupt") || $0.contains(".backup") }, "\(left)")
  }

  @Test(arguments: ReleasedData.all)
  func `every row of every store is read, in order`(data: ReleasedData) async throws {
    try data.copy(to: directory)
    let expected = try data.expected()
    let library = library()
    var namespaces: Set<String> = []
    func expect<Item>(_ store: Store<Item>, _ namespace: String) async throws
    where Item: StorableItem & Identifiable, Item.ID == String {
      namespaces.insert(namespace)
      try await store.itemsHaveLoaded()
      let rows = expected.rows[namespace] ?? []
      #expect(store.loadIssues.isEmpty)
      #expect(store.items.map(\.id) == rows.map(\.key))
      for (item, row) in zip(store.items, rows) {
        #expect(item == (try JSONDecoder().decode(Item.self, from: row.json)))
        let encoded = try AttachmentWriter.$current.withValue(AttachmentWriter()) {
          try JSONEncoder().encode(item)
        }
        let fields = try JSONSerialization.jsonObject(with: encoded)
        let former = try JSONSerialization.jsonObject(with: row.json)
        #expect(
          Self.lost(from: former, in: fields).isEmpty, "\(namespace) \(row.key)")
      }
    }
    try await expect(library.favorites, "RemoteImage")
    try await expect(library.trash, "TrashedImage")
    try await expect(library.seen, "SeenImage")
    try await expect(library.hidden, "HiddenImage")
    try await expect(library.sources.store, "SourceRecord")
    try await expect(library.history.store, "LibraryChange")
    // Shapes of favorites, which nothing reads anymore.
    namespaces.insert("PictureShape")
    #expect(namespaces.isSuperset(of: expected.rows.keys))
    try await library.emptyTrash()
    // A release without them gets no namespace for them.
    let hasShapes = try await library.seen.libraryEngine?.file?.hasNamespace("PictureShape")
    #expect(hasShapes == (expected.rows["PictureShape"] != nil))
    if hasShapes == true {
      #expect(try await library.localEngine("PictureShape").keyCount() == 0)
    }
    await library.close()
  }

  /// The fields that `former` has and `now` has not, or has with another value.
  private static func lost(from former: Any, in now: Any, at path: String = "") -> [String] {
    switch (former, now) {
    case (let former as [String: Any], let now as [String: Any]):
      former.flatMap { key, value in
        now[key].map { lost(from: value, in: $0, at: "\(path)/\(key)") } ?? ["\(path)/\(key)"]
      }
    case (let former as [Any], let now as [Any]) where former.count == now.count:
      zip(former, now).enumerated().flatMap { lost(from: $1.0, in: $1.1, at: "\(path)/\($0)") }
    case (let former as NSObject, let now as NSObject) where former == now: []
    default: [path]
    }
  }

  @Test(arguments: ReleasedData.all)
  func `every picture is there, byte for byte`(data: ReleasedData) async throws {
    try data.copy(to: directory)
    let library = library()
    try await library.load()
    try await library.seen.itemsHaveLoaded()
    let pictures =
      library.favorites.items + library.trash.items.map(\.image) + library.seen.items.map(\.image)
    var digests: Set<String> = []
    for picture in pictures {
      // The digest is checked as the bytes are read.
      #expect(try await picture.dataRepresentation.data().count > 1000)
      digests.insert(picture.dataRepresentation.digest.hexadecimal)
    }
    #expect(digests.sorted() == (try data.expected().attachments))
    await library.close()
  }

  @Test(arguments: ReleasedData.all("closed"))
  func `captions and tags are as they were`(data: ReleasedData) async throws {
    try data.copy(to: directory)
    let library = library()
    try await library.load()
    #expect(library.favorites.items.first?.caption == "The first one – naïve café 🐼")
    #expect(library.favorites.items.first?.tags == ["sleepy", "snow", "été"])
    await library.close()
  }

  @Test(arguments: ["export", "panda-favorites"])
  func `an export of 0.2.0, also unpacked by tar, is imported with all captions, tags and dates`(
    name: String
  ) async throws {
    try ReleasedData(release: "0.2.0", home: "closed").copy(to: directory)
    let unpacked = try Subprocess.run(
      ["tar", "xf", directory.path("export.tar"), "-C", directory.path("")],
      environment: ["PATH=/usr/bin:/bin"])
    #expect(unpacked.status == 0, "\(unpacked.output)")
    let library = library()
    try await library.favorites.itemsHaveLoaded()
    let other = ImageLibrary(in: StorageDirectory(url: directory.url.appending(path: "other")))
    let report = try await other.importFavorites(from: directory.path(name))
    #expect(report == ImportReport(added: 4, known: 0))
    for (image, original) in zip(other.favorites.items, library.favorites.items) {
      #expect(image.id == original.id && image.savedAt == original.savedAt)
      #expect(image.caption == original.caption && image.tags == original.tags)
      #expect(
        try await image.dataRepresentation.data()
          == (try await original.dataRepresentation.data()))
    }
    await library.close()
    await other.close()
  }

  @Test(arguments: ReleasedData.all("killed"))
  func `the steps of a release are undone and redone`(data: ReleasedData) async throws {
    try data.copy(to: directory)
    let library = library()
    try await library.load()
    let before = library.favorites.items.map(\.id)
    #expect(try await library.redo()?.count == 1)
    #expect(library.favorites.items.count == before.count - 1)
    #expect(try await library.undo()?.count == 1)
    #expect(
      try await library.undo()?.change.kind
        == .captioned(
          id: before[0], from: "The first one – naïve café 🐼",
          to: "The first one – naïve café 🐼Only in the -wal"))
    var steps = 2
    while try await library.undo() != nil { steps += 1 }
    #expect(steps > 8)
    #expect(library.favorites.items.isEmpty)
    await library.close()
  }

  @Test(arguments: ReleasedData.all("closed"))
  func `thumbnails of a release are used, not made again`(data: ReleasedData) async throws {
    try data.copy(to: directory)
    let folder = directory.url.appending(path: "cache/panda/thumbnails")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let before = try names.map { try Data(contentsOf: folder.appending(path: $0)) }
    #expect(!names.isEmpty)
    let library = library()
    try await library.favorites.itemsHaveLoaded()
    let cache = ThumbnailCache(directory: StorageDirectory(url: folder))
    for image in library.favorites.items {
      #expect(names.contains { $0.hasPrefix(image.dataRepresentation.digest.hexadecimal) })
      let thumbnail = try await cache.thumbnail(
        of: image.dataRepresentation, decoder: PictureDecoder())
      #expect(thumbnail.bitmap.size == ThumbnailCache.size)
    }
    let after = try names.map { try Data(contentsOf: folder.appending(path: $0)) }
    #expect(after == before)
    await library.close()
  }
}
