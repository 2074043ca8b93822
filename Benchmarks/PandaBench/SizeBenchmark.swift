internal import Foundation
internal import PandaTestSupport
internal import Pantry
internal import PictureCodecs

/// Measures the program with 100,000 favorites: its launch, scrolling, clearing and undoing that.
struct SizeBenchmark {
  /// Small pictures: large ones would fill the disk, and nothing measured here reads them all.
  private static let favorites = FavoritesFile(
    count: 100_000, bytes: 10_000, size: PixelSize(width: 64, height: 48))
  private static let runs = 5

  let report: Report

  /// What one run took, in milliseconds from the launch or from the key.
  private struct Times {
    var firstFrame = 0.0
    var count = 0.0
    var cleared = 0.0
    var undone = 0.0
    var frames: [Double] = []
  }

  func run() async throws {
    let data = try await Self.favorites.kept()
    var all: [Times] = []
    // The first one warms the file cache for all the others.
    for run in 0...Self.runs {
      PlainSQLite.checkpoint(path: data.path + "/favorites.sqlite")
      let times = try await measure(data)
      if run > 0 { all.append(times) }
    }
    report.note("\(Self.favorites.name), median of \(Self.runs) runs, in ms")
    report.header(["frame", "count", "cleared", "undone"])
    report.row(
      "from the launch, and from the key", of: "size",
      [
        ("frame_ms", median(all.map(\.firstFrame)), 0), ("count_ms", median(all.map(\.count)), 0),
        ("cleared_ms", median(all.map(\.cleared)), 0),
        ("undone_ms", median(all.map(\.undone)), 0),
      ])
    report.header(["median ms", "p99 ms", "worst ms"])
    report.row("a frame of scrolling", of: "size", latencySummary(all.flatMap(\.frames)))
    report.note("count: the carousel's title has it, and its newest thumbnails are there.")
  }

  private func measure(_ data: URL) async throws -> Times {
    let directory = TemporaryDirectory()
    var times = Times()
    let launched = ContinuousClock.now
    let panda = try MeasuredProgram(data: data.path, source: "grove", in: directory)
    try await panda.answerIdentityQuery()
    let frame = try await panda.wait("the first frame", for: MeasuredProgram.frameEnd, from: 0)
    times.firstFrame = (frame - launched) / .milliseconds(1)
    let counted = try await panda.wait("the count", for: "(100000)", from: 0)
    times.count = (counted - launched) / .milliseconds(1)
    try panda.terminal.write("\t")
    // All of them are there when the last one can be reached.
    try await settle(panda.terminal)
    for _ in 0..<200 {
      let offset = panda.terminal.outputCount
      let pressed = ContinuousClock.now
      try panda.terminal.write("l")
      let drawn = try await panda.wait("the frame", for: MeasuredProgram.frameEnd, from: offset)
      times.frames.append((drawn - pressed) / .milliseconds(1))
    }
    try await settle(panda.terminal)
    var offset = panda.terminal.outputCount
    try panda.terminal.write("C")
    try await panda.wait("the question", for: "Clear", from: offset)
    offset = panda.terminal.outputCount
    var pressed = ContinuousClock.now
    try panda.terminal.write("y")
    times.cleared = try await passed(
      since: pressed, "the answer", "All favorites are", panda, offset)
    try await settle(panda.terminal)
    offset = panda.terminal.outputCount
    pressed = ContinuousClock.now
    try panda.terminal.write("u")
    times.undone = try await passed(since: pressed, "the answer", "Undone", panda, offset)
    try await panda.quit()
    return times
  }

  /// Waits until the program has printed `text`, and returns how long that took, in milliseconds.
  private func passed(
    since start: ContinuousClock.Instant, _ what: String, _ text: String,
    _ panda: MeasuredProgram, _ offset: Int
  ) async throws -> Double {
    (try await panda.wait(what, for: text, from: offset) - start) / .milliseconds(1)
  }

  /// Waits until nothing has been printed for a second.
  private func settle(_ terminal: PseudoTerminal) async throws {
    var count = -1
    while count != terminal.outputCount {
      count = terminal.outputCount
      try await Task.sleep(for: .seconds(1))
    }
  }
}
