import Foundation
import PandaTestSupport
import Pantry
import PantryPostgres
import Testing

/// Stores of real processes on one server.
@MainActor
@Suite(
  .enabled(if: PostgresCluster.programs != nil, PostgresCluster.advice), .timeLimit(.minutes(60)))
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

  @Test func `ten processes that write, change and remove concurrently converge`() async throws {
    let each = Torture.rounds(10, orTorture: 200)
    let store = try await store()
    try await store.add(Note(id: "sum", text: "0"))
    let peers = try (0..<10).map { try probe("peer", "p\($0)", each, 10 * each) }
    try await eventually(
      "the sum", deadline: .seconds(600), seen: { store["sum"]?.text ?? "" },
      condition: { store["sum"]?.text == "\(10 * each)" })
    #expect(store.items.count == 10 * (each - each / 5) + 1)
    #expect(store["p3-6"]?.text == "changed")
    let expected = store.items.map { "\($0.id) \($0.text)" }.joined(separator: ",")
    for peer in peers { #expect(await peer.line() == expected) }
  }
}
