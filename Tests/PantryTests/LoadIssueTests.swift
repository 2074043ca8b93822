import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

@MainActor
@Suite struct LoadIssueTests {
  /// Five notes, of which the second can no longer be decoded.
  func damagedStore(_ storage: TestStorage) async throws -> Store<Note> {
    let store = try await Store<Note>(storage: storage.open())
    try await store.add("abcde".map { Note(id: String($0)) })
    try await storage.open().write(Data("{\"id\": 7}".utf8), key: CacheKey(verbatim: "b"))
    return try await Store<Note>(storage: storage.open())
  }

  @Test(arguments: EngineKind.allCases)
  func `one bad row never hides the others, and its issue has the reason`(_ kind: EngineKind)
    async throws
  {
    let storage = TestStorage(kind)
    let store = try await damagedStore(storage)
    #expect(store.items.map(\.id) == ["a", "c", "d", "e"])
    #expect(store.loadIssues.map(\.key.rawValue) == ["b"])
    #expect(store.loadIssues.first?.reason == "It is not a String at id.")
    #expect(store.loadIssues.first?.data == Data("{\"id\": 7}".utf8))
  }

  @Test(arguments: EngineKind.allCases)
  func `a bad row stays on disk unchanged while others are added and removed`(_ kind: EngineKind)
    async throws
  {
    let storage = TestStorage(kind)
    let store = try await damagedStore(storage)
    try await store.add(Note(id: "f"))
    try await store.remove(Note(id: "a"))
    let row = try await storage.open().read(key: CacheKey(verbatim: "b"))
    #expect(row == Data("{\"id\": 7}".utf8))
  }

  @Test(arguments: EngineKind.allCases)
  func `adding its key replaces a bad row in place, even after a relaunch`(_ kind: EngineKind)
    async throws
  {
    let storage = TestStorage(kind)
    let store = try await damagedStore(storage)
    try await store.add(Note(id: "b", text: "mended"))
    #expect(store.items.map(\.id) == ["a", "b", "c", "d", "e"])
    #expect(store.loadIssues.isEmpty)
    let relaunched = try await Store<Note>(storage: storage.open())
    #expect(relaunched.items == store.items)
    #expect(relaunched.loadIssues.isEmpty)
  }

  @Test(arguments: EngineKind.allCases)
  func `removing everything leaves a bad row, until its issue removes it`(_ kind: EngineKind)
    async throws
  {
    let storage = TestStorage(kind)
    let bad = Data("{\"id\": 7}".utf8)
    let removals: [(Store<Note>) async throws -> Void] = [
      { try await $0.removeAll() },
      { try await $0.removeAll().add(Note(id: "z")).removeAll().run() },
      { try await $0.optimistically($0.removeAll()) },
      { store in
        guard kind != .disk else { return try await store.removeAll() }
        try await store.transaction { $0.removeAll(from: store) }
      },
      { store in
        // In one turn, perhaps in one commit.
        async let added: Void = store.add(Note(id: "y"))
        async let removed: Void = store.removeAll()
        _ = try await (added, removed)
      },
    ]
    for (index, remove) in removals.enumerated() {
      let store = try await damagedStore(storage)
      try await remove(store)
      #expect(store.items.allSatisfy { $0.id == "y" }, "\(index)")
      #expect(store.loadIssues.map(\.data) == [bad], "\(index)")
      #expect(try await storage.open().read(key: CacheKey(verbatim: "b")) == bad, "\(index)")
    }
    let store = try await Store<Note>(storage: storage.open())
    try await store.removeAll()
    try await store.removeRows(of: store.loadIssues)
    #expect(try await storage.open().keyCount() == 0)
    try await store.add(Note(id: "b"))
    try await store.removeAll()
    #expect(try await storage.open().keyCount() == 0)
  }

  @Test(arguments: EngineKind.allCases)
  func `removing its key removes a bad row`(_ kind: EngineKind) async throws {
    let storage = TestStorage(kind)
    let store = try await damagedStore(storage)
    let issues = ChangeCounter { store.loadIssues }
    try await store.remove(Note(id: "b"))
    #expect(store.loadIssues.isEmpty)
    #expect(issues.count == 1)
    let engine = try storage.open()
    #expect(try await engine.keyExists(CacheKey(verbatim: "b")) == false)
  }

  @Test(arguments: EngineKind.allCases)
  func `a row whose item has another identifier is an issue, not a duplicate`(_ kind: EngineKind)
    async throws
  {
    let storage = TestStorage(kind)
    let store = try await Store<Note>(storage: storage.open())
    try await store.add([Note(id: "a"), Note(id: "b")])
    let engine = try storage.open()
    let row = try #require(try await engine.read(key: CacheKey(verbatim: "b")))
    try await engine.commit([
      .remove(key: CacheKey(verbatim: "b")), .write(row, key: CacheKey(verbatim: "z")),
    ])
    let relaunched = try await Store<Note>(storage: storage.open())
    #expect(relaunched.items.map(\.id) == ["a"])
    #expect(relaunched.loadIssues.map(\.key.rawValue) == ["z"])
  }

  private struct Counted: Codable, Equatable, Identifiable, Sendable {
    var id: String
    var count: Int
    var price: [Decimal]?
    var part: Part?

    struct Part: Codable, Equatable, Sendable { var size: Float }
  }

  @Test(
    arguments: [
      (#"{"id":"a","count":18.18}"#, "18.18 is not representable as Int at count."),
      (#"{"id":"a","count":"18"}"#, "It is not a Int at count."),
      (
        #"{"id":"a","count":12345678901234567890}"#,
        "12345678901234567890 is not representable as Int at count."
      ),
      (#"{"id":"a","count":null}"#, "A value is missing at count."),
      (#"{"id":"a"}"#, "count is missing."),
      (
        #"{"id":"a","count":1,"part":{"size":1e99}}"#,
        "1e99 is not representable as Float at part.size."
      ),
      (#"{"id":"a","count":1,"price":[1,"2"]}"#, "It is not a Decimal at price.Index 1."),
    ])
  func `fault 90: the reason names the member`(_ row: String, _ reason: String) async throws {
    for upgrades in [[], [ModelUpgrade.setting("later", to: 1)]] {
      let engine = MemoryStorageEngine()
      await engine.write(Data(row.utf8), key: CacheKey(verbatim: "a"))
      let store = try await Store<Counted>(storage: engine, upgrades: upgrades)
      #expect(store.loadIssues.map(\.reason) == [reason])
    }
  }

  @Test func `fault 90: the first of several members with one name counts, always`() async throws {
    let rows = [
      #"{"id":"a","text":"first","text":"second"}"#,
      #"{"id":"a","text":"first","t\u0065xt":"second"}"#,
      #"{"id":"a","t\u0065xt":"first","text":"second","id":"b"}"#,
    ]
    let upgrades: [[ModelUpgrade]] = [
      [], [.setting("later", to: 1)], [.renaming("later", to: "last")], [.removing("later")],
      [ModelUpgrade { (old: Note) in old }], [.setting("text", to: "third")],
    ]
    for row in rows {
      for upgrades in upgrades {
        let engine = MemoryStorageEngine()
        await engine.write(Data(row.utf8), key: CacheKey(verbatim: "a"))
        let store = try await Store<Note>(storage: engine, upgrades: upgrades)
        #expect(store.items == [Note(id: "a", text: "first")], "\(row)")
      }
    }
  }
}
