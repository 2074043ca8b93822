import Observation
import PandaTestSupport
import Testing

@testable import Pantry

/// An observer of one item is notified of that item.
@MainActor
@Suite struct EntityObservationTests {
  private let notes = Note.numbered(0..<5)

  private func store(_ kind: EngineKind) async throws -> Store<Note> {
    let storage = TestStorage(kind)
    let store = try await Store<Note>(storage: storage.open())
    try await store.add(notes)
    return store
  }

  @Test(arguments: EngineKind.allCases)
  func `only observers of the changed item are notified`(_ kind: EngineKind) async throws {
    let store = try await store(kind)
    let all = ChangeCounter { store.items }
    let watched = notes.map { note in ChangeCounter { store[note.id] } }
    let contained = ChangeCounter { store.contains(identifier: notes[2].id) }
    let list = ChangeCounter { store[[notes[4].id, notes[2].id]] }
    var changed = notes[2]
    changed.text = "changed"
    try await store.add(changed)
    #expect(watched.map(\.count) == [0, 0, 1, 0, 0])
    #expect(watched[2].latest == changed)
    #expect(list.count == 1)
    #expect(list.latest == [notes[4], changed])
    try await store.add([changed, notes[0]])
    try await store.remove(notes[3])
    #expect(watched.map(\.count) == [0, 0, 1, 1, 0])
    #expect(watched[3].latest == nil)
    #expect(contained.count == 1)
    #expect(all.count == 2)
    #expect(list.count == 1)
  }

  @Test func `looking at ever other items leaves nothing behind`() async throws {
    let store = try await store(.memory)
    let watched = notes.map { note in ChangeCounter { store[note.id] } }
    let page = Page()
    // A screen shows one item after the other, as a card does.
    let shown = ChangeCounter { store["item \(page.number)"] }
    for number in 1...10_000 { page.number = number }
    #expect(shown.count == 10_000)
    #expect(store.core.visible.entityGates.count < 1_000)
    // Those who still look are notified. Observation calls before a change, so the last look was at
    // the item before.
    try await store.add([Note(id: "item 9999")] + notes.map { Note(id: $0.id, text: "changed") })
    #expect(shown.count == 10_001)
    #expect(watched.map(\.count) == [1, 1, 1, 1, 1])
  }

  @Test func `reads in a transaction are not observed`() async throws {
    let store = try await store(.memory)
    let count = try await store.transaction { _ in
      notes.count { store[$0.id] != nil || store.contains(identifier: $0.id) }
    }
    #expect(count == store.items.count)
    #expect(store.core.visible.entityGates.isEmpty)
    let watched = ChangeCounter { store[notes[0].id] }
    try await store.transaction { t in t.removeAll(from: store) }
    #expect(watched.count == 1)
  }

  @Test func `many items observed at once all notify`() async throws {
    let store = try await store(.memory)
    let watched = (0..<3_000).map { number in ChangeCounter { store["item \(number)"] } }
    try await store.add(watched.indices.map { Note(id: "item \($0)") })
    #expect(watched.allSatisfy { $0.count == 1 })
    try await store.removeAll()
    #expect(watched.allSatisfy { $0.count == 2 })
  }

  @Test(arguments: EngineKind.allCases)
  func `a list is in the order of its identifiers, without missing items`(
    _ kind: EngineKind
  ) async throws {
    let store = try await store(kind)
    let identifiers = [notes[3].id, "missing", notes[0].id, notes[3].id]
    #expect(store[identifiers] == [notes[3], notes[0], notes[3]])
    #expect(store[[String]()] == [])
    let list = ChangeCounter { store[identifiers] }
    try await store.add(Note(id: "missing"))
    #expect(list.count == 1)
    #expect(list.latest == [notes[3], Note(id: "missing"), notes[0], notes[3]])
  }

  @Test(arguments: EngineKind.allCases)
  func `an observer of an absent item is notified when it is added and removed`(_ kind: EngineKind)
    async throws
  {
    let store = try await store(kind)
    let absent = ChangeCounter { store["absent"] }
    try await store.add(Note(id: "other"))
    #expect(absent.count == 0)
    try await store.add(Note(id: "absent"))
    #expect(absent.count == 1)
    try await store.remove(Note(id: "other"))
    #expect(absent.count == 1)
    try await store.removeAll()
    #expect(absent.count == 2)
    #expect(absent.latest == nil)
    try await store.removeAll()
    #expect(absent.count == 2)
  }

  @Test(arguments: EngineKind.allCases)
  func `loading notifies the observers of existing items once`(_ kind: EngineKind) async throws {
    let storage = TestStorage(kind)
    let first = try await Store<Note>(storage: storage.open())
    try await first.add(notes)
    func makeStore() throws -> Store<Note> {
      .loadingInBackground(storage: try storage.open())
    }
    let store = try makeStore()
    let there = ChangeCounter { store[notes[1].id] }
    let absent = ChangeCounter { store["absent"] }
    try await store.itemsHaveLoaded()
    #expect(there.count == 1)
    #expect(there.latest == notes[1])
    #expect(absent.count == 0)
  }

  @Test(arguments: EngineKind.allCases)
  func `a chain is one change, and none if the item ends unchanged`(_ kind: EngineKind)
    async throws
  {
    let store = try await store(kind)
    let watched = notes.map { note in ChangeCounter { store[note.id] } }
    let changed = Note(id: notes[0].id, text: "changed")
    try await store.removeAll().add(notes).add(changed).run()
    #expect(watched.map(\.count) == [1, 0, 0, 0, 0])
    #expect(watched[0].latest == changed)
    // It moves, and is the same.
    try await store.remove(notes[1]).add(notes[1]).run()
    #expect(watched.map(\.count) == [1, 0, 0, 0, 0])
    // An observer is notified again after reading again.
    try await store.remove(changed)
    #expect(watched[0].count == 2)
  }

  @Test(arguments: EngineKind.live)
  func `another engine's write notifies the observers of that item`(_ kind: EngineKind)
    async throws
  {
    let storage = TestStorage(kind)
    let store = try await Store<Note>(storage: storage.open())
    let other = try await Store<Note>(storage: storage.open())
    try await store.add(notes)
    try await eventually("the notes are there") { other.items == notes }
    let watched = notes.map { note in ChangeCounter { other[note.id] } }
    let changed = Note(id: notes[3].id, text: "changed")
    try await store.add(changed)
    try await eventually("it is changed") { other.items[3] == changed }
    #expect(watched.map(\.count) == [0, 0, 0, 1, 0])
    try await store.remove(notes[0])
    try await eventually("the item is removed") { other.items.count == 4 }
    #expect(watched.map(\.count) == [1, 0, 0, 1, 0])
  }

  @Test func `stores on one engine notify each other's observers`() async throws {
    let engine = MemoryStorageEngine()
    let one = try await Store<Note>(storage: engine)
    let other = try await Store<Note>(storage: engine)
    let watched = ChangeCounter { other["a"] }
    let unwatched = ChangeCounter { other["b"] }
    try await one.add(Note(id: "a"))
    #expect(watched.count == 1)
    #expect(unwatched.count == 0)
  }
}

/// What a screen shows.
@MainActor
@Observable
private final class Page {
  var number = 0
}
