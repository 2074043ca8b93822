internal import Foundation

/// `make bench`: prints the figures that the README and the issues name, measured now.
///
/// `ARGS=store`, `ARGS=engines`, `ARGS=live`, `ARGS=launch`, `ARGS=session` or
/// `ARGS=pictures` runs one of them; a further word chooses the store's operations whose names contain it; `--json` prints JSON lines instead of tables.
@main
enum PandaBench {
  static func main() async throws {
    var arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == BenchmarkChild.argument {
      return try await BenchmarkChild.main(Array(arguments.dropFirst()))
    }
    let report = Report(printsJSON: arguments.contains("--json"))
    arguments.removeAll { $0 == "--json" }
    let filter = arguments.dropFirst().joined(separator: " ")
    switch arguments.first {
    case "launch": try await LaunchBenchmark(report: report).run()
    case "store": try await StoreBenchmark(report: report, filter: filter).run()
    case "session": try await SessionBenchmark(report: report).run()
    case "engines": try await EnginesBenchmark(report: report).run()
    case "live": try await LiveBenchmark(report: report).run()
    case "pictures": try await PicturesBenchmark(report: report).run()
    case nil:
      try await StoreBenchmark(report: report).run()
      try await EnginesBenchmark(report: report).run()
      try await LiveBenchmark(report: report).run()
      try await LaunchBenchmark(report: report).run()
      try await SessionBenchmark(report: report).run()
      try await PicturesBenchmark(report: report).run()
    case let word?:
      throw BenchmarkFailure(
        description:
          "There is no benchmark \(word): store, engines, live, launch, session or pictures, with --json or not."
      )
    }
  }
}
