import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

@MainActor
@Suite struct EntityLookupTests {
  @Test(arguments: EngineKind.allCases)
  func `an item is found by its identifier after removals around it`(_ kind: EngineKind)
    async throws
  {
    let storage = TestStorage(kind)
    let store = try await Store<Note>(storage: storage.open())
    let notes = Note.numbered(0..<20)
    try await store.add(notes)
    try await store.remove([notes[0], notes[7], notes[19]])
    for (number, note) in notes.enumerated() {
      let isThere = ![0, 7, 19].contains(number)
      #expect(store.contains(identifier: note.id) == isThere)
      #expect(store[note.id] == (isThere ? note : nil))
    }
    #expect(store[""] == nil)
  }

  @Test func `the identifier is at the store's key path`() async throws {
    let store = try await Store<Note>(storage: MemoryStorageEngine(), cacheIdentifier: \.text)
    try await store.add(Note(id: "a", text: "b"))
    #expect(store.contains(identifier: "b"))
    #expect(!store.contains(identifier: "a"))
  }

  @Test func `an undecodable row is not an item`() async throws {
    let engine = MemoryStorageEngine()
    await engine.write(Data("no JSON".utf8), key: CacheKey(verbatim: "a"))
    let store = try await Store<Note>(storage: engine)
    #expect(!store.contains(identifier: "a"))
    #expect(store["a"] == nil)
  }

  @Test func `a lookup is observed`() async throws {
    let store = try await Store<Note>(storage: MemoryStorageEngine())
    let found = ChangeCounter { store["a"] }
    let contained = ChangeCounter { store.contains(identifier: "a") }
    try await store.add(Note(id: "a"))
    #expect(found.count == 1)
    #expect(found.latest == Note(id: "a"))
    #expect(contained.latest)
  }
}
