import Foundation
import PandaTestSupport
import Pantry
import PantryPostgres
import Testing

/// Lists of keys, as they are on every engine.
@MainActor
@Suite(.enabled(if: PostgresCluster.programs != nil, "\(PostgresCluster.advice)"))
struct PostgresValueTests {
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
    try await eventually("both have all") { lists.allSatisfy { $0.ids.count == 60 } }
    #expect(lists[0].ids == lists[1].ids)
    try await lists[0].replaceAll(with: ["a", "b", "c"])
    try await lists[0].move("c", to: 0)
    try await eventually("the order") { lists[1].ids == ["c", "a", "b"] }
    #expect(try await KeyList(named: "list", storage: engine("third")).ids == ["c", "a", "b"])
    #expect(try await KeyList(named: "empty", storage: engine("third")).ids.isEmpty)
  }
}
