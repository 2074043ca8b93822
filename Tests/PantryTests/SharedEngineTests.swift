import Foundation
import Observation
import PandaTestSupport
import Testing

@testable import Pantry

/// Several stores on one engine.
@MainActor
@Suite struct SharedEngineTests {
  private let notes = Note.numbered(0..<4)

  @Test(arguments: EngineKind.allCases)
  func `stores on one engine share each other's changes`(_ kind: EngineKind) async throws {
    let storage = TestStorage(kind)
    let engine = try storage.open()
    let first = try await Store<Note>(storage: engine)
    let second = try await Store<Note>(storage: engine, cacheIdentifier: \.id)
    try await first.add(notes)
    #expect(second.items == notes)
    try await second.remove(notes[0])
    #expect(first.items == Array(notes[1...]))
    try await first.removeAll().add(notes[3]).run()
    #expect(second.items == [notes[3]])
    let relaunched = try await Store<Note>(storage: storage.open())
    #expect(relaunched.items == [notes[3]])
  }

  @Test func `a later store has the items immediately`() async throws {
    let engine = MemoryStorageEngine()
    let first = try await Store<Note>(storage: engine)
    try await first.add(notes)
    func makeStore() -> Store<Note> { .loadingInBackground(storage: engine) }
    let second = makeStore()
    #expect(second.hasLoaded)
    #expect(second.items == notes)
    var events = second.events.makeAsyncIterator()
    #expect(await events.next()?.operation == .initialized)
    #expect(await events.next() == StoreEvent(operation: .loaded, items: notes))
  }

  @Test func `stores that load together load once`() async throws {
    let engine = ObstinateEngine(holdsReads: true)
    try await engine.write(JSONEncoder().encode(notes[0]), key: CacheKey(verbatim: notes[0].id))
    func makeStore() -> Store<Note> { .loadingInBackground(storage: engine) }
    let (first, second) = (makeStore(), makeStore())
    let adding = Task { try await second.add(notes[1]) }
    await engine.letReadsGo()
    try await first.itemsHaveLoaded()
    try await adding.value
    #expect(first.items == [notes[0], notes[1]])
    #expect(second.items == first.items)
  }

  @Test func `a store created while another loads misses nothing, in the order of the disk`()
    async throws
  {
    let engine = ObstinateEngine(holdsReads: true)
    for note in notes[..<2] {
      try await engine.write(JSONEncoder().encode(note), key: CacheKey(verbatim: note.id))
    }
    func makeStore() -> Store<Note> { .loadingInBackground(storage: engine) }
    let first = makeStore()
    let operations = [
      Task { try await first.remove(notes[0]) }, Task { try await first.add(notes[0]) },
      Task { try await first.add(notes[2]) },
    ]
    await Task.yield()
    let second = makeStore()
    #expect(second.items.isEmpty)
    await engine.letReadsGo()
    for operation in operations { try await operation.value }
    #expect(first.items == [notes[1], notes[0], notes[2]])
    #expect(second.items == first.items)
    let relaunched = try await Store<Note>(storage: ReopenedEngine(engine))
    #expect(relaunched.items == first.items)
  }

  @Test(arguments: EngineKind.allCases)
  func `operations of all stores have one order, in memory as on disk`(_ kind: EngineKind)
    async throws
  {
    let storage = TestStorage(kind)
    let engine = try storage.open()
    let first = try await Store<Note>(storage: engine)
    let second = try await Store<Note>(storage: engine)
    let tasks = (0..<100).map { number in
      let store = number.isMultiple(of: 2) ? first : second
      return Task { try await store.add(Note(id: "\(number % 7)", text: "\(number)")) }
    }
    for task in tasks { try await task.value }
    #expect(Set(first.items.map(\.text)) == Set((93..<100).map(String.init)))
    #expect(second.items == first.items)
    #expect(try await Store<Note>(storage: storage.open()).items == first.items)
  }

  @Test func `deallocated stores leave nothing behind`() async throws {
    let engine = MemoryStorageEngine()
    weak var core: StoreCore<Note>?
    do {
      let store = try await Store<Note>(storage: engine)
      try await store.add(notes[0])
      core = store.core
    }
    try await eventually("the core is released") { core == nil }
    // What has changed meanwhile is read again.
    try await engine.write(JSONEncoder().encode(notes[1]), key: CacheKey(verbatim: notes[1].id))
    #expect(try await Store<Note>(storage: engine).items == [notes[0], notes[1]])
  }

  @Test func `the streams end with the last store`() async throws {
    let engine = MemoryStorageEngine()
    var first: Store<Note>? = try await Store(storage: engine)
    var second: Store<Note>? = try await Store(storage: engine)
    var values = try #require(first?.values).makeAsyncIterator()
    #expect(await values.next() == [])
    first = nil
    try await second?.add(notes[0])
    #expect(await values.next() == [notes[0]])
    second = nil
    #expect(await values.next() == nil)
  }
}
