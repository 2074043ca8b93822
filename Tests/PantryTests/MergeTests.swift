import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

@MainActor
@Suite struct MergeTests {
  private let notes = Note.numbered(0..<4)

  @Test(arguments: EngineKind.allCases)
  func `rows are added, replaced in their places, and removed`(_ kind: EngineKind) async throws {
    let storage = TestStorage(kind)
    let store = try await Store<Note>(storage: storage.open())
    try await store.add(notes)
    let changes = ChangeCounter { store.items }
    let changed = Note(id: notes[1].id, text: "changed")
    try await store.merge([Note(id: "new"), changed, notes[2]], removing: [notes[0].id, "absent"])
    let expected = [changed, notes[2], notes[3], Note(id: "new")]
    #expect(store.items == expected)
    #expect(changes.count == 1)
    #expect(try await Store<Note>(storage: storage.open()).items == expected)
  }

  @Test func `equal items are not written, and observers are not notified`() async throws {
    let engine = ObstinateEngine()
    let store = try await Store<Note>(storage: engine)
    try await store.add(notes)
    let all = ChangeCounter { store.items }
    let one = ChangeCounter { store[notes[0].id] }
    let count = await engine.commitCount
    try await store.merge(notes, removing: ["absent"])
    try await store.merge([]) { old, _ in old }
    try await store.merge(notes.map { Note(id: $0.id, text: "new") }) { old, _ in old }
    try await store.update(notes[0].id) { _ in }
    try await store.update("absent") { $0.text = "changed" }
    #expect(await engine.commitCount == count)
    #expect(all.count == 0)
    #expect(one.count == 0)
    #expect(store.items == notes)
  }

  @Test(arguments: EngineKind.allCases)
  func `the policy combines old and new, one repeated row after the other`(
    _ kind: EngineKind
  ) async throws {
    let storage = TestStorage(kind)
    let store = try await Store<Note>(storage: storage.open())
    try await store.add(Note(id: "a", text: "1"))
    let rows = [
      Note(id: "b", text: "2"), Note(id: "a", text: "3"), Note(id: "b", text: "4"),
      Note(id: "a", text: "5"),
    ]
    try await store.merge(rows) { old, new in
      Note(id: old.id, text: old.text + new.text)
    }
    let expected = [Note(id: "a", text: "135"), Note(id: "b", text: "24")]
    #expect(store.items == expected)
    try await store.merge([rows[0], rows[2]])
    #expect(store["b"]?.text == "4")
    #expect(try await Store<Note>(storage: storage.open()).items == store.items)
  }

  @Test(arguments: EngineKind.allCases)
  func `an item both merged and removed is removed`(_ kind: EngineKind) async throws {
    let storage = TestStorage(kind)
    let store = try await Store<Note>(storage: storage.open())
    try await store.add(notes[0])
    let changes = ChangeCounter { store.items }
    try await store.merge([notes[1]], removing: [notes[1].id])
    #expect(changes.count == 0)
    #expect(store.items == [notes[0]])
  }

  // In slices, after the last of which it removes.
  @Test func `a merge of many rows removes, too`() async throws {
    let store = try await Store<Note>(storage: TestStorage(.memory).open())
    try await store.add(Note(id: "old"))
    try await store.merge(Note.numbered(0..<2_000), removing: ["old"])
    #expect(store["old"] == nil)
    #expect(store.items.count == 2_000)
  }

  @Test(arguments: EngineKind.allCases)
  func `a change of the identifier is refused`(_ kind: EngineKind) async throws {
    let storage = TestStorage(kind)
    let store = try await Store<Note>(storage: storage.open())
    try await store.add([Note(id: "a"), Note(id: "b")])
    let error = StorageError.identifierChanged(type: "PantryTests.Note", from: "a", to: "c")
    await #expect(throws: error) { try await store.update("a") { $0 = Note(id: "c") } }
    await #expect(throws: error) {
      try await store.merge([Note(id: "a", text: "new")]) { _, _ in Note(id: "c") }
    }
    await #expect(throws: error) {
      try await store.optimistically(store.update("a") { $0.id = "c" })
    }
    await #expect(throws: error) {
      try await store.transaction { t in t.update("a", in: store) { $0.id = "c" } }
    }
    #expect(store.items == [Note(id: "a"), Note(id: "b")])
    #expect(try await storage.open().keyCount() == 2)
  }

  @Test func `a row that could not be decoded is removed, and not taken for absent`() async throws {
    let engine = MemoryStorageEngine()
    for key in ["a", "b"] {
      await engine.write(Data("no JSON".utf8), key: CacheKey(verbatim: key))
    }
    let store = try await Store<Note>(storage: engine)
    await #expect(throws: StorageError.self) { try await store.merge([Note(id: "a")]) }
    try await store.merge([Note(id: "c")], removing: ["b"])
    #expect(store.items == [Note(id: "c")])
    #expect(store.loadIssues.map(\.key.rawValue) == ["a"])
    // What was removed before is absent.
    try await store.remove(Note(id: "a")).merge([Note(id: "a")]).run()
    try await store.transaction { t in
      t.remove(Note(id: "c"), from: store)
      t.add(Note(id: "c", text: "new"), to: store)
    }
    #expect(store.items == [Note(id: "a"), Note(id: "c", text: "new")])
    #expect(store.loadIssues.isEmpty)
  }

  @Test(arguments: EngineKind.allCases)
  func `merging and updating are steps of a chain, on top of the earlier steps`(
    _ kind: EngineKind
  ) async throws {
    let storage = TestStorage(kind)
    let store = try await Store<Note>(storage: storage.open())
    try await store.add(notes)
    let changes = ChangeCounter { store.items }
    try await store.removeAll().add(Note(id: "a", text: "1")).update("a") { $0.text += "2" }
      .merge([Note(id: "a", text: "3"), notes[0]]) { Note(id: "a", text: $0.text + $1.text) }
      .update(notes[1].id) { $0.text = "it is gone" }.run()
    #expect(store.items == [Note(id: "a", text: "123"), notes[0]])
    #expect(changes.count == 1)
    try await store.merge([Note(id: "b")]).remove(notes[0]).run()
    #expect(store.items.map(\.id) == ["a", "b"])
    #expect(try await Store<Note>(storage: storage.open()).items == store.items)
  }

  @Test(arguments: EngineKind.allCases)
  func `a throwing update changes nothing, and fails its chain`(_ kind: EngineKind)
    async throws
  {
    let storage = TestStorage(kind)
    let store = try await Store<Note>(storage: storage.open())
    try await store.add(notes)
    await #expect(throws: OutOfOrder()) {
      try await store.update(notes[0].id) {
        $0.text = "half"
        throw OutOfOrder()
      }
    }
    await #expect(throws: OutOfOrder()) {
      try await store.add(Note(id: "new")).update(notes[0].id) { _ in throw OutOfOrder() }.run()
    }
    #expect(store.items == notes)
    #expect(try await Store<Note>(storage: storage.open()).items == notes)
  }

  @Test(arguments: EngineKind.live)
  func `updates by two engines on one file lose nothing`(_ kind: EngineKind) async throws {
    let storage = TestStorage(kind)
    let stores = [
      try await Store<Note>(storage: storage.open()),
      try await Store<Note>(storage: storage.open()),
    ]
    try await stores[0].add(Note(id: "a", text: "0"))
    try await eventually("the item has arrived") { stores[1]["a"] != nil }
    try await increase(stores)
    try await eventually("both have all") { stores.allSatisfy { $0["a"]?.text == "400" } }
  }

  /// Adds 1 to the number in the note 200 times in each store.
  private func increase(_ stores: [Store<Note>]) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for store in stores {
        for _ in 0..<200 {
          group.addTask {
            try await insisting {
              try await store.update("a") { $0.text = String((Int($0.text) ?? 0) + 1) }
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  /// Repeats what gave up because of others, as it may on a busy machine.
  private func insisting(_ change: () async throws -> Void) async throws {
    while true {
      do {
        return try await change()
      } catch StorageError.tooManyConflicts {
        continue
      }
    }
  }
}
