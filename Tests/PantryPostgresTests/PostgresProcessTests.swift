import Foundation
import PandaTestSupport
import Pantry
import PantryPostgres
import Testing

/// Stores of real processes on one server.
@MainActor
@Suite(
  .enabled(if: PostgresCluster.programs != nil, "\(PostgresCluster.advice)"),
  .timeLimit(.minutes(60)))
struct PostgresProcessTests {
  private struct Note: Codable, Equatable, Identifiable, Sendable {
    var id: String
    var text = ""
  }

  private let address: String

  init() throws { address = try PostgresCluster.shared.get().newDatabase() }

  private func store() async throws -> Store<Note> {
    try await Store(storage: PostgresStorageEngine(address, namespace: "Note"))
  }

  private func probe(_ work: String, _ name: String, _ counts: Int...) throws -> ProbeProcess {
    try ProbeProcess("PantryLiveProbe", [work, address, name] + counts.map(String.init))
  }

  /// A process that counts, and the last of its commits that it has acknowledged.
  private struct Writer {
    let name: String
    var process: ProbeProcess
    var acknowledged = 0
    /// Whether the process before this one may have committed once more than it reported.
    var follows = false

    /// Reads some lines, or all that there are.
    ///
    /// - Throws: if a count is not the one after the last: a commit was lost, or counts twice.
    mutating func read(_ count: Int = .max) async throws {
      var left = count
      while left > 0, let line = await process.line() {
        let number = try #require(Int(line))
        let isNext = number == acknowledged + 1 || follows && number == acknowledged + 2
        try #require(isNext, "\(name): \(number) after \(acknowledged)")
        follows = false
        acknowledged = number
        left -= 1
      }
    }
  }

  @Test func `a killed writer loses no acknowledged write, and no write counts twice`()
    async throws
  {
    let store = try await store()
    try await store.add(Note(id: "sum", text: "0"))
    var writers = try (0..<4).map { Writer(name: "w\($0)", process: try probe("count", "w\($0)")) }
    for index in writers.indices { try await writers[index].read(1) }
    for cycle in 0..<Torture.rounds(10, orTorture: 1_000) {
      // The first is never killed.
      let index = 1 + cycle % 3
      try await writers[index].read(1 + cycle % 4)
      writers[index].process.kill()
      try await writers[index].read()
      writers[index].process = try probe("count", writers[index].name)
      writers[index].follows = true
      try await writers[index].read(1)
      // The locks of the killed one block no other.
      try await writers[0].read(1)
    }
    for index in writers.indices {
      try writers[index].process.write("stop")
      try await writers[index].read()
      #expect(await writers[index].process.hasSucceeded(), "\(writers[index].name)")
    }
    let counts = writers.map { Note(id: $0.name, text: "\($0.acknowledged)") }
    let sum = writers.reduce(0) { $0 + $1.acknowledged }
    try await eventually("all is seen here", seen: { "\(store.items), \(counts)" }) {
      store["sum"]?.text == "\(sum)" && counts.allSatisfy { store[$0.id] == $0 }
    }
    #expect(try await self.store().items == store.items)
  }
}
