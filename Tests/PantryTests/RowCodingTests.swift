import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

/// Rows in a custom format.
@MainActor
@Suite struct RowCodingTests {
  struct WrongKey: Error {}

  /// JSON whose bytes are changed by a key, as encryption would.
  static func coding(key: UInt8) -> RowCoding<Note> {
    RowCoding { note in
      Data([key] + (try JSONEncoder().encode(note)).map { $0 ^ key })
    } decode: { data in
      guard data.first == key else { throw WrongKey() }
      return try JSONDecoder().decode(Note.self, from: Data(data.dropFirst().map { $0 ^ key }))
    }
  }

  func store(_ storage: TestStorage, key: UInt8 = 0xA5) async throws -> Store<Note> {
    try await nextLaunch {
      try await Store<Note>(
        storage: storage.open(), cacheIdentifier: \.id, coding: Self.coding(key: key))
    }
  }

  @Test(arguments: EngineKind.allCases)
  func `items come back, and none of their text is in a row`(_ kind: EngineKind) async throws {
    let storage = TestStorage(kind)
    let notes = Note.numbered(0..<700)
    let store = try await store(storage)
    try await store.add(notes)
    try await store.update(notes[3].id) { $0.text = "changed" }
    try await store.add(Note(id: "one", text: "more"))
    let relaunched = try await self.store(storage)
    #expect(relaunched.items == store.items)
    let row = try #require(try await storage.open().read(key: CacheKey(verbatim: "one")))
    #expect(row.range(of: Data("more".utf8)) == nil)
    #expect(try Self.coding(key: 0xA5).decode(row) == Note(id: "one", text: "more"))
  }

  @Test func `a row that cannot be decoded is an issue with its bytes`() async throws {
    let storage = TestStorage(.sqlite)
    try await store(storage).add(Note(id: "a"))
    let wrong = try await store(storage, key: 1)
    #expect(wrong.items.isEmpty)
    #expect(wrong.loadIssues.map(\.key.rawValue) == ["a"])
    #expect(wrong.loadIssues[0].data.first == 0xA5)
    #expect(try await store(storage).items == [Note(id: "a")])
  }

  @Test func `a second store of JSON on the same namespace is refused`() async throws {
    let storage = TestStorage(.sqlite)
    let coded = try await store(storage)
    await #expect(throws: StorageError.self) { try await Store<Note>(storage: storage.open()) }
    #expect(coded.items.isEmpty)
  }

  @Test(arguments: EngineKind.allCases)
  func `fault 90: turning encryption on loses no picture`(_ kind: EngineKind) async throws {
    let bytes = [Data.noise(40_000, seed: 1), Data.noise(40_000, seed: 2)]
    let home = TemporaryDirectory()
    let plain = try home.engine("Plain")
    let coded = kind == .sqlite ? try home.engine("Coded") : try TestStorage(kind).open()
    let coding = RowCoding<Photo> { photo in
      Data(try JSONEncoder().encode(photo).map { $0 ^ 0xA5 })
    } decode: { row in
      try JSONDecoder().decode(Photo.self, from: Data(row.map { $0 ^ 0xA5 }))
    }
    do {
      let former = try await Store<Photo>(storage: plain)
      try await former.add(bytes.enumerated().map { Photo(id: "\($0)", picture: Attachment($1)) })
    }
    let former = try await Store<Photo>(storage: home.engine("Plain"))
    do {
      let store = try await Store<Photo>(storage: coded, cacheIdentifier: \.id, coding: coding)
      try await store.add(former.items[0])
      try await store.merge(former.items)
      try await store.update("0") { $0.id = "0" }
    }
    try await former.removeAll()
    try await plain.sweepAttachments()
    let rows = try await coded.readAllData()
    let photos = try rows.map(coding.decode)
    #expect(photos.map(\.id) == ["0", "1"])
    for (photo, bytes) in zip(photos, bytes) { #expect(try await photo.picture.data() == bytes) }
  }

  @Test func `insert is add`() async throws {
    let store = try await Store<Note>(storage: TestStorage(.sqlite).open())
    try await store.insert(Note(id: "a"))
    try await store.insert([Note(id: "b"), Note(id: "c")])
    try await store.remove(store.items[0]).insert(Note(id: "d")).run()
    try await store.insert(Note(id: "e")).insert([Note(id: "f")]).run()
    #expect(store.items.map(\.id) == ["b", "c", "d", "e", "f"])
  }
}
