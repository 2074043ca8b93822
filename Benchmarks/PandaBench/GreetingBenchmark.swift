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
    report.header(["median", "p99", "worst"])
    let directory = TemporaryDirectory()
    let cache = directory.url.appending(path: "cache")
    let state = directory.url.appending(path: "state")
    for (name, variables, isCold) in [
      ("symbols", ["TERM=xterm-256color", "COLORTERM=truecolor"], false),
      ("symbols of 256 colors", ["TERM=xterm-256color"], false),
      ("kitty", ["TERM=xterm-kitty"], false),
      ("text, no thumbnails yet", ["TERM=xterm-256color", "COLORTERM=truecolor"], true),
      ("nothing prepared yet", ["TERM=xterm-256color", "COLORTERM=truecolor"], true),
    ] {
      let isNew = name.hasPrefix("nothing")
      _ = try await greet(["--prepare"], variables, directory, data)
      var times: [Double] = []
      for _ in 0..<Self.runs {
        if isCold {
          // What a former greeting has begun must not help this one.
          try await preparationHasEnded(state)
          if FileManager.default.fileExists(atPath: cache.path) {
            try FileManager.default.removeItem(at: cache)
          }
          try age(state, removing: isNew)
        }
        times.append(try await greet(["--greeting"], variables, directory, data))
      }
      report.row(name, of: "greeting", latencySummary(times))
    }
  }

  private func greet(
    _ options: [String], _ variables: [String], _ directory: TemporaryDirectory, _ data: URL
  ) async throws -> Double {
    let start = ContinuousClock.now
    let panda = try PseudoTerminal(
      BuildProducts.path(of: "panda"), ["today", "--data-dir", data.path] + options,
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

  /// Makes what was prepared old enough to be prepared again, or removes it.
  private func age(_ state: URL, removing isNew: Bool) throws {
    let file = state.appending(path: "panda/greeting.json")
    guard !isNew else { return try FileManager.default.removeItem(at: file) }
    let text = try String(contentsOf: file, encoding: .utf8)
      .replacing(/"preparedAt":[0-9.]+/, with: "\"preparedAt\":1000")
    try Data(text.utf8).write(to: file)
  }

  /// Waits until no preparation holds its lock.
  private func preparationHasEnded(_ state: URL) async throws {
    let folder = open(state.appending(path: "panda").path, O_RDONLY | O_CLOEXEC)
    defer { close(folder) }
    let file = state.appending(path: "panda/greeting.json").path
    while flock(folder, LOCK_EX | LOCK_NB) != 0 || !FileManager.default.fileExists(atPath: file) {
      _ = flock(folder, LOCK_UN)
      try await Task.sleep(for: .milliseconds(2))
    }
  }
}
