import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

@MainActor
@Suite struct KeyListTests {
  /// An empty list in memory, or in a fresh place of that kind.
  private func list(_ kind: EngineKind?) async throws -> KeyList {
    guard let kind else { return KeyList() }
    return try await KeyList(named: "list", storage: TestStorage(kind).open())
  }

  @Test(arguments: EngineKind.allCases + [nil])
  func `an identifier is in the list once, where the last change puts it`(_ kind: EngineKind?)
    async throws
  {
    let list = try await list(kind)
    #expect(list.ids.isEmpty)
    try await list.append(["a", "b", "a", "c"])
    #expect(list.ids == ["a", "b", "c"])
    try await list.append("b")
    try await list.append(["d", "a"])
    #expect(list.ids == ["a", "b", "c", "d"])
    try await list.insert(["e", "c", "e"], at: 0)
    #expect(list.ids == ["e", "c", "a", "b", "d"])
    try await list.insert("d", at: 0)
    #expect(list.ids == ["d", "e", "c", "a", "b"])
    try await list.insert("f", at: 2)
    try await list.insert(["d", "b"], at: 4)
    #expect(list.ids == ["e", "f", "c", "d", "b", "a"])
    try await list.insert("z", at: 99)
    try await list.insert("y", at: -1)
    #expect(list.ids == ["y", "e", "f", "c", "d", "b", "a", "z"])
    try await list.move("y", to: 2)
    try await list.move("z", to: 0)
    try await list.move("e", to: 99)
    try await list.move("absent", to: 0)
    #expect(list.ids == ["z", "f", "y", "c", "d", "b", "a", "e"])
    try await list.remove("f")
    try await list.remove(["absent", "z", "e"])
    #expect(list.ids == ["y", "c", "d", "b", "a"])
    #expect(list.ids.count == 5)
    try await list.replaceAll(with: ["b", "x", "b"])
    #expect(list.ids == ["b", "x"])
    try await list.removeAll()
    #expect(list.ids.isEmpty)
    try await list.append("a")
    #expect(list.ids == ["a"])
  }

  @Test(arguments: EngineKind.allCases + [nil])
  func `a list knows its content, and notifies observers only of changes`(_ kind: EngineKind?)
    async throws
  {
    let list = try await list(kind)
    try await list.append(["a", "b"])
    let changes = ChangeCounter { list.ids }
    let contained = ChangeCounter { list.contains("c") }
    #expect(list.contains("a") && !list.contains("c"))
    try await list.append("a")
    try await list.insert(["a", "b"], at: 0)
    try await list.remove("absent")
    try await list.move("b", to: 1)
    try await list.replaceAll(with: ["a", "b"])
    #expect(changes.count == 0)
    try await list.append("c")
    #expect(changes.count == 1)
    #expect(contained.count == 1)
    #expect(contained.latest)
    try await list.remove("a")
    #expect(!list.contains("a") && list.contains("b"))
  }

  @Test func `a list in memory can have initial content`() {
    #expect(KeyList(["b", "a", "b"]).ids == ["b", "a"])
    #expect(KeyList().hasLoaded)
  }

  @Test(arguments: EngineKind.allCases)
  func `a list survives a relaunch, next to other lists`(_ kind: EngineKind) async throws {
    let storage = TestStorage(kind)
    do {
      let engine = try storage.open()
      let list = try await KeyList(named: "list", storage: engine)
      let other = try await KeyList(named: "other", storage: engine)
      try await list.append(["c", "a", "b"])
      try await other.append("x")
      try await list.move("b", to: 0)
      #expect(try await KeyList(named: "list", storage: engine).ids == ["b", "c", "a"])
    }
    let engine = try storage.open()
    func makeList() -> KeyList { .loadingInBackground(named: "list", storage: engine) }
    let list = makeList()
    let changes = ChangeCounter { list.ids }
    #expect(!list.hasLoaded && list.ids.isEmpty)
    // A change while it loads waits, and hides nothing.
    try await list.append("d")
    #expect(list.ids == ["b", "c", "a", "d"])
    #expect(changes.count == 2)
    #expect(try await KeyList(named: "other", storage: engine).ids == ["x"])
    #expect(try await KeyList(named: "third", storage: engine).ids.isEmpty)
  }

  @Test(arguments: EngineKind.allCases)
  func `a failed change leaves it unchanged`(_ kind: EngineKind) async throws {
    guard kind != .memory else { return }
    let storage = TestStorage(kind)
    let list = try await KeyList(named: "list", storage: storage.open())
    try await list.append(["a", "b"])
    let changes = ChangeCounter { list.ids }
    try storage.refuse(CacheKey(verbatim: "list"))
    await #expect(throws: (any Error).self) { try await list.append("c") }
    await #expect(throws: (any Error).self) { try await list.removeAll() }
    #expect(list.ids == ["a", "b"])
    #expect(changes.count == 0)
  }

  @Test(arguments: EngineKind.allCases + [nil])
  func `concurrent changes lose nothing`(_ kind: EngineKind?) async throws {
    let list = try await list(kind)
    try await append(to: [list])
    #expect(Set(list.ids).count == 100)
  }

  @Test(arguments: EngineKind.live)
  func `lists of two engines on one file follow each other and lose nothing`(_ kind: EngineKind)
    async throws
  {
    let storage = TestStorage(kind)
    let lists = [
      try await KeyList(named: "list", storage: storage.open()),
      try await KeyList(named: "list", storage: storage.open()),
    ]
    try await append(to: lists)
    try await eventually("both have all") { lists.allSatisfy { $0.ids.count == 200 } }
    #expect(lists[0].ids == lists[1].ids)
    #expect(Set(lists[0].ids).count == 200)
  }

  /// Appends 100 identifiers to each list, all concurrently.
  private func append(to lists: [KeyList]) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, list) in lists.enumerated() {
        for step in 0..<100 {
          group.addTask { try await list.append("\(number)-\(step)") }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `an unreadable row is reported, and replaced`() async throws {
    let engine = MemoryStorageEngine()
    await engine.write(Data("no JSON".utf8), key: CacheKey(verbatim: "list"))
    let list = try await KeyList(named: "list", storage: engine)
    #expect(list.loadIssue != nil)
    #expect(try await KeyList(named: "other", storage: engine).loadIssue == nil)
    await #expect(throws: StorageError.self) { try await list.remove("a") }
    await #expect(throws: StorageError.self) { try await list.append("a") }
    #expect(list.loadIssue != nil)
    try await list.replaceAll(with: ["a"])
    #expect(list.ids == ["a"])
    #expect(list.loadIssue == nil)
  }

  @Test(arguments: EngineKind.allCases)
  func `a store has the items in the order of the list`(_ kind: EngineKind) async throws {
    let notes = Note.numbered(0..<4)
    let storage = TestStorage(kind)
    let store = try await Store<Note>(storage: storage.open())
    try await store.add(notes)
    let list = try await KeyList(named: "list", storage: TestStorage(kind).open())
    try await list.append([notes[3].id, "absent", notes[0].id])
    let shown = ChangeCounter { store[list] }
    #expect(shown.latest == [notes[3], notes[0]])
    try await store.add(Note(id: notes[1].id, text: "not in the list"))
    #expect(shown.count == 0)
    try await store.add(Note(id: "absent"))
    #expect(shown.count == 1)
    try await list.move("absent", to: 0)
    #expect(shown.count == 2)
    #expect(shown.latest == [Note(id: "absent"), notes[3], notes[0]])
  }

  @Test func `watching a list begins when the list and the store have loaded`() async throws {
    let engine = ObstinateEngine(holdsReads: true)
    let note = Note(id: "a", text: "1")
    try await engine.write(JSONEncoder().encode(note), key: CacheKey(verbatim: "a"))
    func makeStore() -> Store<Note> { .loadingInBackground(storage: engine) }
    let store = makeStore()
    let storage = TestStorage(.memory)
    try await KeyList(named: "list", storage: storage.open()).append("a")
    func makeList() throws -> KeyList {
      .loadingInBackground(named: "list", storage: try storage.open())
    }
    let list = try makeList()
    var watch = store.watch(list).makeAsyncIterator()
    // Here the list is loading, and the store; when one has loaded, it waits for the other.
    let opening = Task { await engine.letReadsGo() }
    #expect(await watch.next() == [note])
    await opening.value
    try await store.update("a") { $0.text = "2" }
    #expect(await watch.next() == [Note(id: "a", text: "2")])
    try await list.removeAll()
    #expect(await watch.next() == [])
  }
}
