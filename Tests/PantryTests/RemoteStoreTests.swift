import PandaTestSupport
import PantryTesting
import Testing

@testable import Pantry

/// Stores on a custom engine with other writers, over a connection that may be lost.
@MainActor
@Suite struct RemoteStoreTests {
  let server = TestServer()

  func store() async throws -> Store<Note> {
    try await Store<Note>(storage: RemoteEngine(server, table: "notes"))
  }

  @Test func `stores follow each other, and recognize rows delivered again`() async throws {
    let (one, two) = (try await store(), try await store())
    try await one.add([Note(id: "b"), Note(id: "a")])
    try await eventually("the other follows") { two.items == one.items }
    let changes = ChangeCounter { two.items }
    for number in 1...5 { try await one.add(Note(id: "c", text: "\(number)")) }
    try await eventually("the last change") { two["c"]?.text == "5" }
    let seen = changes.count
    #expect((1...5).contains(seen))
    // Each of these delivers the last rows once more.
    for _ in 0..<5 { try await two.add(two.items) }
    #expect(changes.count == seen)
    try await two.remove(Note(id: "b"))
    try await eventually("the removal") { one.items.map(\.id) == ["a", "c"] }
  }

  @Test func `two concurrent counters in one row lose nothing`() async throws {
    let (one, two) = (try await store(), try await store())
    try await one.add(Note(id: "sum", text: "0"))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for store in [one, two] {
        group.addTask {
          for _ in 0..<50 {
            try await store.update("sum") { $0.text = "\((Int($0.text) ?? 0) + 1)" }
          }
        }
      }
      try await group.waitForAll()
    }
    try await eventually("the sum") { one["sum"]?.text == "100" && two["sum"]?.text == "100" }
  }

  @Test(arguments: [TestServer.Fate.madeAndAnswerLost, .lost])
  func `after a lost answer the store shows the stored state`(_ fate: TestServer.Fate) async throws
  {
    let store = try await store()
    try await store.add(Note(id: "a"))
    server.setFate(fate)
    await #expect(throws: StorageError.outcomeUnknown(reason: "the line was cut")) {
      try await store.add(Note(id: "b"))
    }
    #expect(store.items.map(\.id) == (fate == .lost ? ["a"] : ["a", "b"]))
    server.setFate(fate)
    await #expect(throws: StorageError.outcomeUnknown(reason: "the line was cut")) {
      try await store.update("a") { $0.text = "changed" }
    }
    #expect(store["a"]?.text == (fate == .lost ? "" : "changed"))
    server.setFate(fate)
    await #expect(throws: StorageError.outcomeUnknown(reason: "the line was cut")) {
      try await store.transaction { t in t.remove(Note(id: "a"), from: store) }
    }
    #expect((store["a"] == nil) == (fate == .madeAndAnswerLost))
    try await store.add(Note(id: "c"))
    #expect(try await self.store().items == store.items)
  }

  @Test func `pending operations are not retried when the answer is lost`()
    async throws
  {
    let store = try await store()
    let turn = store.core.takeTurn()
    await turn.begun()
    server.setFate(.madeAndAnswerLost)
    let tasks = (0..<3).map { number in
      Task.immediate { try await store.add(Note(id: "\(number)")) }
    }
    turn.end()
    for task in tasks { await #expect(throws: StorageError.self) { try await task.value } }
    #expect(store.items.map(\.id) == ["0", "1", "2"])
  }

  @Test func `a disconnected store has the reason, and reads missed changes later`() async throws {
    let (one, two) = (try await store(), try await store())
    #expect(one.connection == .connected)
    let changes = ChangeCounter { one.connection }
    server.setFate(.madeAndAnswerLost)
    await #expect(throws: StorageError.self) { try await one.add(Note(id: "a")) }
    server.setDown(true)
    try await eventually("it is seen") {
      one.connection == .cutOff(reason: "the server is down")
    }
    await #expect(throws: RemoteEngine.Unreachable.self) { try await one.add(Note(id: "b")) }
    server.setDown(false)
    try await eventually("it is connected") { one.connection == .connected }
    #expect(changes.count == 2)
    try await two.add(Note(id: "c"))
    try await eventually("both are the same") {
      one.items.map(\.id) == ["a", "c"] && two.items.map(\.id) == ["a", "c"]
    }
  }
}
