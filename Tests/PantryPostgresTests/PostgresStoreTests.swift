import Foundation
import PandaTestSupport
import Pantry
import PantryPostgres
import SystemSupport
import Testing

private struct Note: Codable, Equatable, Identifiable, Sendable {
  var id: String
  var text = ""
}

private final class Calls: Sendable {
  let count = Lock(0)
}

/// Stores on PostgreSQL, as a program has them.
@MainActor
@Suite(.enabled(if: PostgresCluster.programs != nil, "\(PostgresCluster.advice)"))
struct PostgresStoreTests {
  private let address: String

  init() throws { address = try PostgresCluster.shared.get().newDatabase() }

  private func store(_ namespace: String, on machine: String) throws -> Store<Note> {
    .loadingInBackground(
      storage: try PostgresStorageEngine(
        address + " application_name=\(machine)", namespace: namespace))
  }

  @Test func `changes made on one machine appear on the other`() async throws {
    let (one, other) = (try store("notes", on: "one"), try store("notes", on: "other"))
    try await other.itemsHaveLoaded()
    try await one.add((1...3).map { Note(id: "\($0)") })
    try await eventually("the added notes") { other.items.count == 3 }
    try await other.update("2") { $0.text = "changed" }
    try await eventually("the changed note") { one["2"]?.text == "changed" }
    try await one.remove(Note(id: "1"))
    try await eventually("the removal") { other.items.map(\.id) == ["2", "3"] }
  }

  @Test func `updates of two machines at once lose nothing`() async throws {
    let stores = try ["one", "other"].map { try store("notes", on: $0) }
    try await stores[0].add(Note(id: "counter"))
    for store in stores { try await store.itemsHaveLoaded() }
    try await eventually("the counter") { stores[1].items.count == 1 }
    func count(in store: Store<Note>) async throws {
      for _ in 1...50 { try await store.update("counter") { $0.text += "." } }
    }
    async let first: Void = count(in: stores[0])
    try await count(in: stores[1])
    try await first
    try await eventually("all updates") { stores.allSatisfy { $0["counter"]?.text.count == 100 } }
  }

  @Test func `no change overwrites or removes the row of a newer program`() async throws {
    let engine = try PostgresStorageEngine(address, namespace: "notes")
    let (store, objects) = (try store("notes", on: "one"), ObjectStorage<Note>(storage: engine))
    try await store.add([Note(id: "a"), Note(id: "c")])
    let newer = Data(#" {"$pantryVersion" : 9,"id":"b","é":"\\x"}"#.utf8)
    let key = CacheKey(verbatim: "b")
    try await engine.write(newer, key: key)
    let error = StorageError.newerModel(
      type: "Note", version: 9, supported: 0)
    let note = Note(id: "b")
    for change: @MainActor () async throws -> Void in [
      { try await store.add(note) }, { try await store.add([Note(id: "d"), note]) },
      { try await store.remove(note) }, { try await store.update("b") { $0.text = "x" } },
      { try await store.optimistically(store.add(note)) },
      { try await store.transaction { $0.add(note, to: store) } },
      { try await objects.store(note, forKey: key) },
      { try await objects.removeObject(forKey: key) }, { try await objects.removeAllObjects() },
    ] {
      await #expect(throws: error) { try await change() }
    }
    #expect(try await engine.read(key: key) == newer)
    #expect(try await engine.keyCount() == 3)
    try await store.removeAll()
    #expect(try await engine.readAllData() == [newer])
    try await store.removeRows(of: store.loadIssues)
    #expect(try await engine.keyCount() == 0)
    try await objects.store(note, forKey: key)
    try await objects.removeAllObjects()
    #expect(try await engine.keyCount() == 0)
  }

  @Test nonisolated func `an AsyncStoredValue is exact on twenty machines, which take turns`()
    async throws
  {
    let values = try (0..<20).map { machine in
      AsyncStoredValue(
        wrappedValue: 0, key: "count",
        storage: try PostgresStorageEngine(
          address + " application_name=m\(machine)", namespace: "values"))
    }
    let calls = Calls()
    try await withThrowingTaskGroup { group in
      for value in values {
        group.addTask {
          for _ in 0..<20 {
            try await value.update { count in
              calls.count.withLock { $0 += 1 }
              count += 1
            }
          }
        }
      }
      try await group.waitForAll()
    }
    // On what was read, and at most once more, on the row that is locked; but for the first row.
    #expect(calls.count.withLock(\.self) <= 2 * 400 + 20)
    try await values[0].update { $0 += 0 }
    #expect(values[0].wrappedValue == 400)
  }

  @Test func `a chain may update one note and overwrite another`() async throws {
    let store = try store("notes", on: "one")
    try await store.add([Note(id: "a"), Note(id: "b")])
    try await store.update("a") { $0.text = "updated" }.add(Note(id: "b", text: "added")).run()
    #expect(store.items.map(\.text) == ["updated", "added"])
    let other = try self.store("notes", on: "other")
    try await other.itemsHaveLoaded()
    #expect(other.items.map(\.text) == ["updated", "added"])
  }

  @Test func `a transaction over two stores appears atomically on the other machine`()
    async throws
  {
    let (notes, trash) = (try store("notes", on: "one"), try store("trash", on: "one"))
    let otherNotes = try store("notes", on: "other")
    let otherTrash = try store("trash", on: "other")
    try await otherNotes.itemsHaveLoaded()
    try await otherTrash.itemsHaveLoaded()
    try await notes.add(Note(id: "a"))
    try await notes.transaction(with: trash) { t in
      for note in notes.items {
        t.remove(note, from: notes)
        t.add(note, to: trash)
      }
    }
    #expect(notes.items.isEmpty && trash.items.map(\.id) == ["a"])
    try await eventually("the whole transaction") {
      otherNotes.items.isEmpty && otherTrash.items.map(\.id) == ["a"]
    }
    struct Refusal: Error {}
    await #expect(throws: Refusal.self) {
      try await trash.transaction(with: notes) { t in
        t.removeAll(from: trash)
        throw Refusal()
      }
    }
    #expect(trash.items.map(\.id) == ["a"])
  }

  @Test func `clearing keeps what another machine adds meanwhile`() async throws {
    let (one, other) = (try store("notes", on: "one"), try store("notes", on: "other"))
    let trash = try store("trash", on: "one")
    for store in [one, other, trash] { try await store.itemsHaveLoaded() }
    for round in 1...20 {
      let (first, second) = (Note(id: "\(round) first"), Note(id: "\(round) second"))
      try await one.add(first)
      async let adding: Void = other.add(second)
      try await one.transaction(with: trash) { t in
        for note in one.items { t.add(note, to: trash) }
        t.removeAll(from: one)
      }
      try await adding
      try await eventually("the note that was added meanwhile") {
        one.items.contains(second) || trash.items.contains(second)
      }
    }
  }
}
