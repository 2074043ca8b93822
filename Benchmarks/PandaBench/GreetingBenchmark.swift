internal import Foundation
internal import PandaTestSupport

/// Measures `panda today --greeting` in a terminal, from starting the process to its end.
///
/// A shell waits for all of that before its first prompt.
struct GreetingBenchmark {
  private static let runs = Extent.runs(300)

  let report: Report

  func run() async throws {
    let favorites = FavoritesFile.many
    let data = try await favorites.kept()
    report.note("A greeting with \(favorites.name), \(Self.runs) processes; times in ms")
    report.header(["median", "p99", "worst", "processor"])
    let directory = TemporaryDirectory()
    for (name, variables, removed) in [
      ("symbols", ["TERM=xterm-256color", "COLORTERM=truecolor"], nil),
      ("symbols of 256 colors", ["TERM=xterm-256color"], nil),
      ("kitty", ["TERM=xterm-kitty"], nil),
      ("no thumbnail yet", ["TERM=xterm-256color", "COLORTERM=truecolor"], "cache"),
      ("the first of a day", ["TERM=xterm-256color", "COLORTERM=truecolor"], "state"),
    ] as [(String, [String], String?)] {
      _ = try await greet(variables, directory, data)
      var (times, costs): ([Double], [Double]) = ([], [])
      for _ in 0..<Self.runs {
        if let removed { try FileManager.default.removeItem(atPath: directory.path(removed)) }
        let before = Self.processorTime
        times.append(try await greet(variables, directory, data))
        costs.append(Self.processorTime - before)
      }
      report.row(
        name, of: "greeting", latencySummary(times) + [("processor_ms", median(costs), 1)])
    }
  }

  /// Returns the time of a greeting, in milliseconds.
  ///
  /// Its processor time is counted when its terminal is gone, whose process has waited for it.
  private func greet(
    _ variables: [String], _ directory: TemporaryDirectory, _ data: URL
  ) async throws -> Double {
    let start = ContinuousClock.now
    let panda = try PseudoTerminal(
      BuildProducts.path(of: "panda"), ["today", "--greeting", "--data-dir", data.path],
      environment: [
        "LANG=C.UTF-8", "XDG_CACHE_HOME=\(directory.path("cache"))",
        "XDG_STATE_HOME=\(directory.path("state"))",
      ] + variables, columns: 100, rows: 30)
    while panda.condition == .running { try await Task.sleep(for: .microseconds(200)) }
    let time = (ContinuousClock.now - start) / .milliseconds(1)
    guard try await panda.waitForExit() == .exited(0) else {
      throw BenchmarkFailure(description: "The greeting failed.")
    }
    return time
  }

  /// The processor time of all ended children, in milliseconds.
  private static var processorTime: Double {
    var usage = rusage()
    getrusage(RUSAGE_CHILDREN.rawValue, &usage)
    let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
    let microseconds = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec
    return Double(seconds) * 1_000 + Double(microseconds) / 1_000
  }
}
