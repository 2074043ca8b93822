internal import Pantry
internal import PantryTesting

/// Pantry's engines, measured as users would measure their own (`BenchmarkableEngine`).
struct EnginesBenchmark {
  let report: Report

  func run() async throws {
    report.note("Engines without a Store, median of 7 runs; times in ms")
    report.header(["SQLite", "Disk", "Memory"])
    for benchmark in Extent.some(EngineBenchmark.allCases) {
      let runs = Extent.runs(7)
      let sqlite = try await benchmark.medianTime(of: SQLiteStorageEngine.self, runs: runs)
      let disk = try await benchmark.medianTime(of: DiskStorageEngine.self, runs: runs)
      let memory = try await benchmark.medianTime(of: MemoryStorageEngine.self, runs: runs)
      report.row(
        "\(benchmark)", of: "engines",
        [
          ("sqlite_ms", sqlite / .milliseconds(1), 2), ("disk_ms", disk / .milliseconds(1), 2),
          ("memory_ms", memory / .milliseconds(1), 2),
        ])
    }
  }
}
