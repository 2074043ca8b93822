internal import Foundation

/// Measures and prints the figures in the README and the issues (`make bench`).
@main
enum PandaBench {
  /// One of the benchmarks.
  enum Benchmark: String, CaseIterable {
    case store, engines, live, startup, commands, launch, sources, session, slow, size, pictures,
      greeting, pick, postgres
  }

  /// An invalid command line: one sentence, without a full stop.
  struct UsageError: Error {
    let problem: String
  }

  static let usage = """
    Usage: panda-bench [--json] [--short] [benchmark [filter]]
           make bench ARGS="..."

    Measures on this machine, and prints medians of several runs.

    Benchmarks (all of them unless one is named):
      store [WORDS]  the Store beside plain C on SQLite; WORDS chooses the
                     operations whose names contain them
      engines        the storage engines beside each other
      live           processes that follow each other's changes
      startup        panda --version beside a C program with the same libraries
      commands       commands of the shell on 10,000 favorites
      launch         the program's launch
      sources        a first launch until a credited picture is there
      session        keys, pictures and memory while the program is used
      slow           a key in a terminal that takes less than is drawn
      size           launch, scroll, clear and undo with 100,000 favorites
      pictures       pictures through Panda and through other programs
      greeting       panda today --greeting, as a shell runs it
      pick           panda pick on a directory of 10,000 files
      postgres       the Store on a PostgreSQL server beside plain C on libpq

    For Scripts/compare-decoders:
      pixels FILE    write a picture's pixels at full size to standard output

    Options:
      --json         JSON lines instead of tables
      --short        run each once, with little: to see that it works
      -h, --help     show this help

    """

  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      if arguments.first == BenchmarkChild.argument {
        return try await BenchmarkChild.main(Array(arguments.dropFirst()))
      }
      if arguments.first == PixelsOutput.argument, arguments.count == 2 {
        return try await PixelsOutput.main(arguments[1])
      }
      if arguments.contains("--help") || arguments.contains("-h") {
        return print(usage, terminator: "")
      }
      try await run(arguments)
    } catch let error as UsageError {
      end("panda-bench: \(error.problem). Try panda-bench --help.", status: 2)
    } catch {
      end("panda-bench: \(error)", status: 1)
    }
  }

  private static func run(_ arguments: [String]) async throws {
    if arguments.contains(Extent.option) { Extent.shorten() }
    let words = arguments.filter { $0 != "--json" && $0 != Extent.option }
    if let option = words.first(where: { $0.hasPrefix("-") }) {
      throw UsageError(problem: "unknown option \(option)")
    }
    let report = Report(printsJSON: arguments.contains("--json"))
    guard let name = words.first else {
      for benchmark in Benchmark.allCases { try await run(benchmark, report) }
      return
    }
    guard let benchmark = Benchmark(rawValue: name) else {
      throw UsageError(problem: "there is no benchmark \(name)")
    }
    let filter = words.dropFirst().joined(separator: " ")
    if benchmark != .store, !filter.isEmpty {
      throw UsageError(problem: "nothing follows \(name)")
    }
    try await run(benchmark, report, filter: filter)
  }

  private static func run(
    _ benchmark: Benchmark, _ report: Report, filter: String = ""
  ) async throws {
    switch benchmark {
    case .store: try await StoreBenchmark(report: report, filter: filter).run()
    case .engines: try await EnginesBenchmark(report: report).run()
    case .live: try await LiveBenchmark(report: report).run()
    case .startup: try StartupBenchmark(report: report).run()
    case .commands: try await CommandsBenchmark(report: report).run()
    case .launch: try await LaunchBenchmark(report: report).run()
    case .sources: try await SourcesBenchmark(report: report).run()
    case .session: try await SessionBenchmark(report: report).run()
    case .slow: try await SlowBenchmark(report: report).run()
    case .size: try await SizeBenchmark(report: report).run()
    case .pictures: try await PicturesBenchmark(report: report).run()
    case .greeting: try await GreetingBenchmark(report: report).run()
    case .pick: try await PickBenchmark(report: report).run()
    case .postgres: try await PostgresBenchmark(report: report).run()
    }
  }

  private static func end(_ message: String, status: Int32) -> Never {
    FileHandle.standardError.write(Data("\(message)\n".utf8))
    exit(status)
  }
}
