import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

@MainActor
@Suite struct StoreTests {
  @Test(arguments: EngineKind.allCases)
  func `an added item is in memory and on disk, and survives a relaunch`(_ kind: EngineKind)
    async throws
  {
    let storage = TestStorage(kind)
    let engine = try storage.open()
    let store = try await Store<Note>(storage: engine)
    try await store.add(Note(id: "a", text: "first"))
    #expect(store.items == [Note(id: "a", text: "first")])
    #expect(try await engine.allKeys() == [CacheKey(verbatim: "a")])
    let relaunched = try await Store<Note>(storage: storage.open())
    #expect(relaunched.items == store.items)
  }

  @Test(arguments: EngineKind.allCases)
  func `the order is the insertion order, even after a relaunch`(_ kind: EngineKind)
    async throws
  {
    let storage = TestStorage(kind)
    let store = try await Store<Note>(storage: storage.open())
    let notes = Note.numbered(0..<100)
    for note in notes[..<10] { try await store.add(note) }
    try await store.add(Array(notes[10...]))
    #expect(store.items == notes)
    try await store.remove([notes[3], notes[50]])
    try await store.add(notes[3])
    var expected = notes
    expected.remove(at: 50)
    expected.append(expected.remove(at: 3))
    #expect(store.items == expected)
    let relaunched = try await Store<Note>(storage: storage.open())
    #expect(relaunched.items == expected)
  }

  @Test(arguments: EngineKind.allCases)
  func `overwriting keeps the position`(_ kind: EngineKind)
    async throws
  {
    let storage = TestStorage(kind)
    let store = try await Store<Note>(storage: storage.open())
    try await store.add(Note.numbered(0..<3))
    var second = store.items[1]
    second.text = "changed"
    try await store.add(second)
    #expect(store.items[1] == second)
    let relaunched = try await Store<Note>(storage: storage.open())
    #expect(relaunched.items == store.items)
  }

  @Test(arguments: EngineKind.allCases)
  func `the last value wins among duplicates in one call, at the first position`(_ kind: EngineKind)
    async throws
  {
    let storage = TestStorage(kind)
    let store = try await Store<Note>(storage: storage.open())
    try await store.add([
      Note(id: "a", text: "1"), Note(id: "b", text: "2"), Note(id: "a", text: "3"),
    ])
    let expected = [Note(id: "a", text: "3"), Note(id: "b", text: "2")]
    #expect(store.items == expected)
    let relaunched = try await Store<Note>(storage: storage.open())
    #expect(relaunched.items == expected)
  }

  @Test(arguments: EngineKind.allCases)
  func `1,000 concurrent adds leave 1,000 items in memory and on disk`(_ kind: EngineKind)
    async throws
  {
    let storage = TestStorage(kind)
    let engine = try storage.open()
    let store = try await Store<Note>(storage: engine)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for note in Note.numbered(0..<1_000) {
        group.addTask { try await store.add(note) }
      }
      try await group.waitForAll()
    }
    #expect(Set(store.items.map(\.id)).count == 1_000)
    #expect(try await engine.keyCount() == 1_000)
    let relaunched = try await Store<Note>(storage: storage.open())
    #expect(relaunched.items == store.items)
  }

  @Test(arguments: EngineKind.allCases)
  func `operations apply in the order of their calls`(_ kind: EngineKind)
    async throws
  {
    let storage = TestStorage(kind)
    let store = try await Store<Note>(storage: storage.open())
    async let first: Void = store.add(Note(id: "a", text: "1"))
    async let second: Void = store.add(Note(id: "a", text: "2"))
    _ = try await (first, second)
    let tasks = (0..<50).map { number in
      Task { try await store.add(Note(id: "n", text: "\(number)")) }
    }
    for task in tasks { try await task.value }
    #expect(store.items.last?.text == "49")
  }

  @Test func `operations during loading wait for it, and no item is hidden or lost`() async throws {
    let engine = ObstinateEngine(holdsReads: true)
    try await engine.write(JSONEncoder().encode(Note(id: "old")), key: CacheKey(verbatim: "old"))
    let store = makeStore(engine)
    let adding = Task { try await store.add(Note(id: "new")) }
    let replacing = Task { try await store.add(Note(id: "old", text: "changed")) }
    await Task.yield()
    #expect(store.items.isEmpty)
    #expect(!store.hasLoaded)
    await engine.letReadsGo()
    try await adding.value
    try await replacing.value
    #expect(store.hasLoaded)
    #expect(store.items == [Note(id: "old", text: "changed"), Note(id: "new")])
  }

  @Test func `a storage that cannot be read is an error, never an empty store`() async throws {
    let engine = ObstinateEngine(failsToRead: true)
    try await engine.write(JSONEncoder().encode(Note(id: "old")), key: CacheKey(verbatim: "old"))
    let store = makeStore(engine)
    let error = ChangeCounter { store.loadError != nil }
    await #expect(throws: OutOfOrder.self) { try await store.itemsHaveLoaded() }
    #expect(store.loadError is OutOfOrder)
    #expect(error.count == 1, "whoever shows the error is told of it")
    await #expect(throws: OutOfOrder.self) { try await store.add(Note(id: "new")) }
    #expect(!store.hasLoaded)
    await engine.letReadsGo()
    try await store.add(Note(id: "new"))
    #expect(store.items.map(\.id) == ["old", "new"])
    #expect(store.loadError == nil)
  }

  @Test func `a failing operation leaves memory unchanged, and the others of its batch succeed`()
    async throws
  {
    let engine = ObstinateEngine()
    let store = makeStore(engine)
    try await store.add(Note(id: "a"))
    await engine.failWhenWriting("bad")
    let tasks = ["b", "bad", "c"].map { id in Task { try await store.add(Note(id: id)) } }
    try await tasks[0].value
    await #expect(throws: OutOfOrder.self) { try await tasks[1].value }
    try await tasks[2].value
    #expect(store.items.map(\.id) == ["a", "b", "c"])
    #expect(try await engine.allKeys().map(\.rawValue) == ["a", "b", "c"])
  }

  @Test(arguments: EngineKind.allCases)
  func `removing one, many and all`(_ kind: EngineKind)
    async throws
  {
    let storage = TestStorage(kind)
    let engine = try storage.open()
    let store = try await Store<Note>(storage: engine)
    let notes = Note.numbered(0..<10)
    try await store.add(notes)
    try await store.remove(notes[0])
    try await store.remove([notes[1], notes[2], Note(id: "absent")])
    #expect(store.items == Array(notes[3...]))
    #expect(try await engine.allKeys().map(\.rawValue) == notes[3...].map(\.id))
    try await store.removeAll()
    #expect(store.items.isEmpty)
    #expect(try await engine.keyCount() == 0)
  }

  @Test(arguments: EngineKind.allCases)
  func `an item removes the one with its identifier, whatever its other members`(_ kind: EngineKind)
    async throws
  {
    let storage = TestStorage(kind)
    let store = try await Store<Note>(storage: storage.open(), cacheIdentifier: \.text)
    try await store.add(Note(id: "a", text: "same"))
    try await store.remove(Note(id: "b", text: "same"))
    #expect(store.items.isEmpty)
  }

  @Test(arguments: EngineKind.allCases)
  func `a UUID is an identifier too`(_ kind: EngineKind)
    async throws
  {
    let storage = TestStorage(kind)
    struct Item: Codable, Equatable, Identifiable, Sendable { var id = UUID() }
    let items = [Item(), Item()]
    let store = try await Store<Item>(storage: storage.open())
    try await store.add(items)
    #expect(try await Store<Item>(storage: storage.open()).items == items)
  }

  @Test(arguments: EngineKind.allCases)
  func `a number is an identifier, and so is a custom type`(_ kind: EngineKind) async throws {
    struct Page: Codable, Equatable, Identifiable, Sendable { var id: Int }
    let storage = TestStorage(kind)
    do {
      let pages = try await Store<Page>(storage: storage.open())
      try await pages.add([Page(id: 10), Page(id: 9), Page(id: -1)])
      try await pages.remove(Page(id: 9))
      #expect(pages[10] == Page(id: 10))
      #expect(pages[[-1, 9, 10]].map(\.id) == [-1, 10])
      #expect(pages.contains(identifier: "-1"))
    }
    #expect(try await storage.open().allKeys().map(\.rawValue) == ["10", "-1"])
    struct Number: Codable, Hashable, ItemIdentifier {
      var value: Int
      var itemIdentifierText: String { "n\(value)" }
    }
    struct Entry: Codable, Equatable, Identifiable, Sendable { var id: Number }
    let other = TestStorage(kind)
    let entries = try await Store<Entry>(storage: other.open())
    try await entries.add(Entry(id: Number(value: 1)))
    #expect(entries[Number(value: 1)] != nil)
    #expect(try await other.open().allKeys().map(\.rawValue) == ["n1"])
    #expect(Store<Page>.previewStore(items: [Page(id: 3)])[3] == Page(id: 3))
  }

  /// In an async test Swift would pick the initializer that waits for the items.
  func makeStore(_ engine: any StorageEngine) -> Store<Note> {
    Store<Note>.loadingInBackground(storage: engine)
  }

  @Test(arguments: EngineKind.allCases)
  func `identifiers with different bytes are two items, even after a relaunch`(
    _ kind: EngineKind
  ) async throws {
    let storage = TestStorage(kind)
    // "café" in four scalars and in five, which Swift takes for one text.
    let (one, other) = ("caf\u{E9}", "cafe\u{301}")
    let store = try await Store<Note>(storage: storage.open())
    try await store.add([Note(id: one, text: "1"), Note(id: other, text: "2")])
    #expect(store.items.map(\.text) == ["1", "2"])
    try await store.update(other) { $0.text = "3" }
    #expect(store[one]?.text == "1" && store[other]?.text == "3")
    try await store.remove(Note(id: one))
    #expect(store[one] == nil && !store.contains(identifier: one))
    #expect(store.items.map(\.text) == ["3"])
    let again = try await Store<Note>(storage: storage.open())
    #expect(again.items.map(\.text) == ["3"])
    #expect(again.loadIssues.isEmpty)
  }

  @Test func `a list compares identifiers by their bytes`() async throws {
    let list = KeyList(["caf\u{E9}", "cafe\u{301}", "caf\u{E9}"])
    #expect(list.ids.count == 2)
    #expect(list.contains("cafe\u{301}"))
    try await list.remove("caf\u{E9}")
    #expect(list.ids.map(\.unicodeScalars.count) == [5])
    try await list.replaceAll(with: ["caf\u{E9}"])
    #expect(list.ids.map(\.unicodeScalars.count) == [4])
  }

  @Test func `everything works at the top level of main.swift, even the second time`() async throws
  {
    let directory = TemporaryDirectory()
    for (count, listed) in [("0", "0"), ("3", "2")] {
      let probe = try ProbeProcess("PantryTopLevelProbe", [directory.path("store")])
      #expect(await probe.line() == count)
      #expect(await probe.line() == listed)
      #expect(await probe.line() == "dmerged eupdated fshown")
      #expect(await probe.line() == "0")
      #expect(await probe.hasSucceeded())
    }
    let store = try await Store<Note>(
      storage: directory.engine(), formerNames: ["PantryTopLevelProbe.Note"])
    #expect(store.items.map(\.id) == ["d", "e", "f"])
  }
}
