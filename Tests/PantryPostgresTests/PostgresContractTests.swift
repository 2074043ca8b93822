import Foundation
import PandaTestSupport
import Pantry
import PantryPostgres
import PantryTesting
import Testing

@Suite(.enabled(if: PostgresCluster.programs != nil, "\(PostgresCluster.advice)"))
struct PostgresContractTests {
  @Test(arguments: EngineContract.allCases)
  func `PostgreSQL passes the contract of every engine`(_ promise: EngineContract) async throws {
    let cluster = try PostgresCluster.shared.get()
    let address = cluster.address()
    let subject = EngineUnderTest(
      commitsAreAtomic: true, isLive: true,
      refuse: { place, key in
        let name = place.lastPathComponent
        let number = try cluster.sql("SELECT id FROM pantry.namespace WHERE name = '\(name)'")
        let bytes = Data(key.rawValue.utf8).map { String(format: "%02x", $0) }.joined()
        try cluster.sql(
          "ALTER TABLE pantry.item ADD CHECK (key <> '\\x\(bytes)' OR namespace <> \(number))")
      },
      open: { try PostgresStorageEngine(address, namespace: $0.lastPathComponent) })
    try await promise.check(subject)
  }

  @Test(arguments: [EngineContract.conflicts, .convergence, .concurrentWrites])
  func `an ordinary role suffices, whatever its default isolation level`(
    _ promise: EngineContract
  ) async throws {
    let cluster = try PostgresCluster.shared.get()
    let role = "role_\(promise)".filter { !$0.isWhitespace }.lowercased().prefix(30)
      .filter { $0.isLetter || $0 == "_" }
    try cluster.sql("CREATE ROLE \(role) LOGIN")
    try cluster.sql("ALTER ROLE \(role) SET default_transaction_isolation = 'repeatable read'")
    try cluster.sql("CREATE DATABASE \(role) OWNER \(role)")
    let address = cluster.address(database: role, user: role)
    try await promise.check(
      EngineUnderTest(commitsAreAtomic: true, isLive: true) {
        // As two machines.
        let machine = UUID().uuidString
        return try PostgresStorageEngine(
          address + " application_name=\(machine)", namespace: $0.lastPathComponent)
      })
  }
}
