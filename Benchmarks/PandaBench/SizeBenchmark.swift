internal import Foundation
internal import PandaCore
internal import PandaTestSupport
internal import Pantry
internal import PictureCodecs

/// Measures the program with 100,000 favorites: its launch, scrolling, clearing and undoing that.
struct SizeBenchmark {
  /// Small pictures: large ones would fill the disk, and nothing measured here reads them all.
  private static let favorites = FavoritesFile(
    count: Extent.count(100_000), bytes: 10_000, size: PixelSize(width: 64, height: 48))
  private static let runs = Extent.runs(5)

  let report: Report

  /// The times of one run, in milliseconds from the launch or from the key.
  private struct Times {
    var firstFrame = 0.0
    var count = 0.0
    /// Clearing twice: the second time, all pictures have been in the trash before.
    var cleared: [Double] = []
    var undone: [Double] = []
    var frames: [Double] = []
  }

  func run() async throws {
    let data = try await Self.favorites.kept()
    var all: [Times] = []
    // The first one warms the file cache for all the others.
    for run in Extent.firstRun...Self.runs {
      try await Self.emptyTrash(of: data)
      let times = try await measure(data)
      if run > 0 { all.append(times) }
    }
    report.note("\(Self.favorites.name), median of \(Self.runs) runs, in ms")
    report.header(["frame", "count", "cleared", "undone", "again", "undone"])
    report.row(
      "from the launch, and from the key", of: "size",
      [
        ("frame_ms", median(all.map(\.firstFrame)), 0), ("count_ms", median(all.map(\.count)), 0),
        ("cleared_ms", median(all.map(\.cleared[0])), 0),
        ("undone_ms", median(all.map(\.undone[0])), 0),
        ("cleared_again_ms", median(all.map(\.cleared[1])), 0),
        ("undone_again_ms", median(all.map(\.undone[1])), 0),
      ])
    report.header(["median ms", "p99 ms", "worst ms"])
    report.row("a frame of scrolling", of: "size", latencySummary(all.flatMap(\.frames)))
    report.note("count: the carousel's title has it, and its newest thumbnails are there.")
  }

  /// Deletes what an earlier run has left in the trash.
  @MainActor
  private static func emptyTrash(of data: URL) async throws {
    let library = ImageLibrary(in: StorageDirectory(url: data))
    try await library.trash.itemsHaveLoaded()
    try await library.purge(library.trash.items)
    await library.close()
  }

  private func measure(_ data: URL) async throws -> Times {
    let directory = TemporaryDirectory()
    var times = Times()
    let launched = ContinuousClock.now
    let panda = try MeasuredProgram(data: data.path, source: "grove", in: directory)
    try await panda.answerIdentityQuery()
    let frame = try await panda.wait("the first frame", for: MeasuredProgram.frameEnd, from: 0)
    times.firstFrame = (frame - launched) / .milliseconds(1)
    let counted = try await panda.wait("the count", for: "(\(Self.favorites.count))", from: 0)
    times.count = (counted - launched) / .milliseconds(1)
    try panda.terminal.write("\t")
    // All of them are there when the last one can be reached.
    try await settle(panda.terminal)
    for _ in 0..<Extent.runs(200) {
      let offset = panda.terminal.outputCount
      let pressed = ContinuousClock.now
      try panda.terminal.write("l")
      let drawn = try await panda.wait("the frame", for: MeasuredProgram.frameEnd, from: offset)
      times.frames.append((drawn - pressed) / .milliseconds(1))
    }
    for _ in 1...2 {
      try await settle(panda.terminal)
      times.cleared.append(
        try await passed(after: "C", "Clear", "y", "All favorites are", in: panda))
      try await settle(panda.terminal)
      times.undone.append(try await passed(after: "u", "Undone", in: panda))
    }
    try await panda.quit()
    return times
  }

  /// Presses `key` and waits for `text`, one pair after another.
  ///
  /// - Returns: how long the last text took, in milliseconds.
  private func passed(
    after keysAndTexts: String..., in panda: MeasuredProgram
  ) async throws -> Double {
    var milliseconds = 0.0
    for index in stride(from: 0, to: keysAndTexts.count, by: 2) {
      let offset = panda.terminal.outputCount
      let pressed = ContinuousClock.now
      try panda.terminal.write(keysAndTexts[index])
      let text = keysAndTexts[index + 1]
      milliseconds =
        (try await panda.wait("“\(text)”", for: text, from: offset) - pressed) / .milliseconds(1)
    }
    return milliseconds
  }

  /// Waits until nothing has been printed for a second.
  private func settle(_ terminal: PseudoTerminal) async throws {
    var count = -1
    while count != terminal.outputCount {
      count = terminal.outputCount
      try await Task.sleep(for: Extent.isShort ? .milliseconds(300) : .seconds(1))
    }
  }
}
