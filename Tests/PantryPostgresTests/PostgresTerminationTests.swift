import PandaTestSupport
import Testing

/// Sessions that an administrator ends at any moment.
@MainActor
@Suite(
  .enabled(if: PostgresCluster.programs != nil, "\(PostgresCluster.advice)"),
  .timeLimit(.minutes(60)))
struct PostgresTerminationTests {
  @Test func `randomly terminated sessions lose no acknowledged write and repeat no event`()
    async throws
  {
    let cluster = try PostgresCluster.shared.get()
    let address = try cluster.newDatabase()
    let busy = try await BusyStores(at: Array(repeating: address, count: 4))
    busy.start()
    for round in 0..<Torture.rounds(20, orTorture: 2_000) {
      try await busy.progress(1 + round % 5)
      try cluster.sql(
        """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = '\(address.split(separator: "=").last ?? "")'
        AND application_name LIKE 'machine%' ORDER BY random() LIMIT \(1 + round % 2)
        """)
    }
    try await busy.progress(20)
    try await busy.finish()
  }
}
