import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

@MainActor
@Suite struct OptimisticTests {
  private let notes = Note.numbered(0..<4)

  /// A store with the notes, and its place.
  private func open(_ kind: EngineKind) async throws -> (Store<Note>, TestStorage) {
    let storage = TestStorage(kind)
    let store = try await Store<Note>(storage: storage.open())
    try await store.add(notes)
    return (store, storage)
  }

  /// The state on disk.
  private func relaunched(_ storage: TestStorage) async throws -> [Note] {
    try await Store<Note>(storage: storage.open()).items
  }

  @Test(arguments: EngineKind.allCases)
  func `a change is shown in the same turn, and on disk after the commit`(_ kind: EngineKind)
    async throws
  {
    let (store, storage) = try await open(kind)
    let changes = ChangeCounter { store.items }
    let watched = notes.map { note in ChangeCounter { store[note.id] } }
    let change = await begin(store.update(notes[1].id) { $0.text = "shown" }, in: store)
    var expected = notes
    expected[1].text = "shown"
    #expect(store.items == expected)
    #expect(changes.count == 1)
    #expect(try await relaunched(storage) == notes)
    change.commit.succeed()
    try await change.task.value
    #expect(store.items == expected)
    #expect(changes.count == 1)
    #expect(watched.map(\.count) == [0, 1, 0, 0])
    #expect(try await relaunched(storage) == expected)
  }

  @Test(arguments: EngineKind.allCases)
  func `a failure restores the items and their places`(_ kind: EngineKind) async throws {
    let (store, storage) = try await open(kind)
    func operations() async -> [Store<Note>.Operation] {
      await [
        store.update(notes[1].id) { $0.text = "shown" }, store.remove(notes[0]),
        store.remove([notes[1], notes[2]]), store.removeAll(), store.add(Note(id: "new")),
        store.removeAll().add([Note(id: "new"), notes[2]]), store.remove(notes[0]).add(notes[0]),
        store.merge([Note(id: notes[3].id)], removing: [notes[1].id]),
        store.add(Note(id: "new")).removeAll(),
      ]
    }
    for operation in await operations() {
      let change = begin(operation, in: store)
      #expect(store.items != notes)
      change.commit.fail()
      await #expect(throws: OutOfOrder()) { try await change.task.value }
      #expect(store.items == notes)
      #expect(try await relaunched(storage) == notes)
    }
  }

  @Test(arguments: EngineKind.allCases)
  func `a success writes the shown state to disk`(_ kind: EngineKind) async throws {
    let new = Note(id: "new")
    let makers: [@MainActor (Store<Note>) async -> Store<Note>.Operation] = [
      { await $0.update(notes[1].id) { $0.text = "shown" }.update(notes[1].id) { $0.text += "!" } },
      { await $0.remove(notes[0]) }, { await $0.removeAll() }, { await $0.add([new, notes[2]]) },
      { await $0.removeAll().add([new, notes[3], notes[2]]) },
      { await $0.remove(notes[0]).add(notes[0]) },
      { await $0.merge([Note(id: notes[3].id), new], removing: [notes[1].id]) },
      { await $0.add(new).removeAll() }, { await $0.add(new).remove(new) },
      { await $0.remove(notes[1]).update(notes[1].id) { $0.text = "it is gone" } },
    ]
    for (number, make) in makers.enumerated() {
      let (store, storage) = try await open(kind)
      let change = await begin(make(store), in: store)
      let shown = store.items
      #expect(try await relaunched(storage) == notes)
      change.commit.succeed()
      try await change.task.value
      #expect(store.items == shown, "\(number)")
      #expect(try await relaunched(storage) == shown, "\(number)")
    }
  }

  @Test(arguments: EngineKind.allCases)
  func `events, values and observers are notified of the change and of the rollback`(
    _ kind: EngineKind
  ) async throws {
    let (store, _) = try await open(kind)
    var events = store.events.makeAsyncIterator()
    var values = store.values.makeAsyncIterator()
    let watched = ChangeCounter { store[notes[1].id] }
    let other = ChangeCounter { store[notes[0].id] }
    #expect(await events.next()?.operation == .initialized)
    #expect(await events.next()?.operation == .loaded)
    #expect(await values.next() == notes)
    let change = await begin(store.remove(notes[1]), in: store)
    #expect(await events.next() == StoreEvent(operation: .remove, items: [notes[1]]))
    #expect(await values.next() == [notes[0], notes[2], notes[3]])
    #expect(watched.count == 1)
    change.commit.fail()
    _ = await change.task.result
    #expect(await events.next() == StoreEvent(operation: .insert, items: [notes[1]]))
    #expect(await values.next() == notes)
    #expect(watched.count == 2)
    #expect(other.count == 0)
  }

  @Test func `a change that fails at the disk is rolled back`() async throws {
    for kind in [EngineKind.sqlite, .disk] {
      let (store, storage) = try await open(kind)
      try storage.refuse(CacheKey(verbatim: "refused"))
      let change = await begin(store.add(Note(id: "refused")).remove(notes[0]), in: store)
      #expect(store.items == notes[1...] + [Note(id: "refused")])
      change.commit.succeed()
      await #expect(throws: (any Error).self) { try await change.task.value }
      #expect(store.items == notes)
      #expect(try await relaunched(storage) == notes)
    }
  }

  @Test func `an operation that cannot be resolved shows nothing`() async throws {
    let (store, _) = try await open(.memory)
    let changes = ChangeCounter { store.items }
    await #expect(throws: OutOfOrder()) {
      try await store.optimistically(
        store.remove(notes[0]).update(notes[1].id) { _ in throw OutOfOrder() }
      ) { Issue.record("It is not committed.") }
    }
    #expect(changes.count == 0)
  }

  @Test(arguments: EngineKind.allCases)
  func `a change without a commit closure is shown and written`(_ kind: EngineKind) async throws {
    let (store, storage) = try await open(kind)
    let task = Task.immediate { try await store.optimistically(store.remove(notes[0])) }
    #expect(store.items.count == 3)
    try await task.value
    #expect(try await relaunched(storage) == store.items)
  }

  @Test func `a loading store shows the change once it has loaded`() async throws {
    let engine = ObstinateEngine(holdsReads: true)
    try await engine.write(JSONEncoder().encode(notes[0]), key: CacheKey(verbatim: notes[0].id))
    func makeStore() -> Store<Note> { .loadingInBackground(storage: engine) }
    let store = makeStore()
    let task = Task.immediate {
      try await store.optimistically(store.update(notes[0].id) { $0.text = "shown" }) {
        #expect(store[notes[0].id]?.text == "shown")
      }
    }
    #expect(store.items.isEmpty)
    await engine.letReadsGo()
    try await task.value
    #expect(store[notes[0].id]?.text == "shown")
  }

  // MARK: What is written meanwhile

  @Test(arguments: EngineKind.allCases)
  func `writes of the commit closure stay, whether it fails or not`(_ kind: EngineKind)
    async throws
  {
    let (store, storage) = try await open(kind)
    let answer = Note(id: notes[1].id, text: "the server's")
    try await store.optimistically(store.update(notes[1].id) { $0.text = "shown" }) {
      try await store.merge([answer])
    }
    #expect(store[notes[1].id] == answer)
    #expect(try await relaunched(storage) == store.items)
    await #expect(throws: OutOfOrder()) {
      try await store.optimistically(store.remove([notes[1], notes[2]])) {
        try await store.merge([answer])
        throw OutOfOrder()
      }
    }
    #expect(store.items == [notes[0], answer, notes[2], notes[3]])
    // An answer equal to the shown item is written too.
    await #expect(throws: OutOfOrder()) {
      try await store.optimistically(store.update(notes[0].id) { $0.text = "shown" }) {
        try await store.merge([Note(id: notes[0].id, text: "shown")])
        throw OutOfOrder()
      }
    }
    #expect(store[notes[0].id]?.text == "shown")
    #expect(try await relaunched(storage) == store.items)
  }

  @Test(arguments: EngineKind.allCases)
  func `an update by another caller meanwhile is kept, without the failed change`(
    _ kind: EngineKind
  ) async throws {
    for succeeds in [true, false] {
      let (store, storage) = try await open(kind)
      try await store.add(Note(id: "a", text: "0"))
      let change = await begin(store.update("a") { $0.text += "1" }, in: store)
      try await store.update("a") { $0.text += "2" }
      try await store.merge([Note(id: "a", text: "3")]) { Note(id: "a", text: $0.text + $1.text) }
      #expect(store["a"]?.text == "0123")
      #expect(try await relaunched(storage).last?.text == "023")
      if succeeds { change.commit.succeed() } else { change.commit.fail() }
      _ = await change.task.result
      #expect(store["a"]?.text == (succeeds ? "0123" : "023"))
      #expect(try await relaunched(storage) == store.items)
    }
  }

  @Test(arguments: EngineKind.live)
  func `writes of another engine meanwhile stay`(_ kind: EngineKind) async throws {
    for succeeds in [true, false] {
      let (store, storage) = try await open(kind)
      let other = try await Store<Note>(storage: storage.open())
      let change = await begin(store.removeAll(), in: store)
      let written = Note(id: notes[1].id, text: "written")
      try await other.add(written)
      try await eventually("it is followed") { store[written.id] == written }
      if succeeds { change.commit.succeed() } else { change.commit.fail() }
      _ = await change.task.result
      #expect(store.items == (succeeds ? [written] : [notes[0], written, notes[2], notes[3]]))
      #expect(try await relaunched(storage) == store.items)
    }
  }

  @Test func `a row that could not be decoded is restored after a failure`() async throws {
    let engine = MemoryStorageEngine()
    await engine.write(Data("no JSON".utf8), key: CacheKey(verbatim: "a"))
    let store = try await Store<Note>(storage: engine)
    let issues = store.loadIssues
    let change = await begin(store.add(Note(id: "a")), in: store)
    #expect(store.loadIssues.isEmpty)
    change.commit.fail()
    _ = await change.task.result
    #expect(store.items.isEmpty)
    #expect(store.loadIssues == issues)
  }
}
