import Foundation
import Glibc
import PandaTestSupport
import Testing

@testable import Pantry

/// Stores of real processes on one file.
@MainActor
@Suite(.timeLimit(.minutes(15))) struct LiveProcessTests {
  // What they write is thousands of commits; whether they are on a disk is asked elsewhere.
  let directory = TemporaryDirectory(inMemory: true)

  func store() async throws -> Store<Note> { try await Store<Note>(storage: directory.engine()) }

  func probe(_ work: String, _ name: String, _ counts: Int...) throws -> ProbeProcess {
    let place = directory.url.appending(path: "store").path(percentEncoded: false)
    return try ProbeProcess("PantryLiveProbe", [work, place, name] + counts.map(String.init))
  }

  @Test func `the commits of two writers reach a third without a gap`() async throws {
    let each = Torture.rounds(600, orTorture: 3_000)
    let store = try await store()
    let events = store.events
    let writers = [try probe("write", "a", each), try probe("write", "b", each)]
    var seen: [String: [Int]] = ["a": [], "b": []]
    for await event in events where event.operation == .insert {
      for note in event.items {
        let parts = note.id.split(separator: "-")
        seen[String(parts[0])]?.append(Int(parts[1]) ?? -1)
      }
      // The store may be ahead of the events that are read here.
      if seen.values.reduce(0, { $0 + $1.count }) >= 2 * each { break }
    }
    for writer in writers { #expect(await writer.line() == "done") }
    // Each writer's in its order, each once.
    #expect(seen["a"] == Array(0..<each))
    #expect(seen["b"] == Array(0..<each))
    #expect(try await self.store().items == store.items)
  }

  @Test func `processes that write, change and remove concurrently converge`() async throws {
    let count = Torture.rounds(5, orTorture: 10)
    let each = 20
    let store = try await store()
    try await store.add(Note(id: "sum", text: "0"))
    let peers = try (0..<count).map { try probe("peer", "p\($0)", each, count * each) }
    try await eventually("the sum") { store["sum"]?.text == "\(count * each)" }
    #expect(store.items.count == count * (each - each / 5) + 1)
    let expected = store.items.map { "\($0.id) \($0.text)" }.joined(separator: ",")
    #expect(store["p3-6"]?.text == "changed")
    for peer in peers { #expect(await peer.line() == expected) }
  }

  @Test func `a commit is seen even if its writer is killed before the notification`() async throws
  {
    let store = try await store()
    var expected: [Note] = []
    for round in 0..<Torture.rounds(4, orTorture: 12) {
      let probe = try probe("die", "killed-\(round)")
      #expect(await probe.hasSucceeded() == false)
      expected.append(Note(id: "killed-\(round)", text: "shell"))
      try await eventually("round \(round)") { store.items == expected }
    }
  }

  @Test func `a transaction over two stores is complete or absent, whenever it is killed`()
    async throws
  {
    let notes = try await store()
    let shelf = try await Store<Note>(storage: directory.engine("Shelf"))
    try await notes.add((0..<5).map { Note(id: "\($0)") })
    for round in 0..<Torture.rounds(5, orTorture: 12) {
      var probe: ProbeProcess? = try probe("move", "a")
      var told = 0
      for _ in 0...round * 3 { told = try #require(Int(await probe?.line() ?? "")) }
      probe = nil
      // As the next process finds it.
      let database = try directory.database()
      let count = try #require(
        try database.integer(
          "SELECT min(json_extract(data, '$.text')) FROM item WHERE key = 'count'"))
      #expect(count >= told)
      #expect(
        try database.integer(
          "SELECT count(*) FROM item WHERE key = 'count' AND json_extract(data, '$.text') = '\(count)'"
        ) == 2)
      #expect(
        try database.integer("SELECT count(DISTINCT key) FROM item WHERE key <> 'count'") == 5)
      #expect(try database.integer("SELECT count(*) FROM item WHERE key <> 'count'") == 5)
      try await eventually("both follow") {
        notes["count"]?.text == "\(count)" && shelf["count"]?.text == "\(count)"
      }
      #expect(notes.items.count + shelf.items.count == 7)
    }
  }
}
