internal import Foundation
internal import Grove
internal import PandaTestSupport
internal import PictureCodecs

/// Measures `panda pick` on a directory: from starting the process to the grid and its pictures.
struct PickBenchmark {
  private static let runs = Extent.runs(30)
  private static let count = Extent.count(10_000)

  let report: Report

  func run() async throws {
    let directory = TemporaryDirectory()
    let folder = directory.url.appending(path: "pictures")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let drawings = try (0..<12).map { seed in
      try BambooGrove.drawing(seed: UInt64(seed), size: PixelSize(width: 400, height: 300))
        .pngData()
    }
    for number in 0..<Self.count {
      try drawings[number % drawings.count].write(
        to: folder.appending(path: "panda \(number).png"))
    }
    report.note(
      "panda pick on \(Self.count) files, \(Self.runs) processes; times in ms from its start")
    report.header(["median", "p99", "worst"])
    var (grids, pictures): ([Double], [Double]) = ([], [])
    // The first one makes the thumbnails, and warms the file cache for all the others.
    for run in Extent.firstRun...Self.runs {
      let (grid, picture) = try await pick(folder, directory)
      if run > 0 {
        grids.append(grid)
        pictures.append(picture)
      }
    }
    report.row("the grid, with all names and their count", of: "pick", latencySummary(grids))
    report.row("all its pictures in view", of: "pick", latencySummary(pictures))
  }

  private func pick(
    _ folder: URL, _ directory: TemporaryDirectory
  ) async throws -> (grid: Double, pictures: Double) {
    let start = ContinuousClock.now
    let panda = try PseudoTerminal(
      BuildProducts.path(of: "panda"), ["pick", folder.path],
      environment: [
        "TERM=xterm-256color", "LANG=C.UTF-8", "COLORTERM=truecolor",
        "XDG_CACHE_HOME=\(directory.path("cache"))", "XDG_STATE_HOME=\(directory.path("state"))",
      ], columns: 100, rows: 30)
    func waits(for text: String) -> Bool {
      panda.arrival(of: Array(text.utf8), from: 0) == nil
    }
    while waits(for: "\u{1B}[c") { try await pause(since: start) }
    try panda.write("\u{1B}[?62;22c")
    while waits(for: "\u{1B}[?2026l") || waits(for: "(\(Self.count))") {
      try await pause(since: start)
    }
    guard let drawn = panda.arrival(of: Array("\u{1B}[?2026l".utf8), from: 0) else {
      throw BenchmarkFailure(description: "There was no frame.")
    }
    // Dots stand for what is not decoded yet; the last output has replaced them.
    while ContinuousClock.now - (panda.lastArrival ?? start) < .milliseconds(300) {
      try await pause(since: start)
    }
    let last = panda.lastArrival ?? start
    try panda.write("q")
    _ = try await panda.waitForExit()
    return ((drawn - start) / .milliseconds(1), (last - start) / .milliseconds(1))
  }

  private func pause(since start: ContinuousClock.Instant) async throws {
    guard ContinuousClock.now - start < .seconds(60) else {
      throw BenchmarkFailure(description: "There was no grid in a minute.")
    }
    try await Task.sleep(for: .microseconds(500))
  }
}
