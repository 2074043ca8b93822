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

  @Test func `insert is add`() async throws {
    let store = try await Store<Note>(storage: TestStorage(.sqlite).open())
    try await store.insert(Note(id: "a"))
    try await store.insert([Note(id: "b"), Note(id: "c")])
    try await store.remove(store.items[0]).insert(Note(id: "d")).run()
    try await store.insert(Note(id: "e")).insert([Note(id: "f")]).run()
    #expect(store.items.map(\.id) == ["b", "c", "d", "e", "f"])
  }
}
