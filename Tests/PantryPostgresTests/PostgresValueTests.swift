import Foundation
import PandaTestSupport
import Pantry
import PantryPostgres
import Testing

/// Lists of keys, values and upgrades of models, as they are on every engine.
@MainActor
@Suite(.enabled(if: PostgresCluster.programs != nil, "\(PostgresCluster.advice)"))
struct PostgresValueTests {

  struct New: Codable, Equatable, Identifiable, Sendable {
    var id: String
    var body: String
    var favorites: Int
  }

  private static let upgrades: [ModelUpgrade] = [
    .setting("favorites", to: 0), .renaming("text", to: "body"),
  ]

  private let address: String

  init() throws { address = try PostgresCluster.shared.get().newDatabase() }

  /// An engine with a connection of its own, as on another machine or in the next launch.
  private func engine(_ machine: String, _ namespace: String = "notes") throws
    -> PostgresStorageEngine
  {
    try PostgresStorageEngine(address + " application_name=\(machine)", namespace: namespace)
  }

  @Test func `lists of two machines follow each other, lose nothing and keep their order`()
    async throws
  {
    let lists = [
      try await KeyList(named: "list", storage: engine("one")),
      try await KeyList(named: "list", storage: engine("other")),
    ]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, list) in lists.enumerated() {
        for step in 0..<30 {
          group.addTask { try await list.append("\(number)-\(step)") }
        }
      }
      try await group.waitForAll()
    }
    try await eventually("both have all") { lists.allSatisfy { $0.count == 60 } }
    #expect(lists[0].ids == lists[1].ids)
    try await lists[0].replaceAll(with: ["a", "b", "c"])
    try await lists[0].move("c", to: 0)
    try await eventually("the order") { lists[1].ids == ["c", "a", "b"] }
    #expect(try await KeyList(named: "list", storage: engine("third")).ids == ["c", "a", "b"])
    #expect(try await KeyList(named: "empty", storage: engine("third")).isEmpty)
  }

  @Test func `a value survives a relaunch, and a reset removes it`() async throws {
    let first = try engine("one")
    let value = AsyncStoredValue(wrappedValue: 1, key: "a/b", storage: first)
    #expect(value.wrappedValue == 1)
    try await value.set(2)
    let relaunched = AsyncStoredValue(wrappedValue: 1, key: "a/b", storage: try engine("two"))
    try await relaunched.valueHasLoaded()
    #expect(relaunched.wrappedValue == 2)
    try await relaunched.reset()
    #expect(relaunched.wrappedValue == 1)
    #expect(try await first.keyCount() == 0)
    let optional = AsyncStoredValue<Int?>(wrappedValue: 7, key: "c", storage: first)
    try await optional.set(nil)
    let again = AsyncStoredValue<Int?>(wrappedValue: 7, key: "c", storage: try engine("two"))
    try await again.valueHasLoaded()
    #expect(again.wrappedValue == nil)
  }

  @Test func `rows of older versions are upgraded and written back, also as they arrive`()
    async throws
  {
    let raw = try engine("old")
    try await raw.write(
      Data(#"{"id":"a","text":"t"}"#.utf8), key: CacheKey(verbatim: "a"))
    try await raw.write(
      Data(#"{"$pantryVersion":1,"id":"b","text":"u","favorites":7}"#.utf8),
      key: CacheKey(verbatim: "b"))
    let store = try await Store<New>(storage: engine("new"), upgrades: Self.upgrades)
    #expect(
      store.items == [
        New(id: "a", body: "t", favorites: 0), New(id: "b", body: "u", favorites: 7),
      ])
    try await eventually("all rows are of the newest version") {
      try await raw.readAllDataAndKeys().allSatisfy {
        String(decoding: $0.data, as: UTF8.self).hasPrefix(#"{"$pantryVersion":2,"#)
      }
    }
    try await raw.write(
      Data(#"{"id":"c","text":"late"}"#.utf8), key: CacheKey(verbatim: "c"))
    try await eventually("the row has come") {
      store["c"] == New(id: "c", body: "late", favorites: 0)
    }
  }

  @Test func `an older program shows what it can, and overwrites no newer row`() async throws {
    let raw = try engine("newer")
    let row = Data(#"{"$pantryVersion":3,"id":"b","body":"x","stars":[1]}"#.utf8)
    try await raw.write(row, key: CacheKey(verbatim: "b"))
    let store = try await Store<New>(storage: engine("older"), upgrades: Self.upgrades)
    #expect(store.items.isEmpty)
    #expect(store.loadIssues.map(\.key.rawValue) == ["b"])
    await #expect(throws: StorageError.self) {
      try await store.add(New(id: "b", body: "mine", favorites: 0))
    }
    try await store.removeAll()
    try await store.add(New(id: "a", body: "", favorites: 0))
    #expect(try await raw.read(key: CacheKey(verbatim: "b")) == row)
  }
}
