import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

@MainActor
@Suite struct OperationTests {
  @Test(arguments: EngineKind.allCases)
  func `nothing happens before run, then everything, and a second run does nothing`(
    _ kind: EngineKind
  )
    async throws
  {
    let storage = TestStorage(kind)
    let engine = try storage.open()
    let store = try await Store<Note>(storage: engine)
    try await store.add(Note.numbered(0..<3))
    let operation = await store.removeAll().add(Note(id: "x")).add([Note(id: "y"), Note(id: "z")])
      .remove(Note(id: "y"))
    #expect(store.items.count == 3)
    #expect(try await engine.keyCount() == 3)
    try await operation.run()
    #expect(store.items.map(\.id) == ["x", "z"])
    #expect(try await engine.allKeys().map(\.rawValue) == ["x", "z"])
    try await store.removeAll()
    try await operation.run()
    #expect(store.items.isEmpty)
  }

  @Test(arguments: [EngineKind.sqlite, .disk])
  func `a chain whose third step fails leaves disk and memory as they were`(_ kind: EngineKind)
    async throws
  {
    let storage = TestStorage(kind)
    let store = try await Store<Note>(storage: storage.open())
    let notes = Note.numbered(0..<3)
    try await store.add(notes)
    // The storage itself refuses the third step, in the middle of the transaction.
    try storage.refuse(CacheKey(verbatim: "third"))
    await #expect(throws: (any Error).self) {
      try await store.remove(notes[0]).add(Note(id: "second")).add(Note(id: "third")).run()
    }
    #expect(store.items == notes)
    let relaunched = try await Store<Note>(storage: storage.open())
    #expect(relaunched.items == notes)
    // The store still works.
    try await store.add(Note(id: "fourth"))
    #expect(store.items.last?.id == "fourth")
  }

  @Test(arguments: EngineKind.allCases)
  func `a chain is one notification`(_ kind: EngineKind)
    async throws
  {
    let storage = TestStorage(kind)
    let store = try await Store<Note>(storage: storage.open())
    try await store.add(Note.numbered(0..<5))
    let changes = ChangeCounter { store.items }
    try await store.removeAll().add(Note(id: "x")).add(Note(id: "y")).run()
    #expect(changes.count == 1)
    #expect(changes.latest.map(\.id) == ["x", "y"])
  }
}
