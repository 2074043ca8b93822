import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

/// Operations that wait together: one commit, and for each what it would be alone.
@MainActor
@Suite struct BatchTests {
  private typealias Change = @MainActor (Store<Note>) async throws -> Void

  /// Begins all changes in one turn of the main actor; returns which of them failed.
  private func together(_ changes: [Change], on store: Store<Note>) async -> [Bool] {
    let tasks = changes.map { change in Task.immediate { try await change(store) } }
    var failed: [Bool] = []
    for task in tasks {
      if case .failure = await task.result { failed.append(true) } else { failed.append(false) }
    }
    return failed
  }

  private func oneByOne(_ changes: [Change], on store: Store<Note>) async -> [Bool] {
    var failed: [Bool] = []
    for change in changes {
      do {
        try await change(store)
        failed.append(false)
      } catch {
        failed.append(true)
      }
    }
    return failed
  }

  @Test func `updates that wait together are one commit, each on top of those before`() async throws
  {
    let engine = ContestedEngine()
    let store = try await Store<Note>(storage: engine)
    try await store.add(Note(id: "a"))
    let update: Change = { try await $0.update("a") { $0.text += "." } }
    #expect(await together([Change](repeating: update, count: 100), on: store).allSatisfy { !$0 })
    #expect(store.items == [Note(id: "a", text: String(repeating: ".", count: 100))])
    #expect(await engine.attempts == 1)
    // Others change the item before the commit.
    await engine.conflict(times: 3)
    _ = await together([Change](repeating: update, count: 10), on: store)
    #expect(store["a"]?.text.count == 110)
    #expect(await engine.attempts == 4)
  }

  @Test func `updates that wait together are shown in one change, and each is an event`()
    async throws
  {
    let directory = TemporaryDirectory()
    let store = try await Store<Note>(storage: directory.engine())
    try await store.add([Note(id: "a"), Note(id: "b")])
    let changes = (0..<100).map { number -> Change in
      { try await $0.update(number % 2 == 0 ? "a" : "b") { $0.text += "." } }
    }
    let counter = ChangeCounter { store.items }
    #expect(await together(changes, on: store).allSatisfy { !$0 })
    #expect(counter.count == 1)
    #expect(store.items.map(\.text.count) == [50, 50])
    var events = store.events.makeAsyncIterator()
    while let event = await events.next(), event.operation != .loaded {}
    #expect(await together(changes, on: store).allSatisfy { !$0 })
    for number in 0..<100 {
      let event = await events.next()
      #expect(event?.items.map(\.text.count) == [51 + number / 2])
    }
  }

  private func change(_ random: inout SplitMix64) -> Change {
    let note = Note(id: "\(random.below(5))", text: "\(random.below(1_000))")
    switch random.below(8) {
    case 0, 1: return { try await $0.add(note) }
    case 2: return { try await $0.remove(note) }
    case 3: return { try await $0.removeAll() }
    case 4: return { try await $0.update(note.id) { $0.text += "+" + note.text } }
    case 5: return { try await $0.update(note.id) { _ in throw TestFailure("no") } }
    case 6: return { try await $0.update(note.id) { $0.id = "another" } }
    default:
      let other = Note(id: "\(random.below(5))", text: "m")
      return { store in
        try await store.merge([note, other], removing: ["4"]) { old, new in
          Note(id: old.id, text: old.text + "&" + new.text)
        }
      }
    }
  }

  @Test(arguments: 0..<60)
  func `changes that wait together end as one by one`(_ seed: Int) async throws {
    var random = SplitMix64(seed: UInt64(seed))
    let changes = (0..<12).map { _ in change(&random) }
    let directory = TemporaryDirectory()
    let store = try await Store<Note>(storage: directory.engine())
    let other = try await Store<Note>(storage: MemoryStorageEngine())
    let failed = await together(changes, on: store)
    #expect(await oneByOne(changes, on: other) == failed)
    #expect(store.items == other.items)
    #expect(try await Store<Note>(storage: directory.engine()).items == store.items)
  }

  /// Cannot be encoded with some texts.
  private struct Picky: Codable, Equatable, Identifiable, Sendable {
    var id: String
    var text = ""

    func encode(to encoder: any Encoder) throws {
      if text.contains("x") { throw TestFailure("unwanted") }
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(id, forKey: .id)
      try container.encode(text, forKey: .text)
    }
  }

  @Test func `one that cannot be encoded fails alone, and the others do without it`() async throws {
    let directory = TemporaryDirectory()
    let store = try await Store<Picky>(storage: directory.engine())
    try await store.add([Picky(id: "a"), Picky(id: "b")])
    let tasks = ["1", "x", "2"].map { text in
      Task.immediate { try await store.update("a") { $0.text += text } }
    }
    let outcomes = [
      await tasks[0].result, await tasks[1].result, await tasks[2].result,
    ].map { (try? $0.get()) != nil }
    #expect(outcomes == [true, false, true])
    #expect(store.items == [Picky(id: "a", text: "12"), Picky(id: "b")])
  }

  @Test func `one that the engine refuses fails alone`() async throws {
    let engine = ContestedEngine { changes in
      for case .write(_, key: CacheKey(verbatim: "refused"), _) in changes {
        throw TestFailure("refused")
      }
    }
    let store = try await Store<Note>(storage: engine)
    let failed = await together(
      [
        { try await $0.merge([Note(id: "a")]) }, { try await $0.merge([Note(id: "refused")]) },
        { try await $0.update("a") { $0.text = "b" } },
      ], on: store)
    #expect(failed == [false, true, false])
    #expect(store.items == [Note(id: "a", text: "b")])
  }

  @Test func `memory is what is stored, when a caller is canceled at any moment`() async throws {
    let directory = TemporaryDirectory()
    let store = try await Store<Note>(storage: directory.engine())
    for number in 0..<40 {
      let task = Task.immediate { try await store.add(Note(id: "\(number)")) }
      for _ in 0..<number % 5 { await Task.yield() }
      task.cancel()
      try await task.value
    }
    #expect(store.items.count == 40)
    #expect(try await Store<Note>(storage: directory.engine()).items == store.items)
  }

  @Test func `an engine that heeds cancellation is not called in a canceled task`() async throws {
    let store = try await Store<Note>(
      storage: ContestedEngine { _ in try Task.checkCancellation() })
    for number in 0..<20 {
      let task = Task.immediate { try await store.add(Note(id: "\(number)")) }
      task.cancel()
      try await task.value
    }
    #expect(store.items.count == 20)
  }

  @Test func `a caller of low priority performs its operation for itself alone`() async throws {
    let directory = TemporaryDirectory()
    let store = try await Store<Note>(storage: directory.engine())
    let low = (0..<10).map { number in
      Task(priority: .background) { try await store.add(Note(id: "\(number)")) }
    }
    for number in 10..<20 { try await store.add(Note(id: "\(number)")) }
    for task in low { try await task.value }
    #expect(Set(store.items.map(\.id)).count == 20)
  }
}
