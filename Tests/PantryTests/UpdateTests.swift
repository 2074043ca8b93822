import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

/// A shelf, whose identifier is not a String.
private struct Shelf: Codable, Equatable, Identifiable, Sendable {
  var id = UUID()
  var count = 0
}

private final class Changeable: Codable, Equatable, Sendable {
  let id: String
  init(id: String) { self.id = id }
  static func == (one: Changeable, other: Changeable) -> Bool { one.id == other.id }
}

/// Verbs that say what they did, in the words of the model.
@MainActor
@Suite struct UpdateTests {
  @Test(arguments: EngineKind.allCases)
  func `update returns the item that it leaves, or nil`(_ kind: EngineKind) async throws {
    let storage = TestStorage(kind)
    let store = try await Store<Note>(storage: storage.open())
    let absent = try await store.update("a") { $0.text = "x" }
    #expect(absent == nil)
    #expect(try await storage.open().keyCount() == 0)
    let added = try await store.update("a", orAdd: Note(id: "a", text: "1")) { $0.text += "+" }
    let changed = try await store.update("a", orAdd: Note(id: "a", text: "1")) { $0.text += "+" }
    #expect((added.text, changed.text) == ("1", "1+"))
    let again = try await store.update("a") { $0.text += "+" }
    #expect(again == Note(id: "a", text: "1++"))
    #expect(store.items == [Note(id: "a", text: "1++")])
    let error = StorageError.identifierChanged(type: "PantryTests.Note", from: "b", to: "c")
    await #expect(throws: error) { try await store.update("b", orAdd: Note(id: "c")) { _ in } }
    // What is shown optimistically is not what is stored.
    let change = begin(await store.update("a") { $0.text = "shown" }, in: store)
    let stored = try await store.update("a") { $0.text += "!" }
    #expect(stored == Note(id: "a", text: "1++!"))
    change.commit.succeed()
    try await change.task.value
  }

  @Test(arguments: EngineKind.live)
  func `clients that update or add count exactly`(_ kind: EngineKind) async throws {
    let storage = TestStorage(kind)
    let stores = try await [
      Store<Note>(storage: storage.open()), Store<Note>(storage: storage.open()),
    ]
    try await withThrowingTaskGroup { group in
      for client in 0..<16 {
        group.addTask {
          for _ in 0..<25 {
            try await stores[client % 2].update("n", orAdd: Note(id: "n", text: "+")) {
              $0.text += "+"
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let rows = try await ObjectStorage<Note>(storage: storage.open()).allObjects()
    #expect(rows.map(\.text.count) == [400])
  }

  @Test func `every verb takes the identifier of the model`() async throws {
    let store = try await Store<Shelf>(storage: MemoryStorageEngine())
    let (one, two) = (Shelf(), Shelf())
    try await store.add([one, two])
    let changed = try await store.update(one.id) { $0.count += 1 }
    #expect(changed?.count == 1)
    try await store.update(one.id, orAdd: one) { $0.count += 1 }
    try await store.update(one.id) { $0.count += 1 }.update(two.id) { $0.count = 9 }.run()
    try await store.optimistically(store.update(one.id) { $0.count += 1 })
    try await store.transaction { t in
      #expect(t.stored(two.id, in: store)?.count == 9)
      t.update(one.id, in: store) { $0.count += 1 }
    }
    #expect(store[one.id]?.count == 5 && store.contains(identifier: two.id))
    #expect(store[[two.id, UUID(), one.id]].map(\.count) == [9, 5])
    var values = store.watch(one.id).makeAsyncIterator()
    #expect(await values.next()??.count == 5)
    try await store.merge([], removing: [one.id])
    #expect(await values.next() == .some(nil))
    #expect(store.items.map(\.id) == [two.id])
  }

  @Test func `a class is refused when the store is made, in words`() async throws {
    let engine = MemoryStorageEngine()
    let error = StorageError.notAValue(type: "Changeable")
    await #expect(throws: error) {
      try await Store<Changeable>(storage: engine, cacheIdentifier: \.id)
    }
    let store = Store<Changeable>.loadingInBackground(storage: engine, cacheIdentifier: \.id)
    #expect(store.loadError as? StorageError == error)
    await #expect(throws: error) { try await store.add(Changeable(id: "a")) }
    #expect(await engine.keyCount() == 0)
    let preview = Store<Changeable>.previewStore(
      items: [Changeable(id: "a")], cacheIdentifier: \.id)
    #expect(preview.items.isEmpty && preview.loadError as? StorageError == error)
  }

  @Test func `namespaces that are equal strings with other bytes are two, in one process too`()
    async throws
  {
    let directory = TemporaryDirectory()
    let stores = try await [
      Store<Note>(storage: directory.engine("caf\u{e9}")),
      Store<Note>(storage: directory.engine("cafe\u{301}")),
    ]
    try await stores[0].add(Note(id: "a"))
    try await stores[1].add(Note(id: "b"))
    #expect(stores.map { $0.items.map(\.id) } == [["a"], ["b"]])
    #expect(try await directory.engine("caf\u{e9}").keyCount() == 1)
  }
}
