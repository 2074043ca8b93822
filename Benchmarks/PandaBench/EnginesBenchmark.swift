internal import Pantry
internal import PantryTesting

/// Pantry's engines, measured as users would measure their own (`BenchmarkableEngine`).
struct EnginesBenchmark {
  let report: Report

  func run() async throws {
    report.note("Engines without a Store, median of 7 runs; times in ms")
    report.header(["SQLite", "Disk", "Memory"])
    for benchmark in EngineBenchmark.allCases {
      let sqlite = try await benchmark.medianTime(of: SQLiteStorageEngine.self)
      let disk = try await benchmark.medianTime(of: DiskStorageEngine.self)
      let memory = try await benchmark.medianTime(of: MemoryStorageEngine.self)
      report.row(
        "\(benchmark)", of: "engines",
        [
          ("sqlite_ms", sqlite / .milliseconds(1), 2), ("disk_ms", disk / .milliseconds(1), 2),
          ("memory_ms", memory / .milliseconds(1), 2),
        ])
    }
  }
}
