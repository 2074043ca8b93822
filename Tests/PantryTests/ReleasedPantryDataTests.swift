import Foundation
import PandaTestSupport
import Pantry
import Testing

private struct Tag: Codable, Equatable, Identifiable, Sendable {
  var id: String
  var weight: Int
}

private struct Thing: Codable, Equatable, Identifiable, Sendable {
  var id: String
  var count: Int
}

/// Everything that a released version of Pantry wrote opens in this one, with nothing lost.
@MainActor
@Suite struct ReleasedPantryDataTests {
  let directory = TemporaryDirectory()

  private func place(_ path: String) -> StorageDirectory {
    StorageDirectory(url: directory.url.appending(path: path))
  }

  private func sqlite(_ path: String, _ namespace: String) throws -> SQLiteStorageEngine {
    try SQLiteStorageEngine(directory: place(path), namespace: namespace)
  }

  /// Returns the items of `rows`; those that are none of this type are left out.
  private func items<Item: StorableItem>(_ rows: [ReleasedRow]?) -> [Item] {
    (rows ?? []).compactMap {
      try? JSONDecoder().decode(Item.self, from: $0.json)  // left out
    }
  }

  /// The bytes of a photo, as the recorder made them.
  private func bytes(_ number: Int) -> Data {
    Data((0..<3000).map { UInt8(truncatingIfNeeded: $0 * $0 + number) })
  }

  /// Photo 2 was removed.
  private func expectPhotos(_ store: Store<Photo>) async throws {
    #expect(store.loadIssues.isEmpty)
    #expect(store.items.map(\.id) == ["one", "three"])
    for (photo, number) in zip(store.items, [1, 3]) {
      #expect(try await photo.picture.data() == bytes(number))
    }
  }

  @Test func `the fixtures of each release are there`() {
    #expect(ReleasedPantry.all.map(\.release).starts(with: ["0.1.0", "0.2.0"]))
  }

  // MARK: Disk

  @Test(arguments: ReleasedPantry.all, ["disk/closed", "disk/killed"])
  func `a Disk directory has every item, and a killed chain is finished`(
    release: ReleasedPantry, path: String
  ) async throws {
    try release.copy(to: directory)
    let rows = try release.rows(path)[""] ?? []
    let engine = try DiskStorageEngine(directory: place(path))
    let store = try await Store<Note>(storage: engine)
    #expect(store.loadIssues.isEmpty)
    #expect(store.items == items(rows))
    #expect(store.items.map(\.id) == rows.map(\.key))
    #expect(store.items.map(\.id).contains("added") == (path == "disk/killed"))
    #expect(try await engine.damage().isEmpty)
    for row in rows {
      #expect(try await engine.createdAt(key: CacheKey(verbatim: row.key)) == row.created)
    }
    try await store.add(Note(id: "new"))
    #expect(try await engine.allKeys().map(\.rawValue) == rows.map(\.key) + ["new"])
  }

  @Test(arguments: ReleasedPantry.all)
  func `pictures in a Disk directory are there, byte for byte`(release: ReleasedPantry)
    async throws
  {
    try release.copy(to: directory)
    try await expectPhotos(
      Store(storage: DiskStorageEngine(directory: place("disk/photos"))))
  }

  // MARK: Lists

  @Test(arguments: ["lists", "disk/lists"])
  func `a long list that 0.2.0 kept in several rows is read, and becomes one row when changed`(
    path: String
  ) async throws {
    let release = try #require(ReleasedPantry.all.first { $0.release == "0.2.0" })
    try release.copy(to: directory)
    func engine() throws -> any StorageEngine {
      try path == "lists"
        ? sqlite(path, "lists") : DiskStorageEngine(directory: place(path)) as any StorageEngine
    }
    var ids = (0..<1_000).map { "id \($0)" }
    ids.insert("new", at: 500)
    ids.remove(at: 3)
    let storage = try engine()
    #expect(try await storage.keyCount() > 4)
    let list = try await KeyList(named: "long", storage: storage)
    #expect(list.loadIssue == nil)
    #expect(list.ids == ids)
    #expect(list.contains("new") && !list.contains("id 3"))
    try await list.insert("first", at: 0)
    #expect(try await storage.allKeys().map(\.rawValue) == ["long", "short"])
    #expect(try await KeyList(named: "long", storage: engine()).ids == ["first"] + ids)
    #expect(try await KeyList(named: "short", storage: engine()).ids == ["b", "a"])
  }

  // MARK: One namespace without a name

  @Test(arguments: ReleasedPantry.opened, ["notes", "notes-last-tags"])
  func `the only type in a default namespace opens it, whichever type was last`(
    release: ReleasedPantry, name: String
  ) async throws {
    let path = "default-namespace/\(name)"
    try release.copy(to: directory)
    let rows = try release.rows(path)["default"] ?? []
    #expect(rows.count == 3)
    let store = try await Store<Note>(
      storage: SQLiteStorageEngine(directory: place(path)))
    #expect(store.loadIssues.isEmpty)
    #expect(store.items == items(rows))
    try await store.add(Note(id: "new"))
    let again = try await Store<Note>(
      storage: SQLiteStorageEngine(directory: place(path)))
    #expect(again.items.map(\.id) == rows.map(\.key) + ["new"])
  }

  @Test(arguments: ReleasedPantry.opened, ["last-notes", "last-tags", "notes-and-value"])
  func `a default namespace of several types is refused, and read by ObjectStorage`(
    release: ReleasedPantry, name: String
  ) async throws {
    let path = "default-namespace/\(name)"
    try release.copy(to: directory)
    let rows = try release.rows(path)["default"] ?? []
    let (notes, tags): ([Note], [Tag]) = (items(rows), items(rows))
    #expect(notes.count == 3 && tags.count == (name == "notes-and-value" ? 0 : 2))
    func engine() throws -> SQLiteStorageEngine { try SQLiteStorageEngine(directory: place(path)) }
    await #expect(throws: StorageError.self) { _ = try await Store<Note>(storage: engine()) }
    if !tags.isEmpty {
      await #expect(throws: StorageError.self) { _ = try await Store<Tag>(storage: engine()) }
    }
    let value = AsyncStoredValue(wrappedValue: 0, key: "volume", storage: try engine())
    await #expect(throws: StorageError.self) { try await value.valueHasLoaded() }

    func read<Item: StorableItem>(_ type: Item.Type) async throws -> [Item] {
      let objects = ObjectStorage<Item>(storage: try engine())
      var found: [Item] = []
      for key in try await objects.allKeys() {
        // A row of another type.
        if let item = try? await objects.object(forKey: key) { found.append(item) }
      }
      return found
    }
    #expect(try await read(Note.self) == notes)
    if !tags.isEmpty { #expect(try await read(Tag.self) == tags) }
    if name == "notes-and-value" { #expect(try await read(Int.self) == [11]) }
    #expect(try await engine().allKeys().map(\.rawValue) == rows.map(\.key))
  }

  // MARK: Default places

  @Test(arguments: ReleasedPantry.opened, ["program", "library"])
  func `things in the default place of a module are read from its directory`(
    release: ReleasedPantry, home: String
  ) async throws {
    try release.copy(to: directory)
    let path = try #require(try release.places(in: home).first)
    let spaces = try release.rows(path)
    let name = try #require(spaces.keys.first { $0.hasSuffix("Thing") })
    let rows = try #require(spaces[name])
    let engine = try sqlite(path, name)
    let store = try await Store<Thing>(storage: engine)
    #expect(store.loadIssues.isEmpty)
    #expect(!store.items.isEmpty && store.items == items(rows))
    #expect(store.items.map(\.id) == rows.map(\.key))
    for row in rows {
      #expect(try await engine.createdAt(key: CacheKey(verbatim: row.key)) == row.created)
    }
  }

  @Test(arguments: ReleasedPantry.opened)
  func `pictures in the default place of a program are there, byte for byte`(
    release: ReleasedPantry
  ) async throws {
    try release.copy(to: directory)
    let path = try #require(try release.places(in: "program").first)
    let name = try #require(try release.rows(path).keys.first { $0.hasSuffix("Photo") })
    try await expectPhotos(Store(storage: sqlite(path, name)))
  }

  @Test(arguments: ReleasedPantry.opened)
  func `values of a program and of a library are read`(release: ReleasedPantry) async throws {
    try release.copy(to: directory)
    let path = try #require(try release.places(in: "program").first)
    let zoom = AsyncStoredValue(
      wrappedValue: 1.0, key: "zoom", storage: try sqlite(path, "settings"))
    try await zoom.valueHasLoaded()
    #expect(zoom.wrappedValue == 2.5)
    let state = place(path.replacing("/data/", with: "/state/"))
    let runs = StoredValue(wrappedValue: 0, key: "runs", directory: state)
    let query = StoredValue<String?>(key: "Last Query", directory: state)
    #expect(runs.wrappedValue == 3)
    #expect(query.wrappedValue == "red pandas – naïve")
    let library = try #require(try release.places(in: "library").first)
    let level = StoredValue(
      wrappedValue: 1, key: "level", directory: place(library.replacing("/data/", with: "/state/")))
    #expect(level.wrappedValue == 7)
    #expect(runs.loadIssue == nil && query.loadIssue == nil && level.loadIssue == nil)
  }
}
