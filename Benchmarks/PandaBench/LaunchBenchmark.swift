internal import Foundation
internal import PandaCore
internal import PandaTestSupport
internal import Pantry

/// Measures the time from launch to frames, and the memory then.
///
/// The program runs in a pseudo-terminal of 100x30 cells. The grove draws the pictures: no network
/// is involved.
struct LaunchBenchmark {
  private static let runs = Extent.runs(9)

  let report: Report

  /// The arrival times of frames, in milliseconds after launch, and the memory afterwards.
  private struct Launch {
    var firstFrame = 0.0
    var favorites = 0.0
    var complete = 0.0
    var residentMegabytes = 0.0
    var peakMegabytes = 0.0
  }

  func run() async throws {
    report.note("Launch, median of \(Self.runs) runs; times in ms from starting the process")
    report.header(["frame", "favorites", "complete", "RSS MB", "peak MB"])
    try await launch(FavoritesFile(count: 0, bytes: 200_000))
    try await launch(FavoritesFile(count: Extent.count(1_000), bytes: 200_000))
    let many = FavoritesFile.many
    try await launch(many, data: many.kept())
    try await launch(many, data: many.kept(), isCold: true)
    report.note("frame: the first one. favorites: the frame with their count.")
    report.note("RSS, peak: once it is idle.")
    report.note("complete: all thumbnails in view, and the first panda of the grove on the card.")
    try await load(many)
  }

  /// Launches the program with these favorites, in `data` or in a fresh file.
  ///
  /// - Parameter isCold: whether each launch has an empty cache of thumbnails.
  private func launch(
    _ favorites: FavoritesFile, data: URL? = nil, isCold: Bool = false
  ) async throws {
    let directory = TemporaryDirectory()
    if data == nil, favorites.count > 0 {
      try await favorites.fill(directory.url.appending(path: "data"))
    }
    let data = data?.path ?? directory.path("data")
    var launches: [Launch] = []
    // The first one warms the file cache for all the others.
    for run in Extent.firstRun...Self.runs {
      // Programs that are ended early leave a growing log, all of which is read when the file is
      // opened.
      let file = data + "/favorites.sqlite"
      if FileManager.default.fileExists(atPath: file) { PlainSQLite.checkpoint(path: file) }
      let cache = directory.url.appending(path: "cache/panda/thumbnails")
      if isCold { try? FileManager.default.removeItem(at: cache) }  // none before the first launch
      let launch = try await launch(directory, data: data, favorites: favorites.count)
      if run > 0 { launches.append(launch) }
    }
    report.row(
      favorites.name + (isCold ? ", no thumbnails yet" : ""), of: "launch",
      [
        ("frame_ms", median(launches.map(\.firstFrame)), 1),
        ("favorites_ms", median(launches.map(\.favorites)), 1),
        ("complete_ms", median(launches.map(\.complete)), 1),
        ("resident_mb", median(launches.map(\.residentMegabytes)), 1),
        ("peak_mb", median(launches.map(\.peakMegabytes)), 1),
      ])
  }

  /// Loads these favorites without the rest of the program.
  private func load(_ favorites: FavoritesFile) async throws {
    report.note("The favorites alone, in a process that does nothing else; MB beside its own")
    report.header(["excerpt", "loaded", "RSS MB", "peak MB"])
    let directory = try await favorites.kept()
    let loads = try (0..<Self.runs).map { _ in try FavoritesLoad.inChild(directory) }
    report.row(
      favorites.name, of: "load",
      [
        ("excerpt_ms", median(loads.map(\.excerptMilliseconds)), 1),
        ("loaded_ms", median(loads.map(\.milliseconds)), 1),
        ("resident_mb", median(loads.map(\.residentGrowth)), 1),
        ("peak_mb", median(loads.map(\.peakGrowth)), 1),
      ])
  }

  private func launch(
    _ directory: TemporaryDirectory, data: String, favorites: Int
  ) async throws -> Launch {
    let start = ContinuousClock.now
    let panda = try MeasuredProgram(data: data, source: "grove", in: directory)
    try await panda.answerIdentityQuery()
    func elapsed(_ moment: ContinuousClock.Instant) -> Double {
      (moment - start) / .milliseconds(1)
    }
    var launch = Launch()
    launch.firstFrame = elapsed(
      try await panda.wait("first frame", for: MeasuredProgram.frameEnd, from: 0))
    // Without favorites there is no count.
    launch.favorites =
      favorites == 0
      ? launch.firstFrame
      : elapsed(try await panda.wait("count", for: "(\(favorites))", from: 0))
    // The star beside the title of the panda; what is not there yet has dots until then.
    try await panda.wait("panda on the card", for: "☆", from: 0)
    launch.complete = elapsed(try await panda.waitForPause(.milliseconds(400)))
    let process = try await panda.terminal.processIdentifier()
    // The oldest favorites may still be loading.
    try await ProcessActivity(of: process).waitForRest()
    let status = try ProcessMemory(of: process)
    launch.residentMegabytes = status.resident
    launch.peakMegabytes = status.peak
    try await panda.quit()
    return launch
  }
}
