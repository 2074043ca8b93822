import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

@MainActor
@Suite struct OperationTests {
  @Test(arguments: EngineKind.allCases)
  func `nothing happens before run, then everything, and a second run does nothing`(
    _ kind: EngineKind
  ) async throws {
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

  @Test func `a chain that failed can run again, and after a success does nothing`() async throws {
    let engine = ObstinateEngine()
    let store = try await Store<Note>(storage: engine)
    let operation = await store.add(Note(id: "a")).update("a") { $0.text += "!" }
    await engine.failWhenWriting("a")
    for _ in 0..<2 {
      await #expect(throws: OutOfOrder()) { try await operation.run() }
      #expect(store.items.isEmpty)
    }
    await engine.failWhenWriting(nil)
    try await operation.run()
    #expect(store.items == [Note(id: "a", text: "!")])
    #expect(try await engine.allKeys().count == 1)
    try await store.removeAll()
    try await operation.run()
    #expect(store.items.isEmpty)
    // Steps that were appended since have not been performed.
    try await operation.add(Note(id: "b")).run()
    #expect(store.items == [Note(id: "b")])
  }

  @Test func `the first of several concurrent runs to succeed performs the chain`() async throws {
    let engine = ObstinateEngine()
    let store = try await Store<Note>(storage: engine)
    for fails in [true, false] {
      let operation = await store.removeAll().add(Note(id: "a")).update("a") { $0.text += "!" }
      await engine.failWhenWriting(fails ? "a" : nil)
      let commits = await engine.commitCount
      let runs = (0..<3).map { _ in Task { try await operation.run() } }
      for run in runs {
        if fails {
          await #expect(throws: OutOfOrder()) { try await run.value }
        } else {
          try await run.value
        }
      }
      #expect(await engine.commitCount == commits + (fails ? 3 : 1))
      #expect(store.items == (fails ? [] : [Note(id: "a", text: "!")]))
    }
  }
}
