import PandaTestSupport
import Testing

@testable import Pantry

/// Stores of two processes on one file, of which one is a second context in this process.
@MainActor
@Suite struct OtherProcessTests {
  private let directory = TemporaryDirectory()
  private let other = ProcessContext()

  private func store(_ namespace: String = "Note") async throws -> Store<Note> {
    try await Store<Note>(storage: directory.engine(namespace))
  }

  private func otherStore(_ namespace: String = "Note") async throws -> Store<Note> {
    try await other.run { try await store(namespace) }
  }

  @Test func `an item that another process has just added is updated`() async throws {
    let (here, there) = (try await store(), try await otherStore())
    for number in 0..<10 {
      let id = "note-\(number)"
      try await other.run { try await there.add(Note(id: id)) }
      try await here.update(id) { $0.text = "updated" }
      #expect(here.items.last?.text == "updated")
    }
    try await eventually("the other process shows the updates") {
      there.items.allSatisfy { $0.text == "updated" }
    }
  }

  @Test func `a merge that changes nothing here is made if another process changed the item`()
    async throws
  {
    let (here, there) = (try await store(), try await otherStore())
    let note = Note(id: "a", text: "first")
    try await here.add(note)
    for number in 0..<10 {
      try await other.run { try await there.merge([Note(id: "a", text: "other \(number)")]) }
      try await here.merge([note])
      #expect(here.items == [note])
      _ = try await other.run { try await there.update("a") { $0.text += "" } }
      #expect(there.items == [note])
    }
  }

  @Test func `a transaction that changes nothing reads what other processes have stored`()
    async throws
  {
    let (notes, drafts) = (try await store(), try await store("Draft"))
    let (otherNotes, otherDrafts) = (try await otherStore(), try await otherStore("Draft"))
    for number in 1...10 {
      try await other.run {
        try await otherNotes.transaction(with: otherDrafts) { transaction in
          transaction.add(Note(id: "note-\(number)"), to: otherNotes)
          transaction.add(Note(id: "draft-\(number)"), to: otherDrafts)
        }
      }
      let counts = try await notes.transaction(with: drafts) { _ in
        [notes.items.count, drafts.items.count]
      }
      #expect(counts == [number, number])
    }
  }

  @Test func `a transaction reads what is on disk below an optimistic change`() async throws {
    let notes = try await store()
    try await notes.add(Note(id: "a", text: "stored"))
    let change = begin(await notes.update("a") { $0.text = "shown" }, in: notes)
    let texts = try await notes.transaction { transaction in
      [notes.items[0].text, transaction.stored("a", in: notes)?.text]
    }
    #expect(texts == ["shown", "stored"])
    change.commit.succeed()
    try await change.task.value
  }

  @Test func `changes made while the file was closed are shown once it is open`() async throws {
    let here = try await store()
    let there = try await otherStore()
    try await here.add(Note(id: "a"))
    let engine = try #require(here.storage as? SQLiteStorageEngine)
    try await engine.close()
    try await other.run { try await there.add(Note(id: "b")) }
    #expect(try await engine.keyCount() == 2)
    try await eventually("the other's note is shown") { here.items.map(\.id) == ["a", "b"] }
  }

  @Test func `an optimistic change outlives a replaced table in which its item is the same`() {
    func note(_ id: String, _ text: String) -> Note { Note(id: id, text: text) }
    var table = ItemTable<Note>()
    var provisional = ProvisionalItems<Note>()
    for id in ["a", "b"] { table.upsert(note(id, "stored"), key: CacheKey(verbatim: id)) }
    let token = provisional.begin()
    for id in ["a", "b"] {
      provisional.note(CacheKey(verbatim: id), by: token, over: table) { _ in note(id, "shown") }
    }
    for edit in provisional.edits(showing: token) { edit.apply(to: &table) }
    var new = ItemTable<Note>()
    for (id, text) in [("b", "other"), ("a", "stored"), ("c", "stored")] {
      new.upsert(note(id, text), key: CacheKey(verbatim: id))
    }
    for edit in provisional.confirm([.replace(new)], by: nil, in: &table) {
      edit.apply(to: &table)
    }
    #expect(table.items == [note("b", "other"), note("a", "shown"), note("c", "stored")])
    for edit in provisional.rollBack(token) { edit.apply(to: &table) }
    #expect(table.items == new.items)
    #expect(provisional.keys.isEmpty)
  }

  @Test func `an item moves to the place of its row`() {
    var table = ItemTable<Note>()
    for (id, place) in [("a", 1), ("b", 2), ("c", 3)] {
      table.upsert(Note(id: id), key: CacheKey(verbatim: id), ordinal: place)
    }
    table.upsert(Note(id: "a", text: "moved"), key: CacheKey(verbatim: "a"), ordinal: 4)
    #expect(table.items.map(\.id) == ["b", "c", "a"])
    #expect(table.isConsistent)
  }
}
