internal import Foundation
internal import PandaCore
internal import PandaTestSupport
internal import Pantry

/// Measures the time from launch to frames, and the memory then.
///
/// The program runs in a pseudo-terminal of 100x30 cells. The grove draws the pictures: no network
/// is involved.
struct LaunchBenchmark {
  private static let runs = 9

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
    try await launch(FavoritesFile(count: 1_000, bytes: 200_000))
    let many = FavoritesFile(count: 10_000, bytes: 300_000)
    try await launch(many, data: many.kept())
    try await launch(many, data: many.kept(), isCold: true)
    report.note("frame: the first one. favorites: their count, and all thumbnails in view.")
    report.note("RSS, peak: once it is idle.")
    report.note("complete: those, and the first panda of the grove, drawn and shown on the card.")
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
    for run in 0...Self.runs {
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
    let panda = try PseudoTerminal(
      BuildProducts.path(of: "panda"),
      ["--source", "grove", "--data-dir", data],
      environment: [
        "TERM=xterm-256color", "LANG=C.UTF-8", "COLORTERM=truecolor",
        "XDG_CACHE_HOME=\(directory.path("cache"))", "XDG_STATE_HOME=\(directory.path("state"))",
      ], columns: 100, rows: 30)
    func waits(for question: String) -> Bool {
      panda.arrival(of: Array(question.utf8), from: 0) == nil
    }
    while waits(for: "\u{1B}[c") { try await pause(.microseconds(500), since: start) }
    try panda.write("\u{1B}[?62;22c")
    // Searching takes processor time that the program needs, so it is done afterwards.
    while !Frames(panda.output).isComplete(favorites) {
      try await pause(.milliseconds(200), since: start)
    }
    let (output, arrivals) = (panda.output, panda.arrivals)
    func moment(_ holds: (Frames) -> Bool) -> Double {
      // What is on the screen once stays there.
      let first = arrivals.partitioningIndex { holds(Frames(Array(output.prefix($0.count)))) }
      return (arrivals[first].moment - start) / .milliseconds(1)
    }
    var launch = Launch()
    launch.firstFrame = moment(\.isDrawn)
    launch.favorites = moment { $0.hasFavorites(favorites) }
    launch.complete = moment { $0.isComplete(favorites) }
    let process = try await panda.processIdentifier()
    // The oldest favorites may still be loading.
    try await ProcessActivity(of: process).waitForRest()
    let status = try ProcessMemory(of: process)
    launch.residentMegabytes = status.resident
    launch.peakMegabytes = status.peak
    try panda.write("q")
    _ = try await panda.waitForExit()
    return launch
  }

  private func pause(_ duration: Duration, since start: ContinuousClock.Instant) async throws {
    guard ContinuousClock.now - start < .seconds(60) else {
      throw TestFailure("No complete frame in a minute.")
    }
    try await Task.sleep(for: duration)
  }
}

extension Array {
  /// Returns the index of the first element that satisfies a condition, as all after it do.
  ///
  /// - Complexity: O(log n).
  fileprivate func partitioningIndex(where holds: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

/// The frames drawn so far, parsed from the program's output to a terminal of 100x30 cells.
private struct Frames {
  /// The column of the line between the card and the carousel (`Layout` at 100x30), counted from 1.
  private static let dividerColumn = 68
  /// The number of thumbnails beside each other, and of their rows, at least.
  private static let thumbnails = (across: 2, rows: 20)

  private let bytes: [UInt8]
  private var pictureRows: [Int: Set<Int>] = [:]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    // A row of a picture: ESC [ row ; column H, then a direct color.
    let text = bytes.split(separator: 0x1B, omittingEmptySubsequences: true)
    for (move, color) in zip(text, text.dropFirst())
    where color.starts(with: "[38;2;".utf8) || color.starts(with: "[48;2;".utf8) {
      guard move.first == UInt8(ascii: "["), move.last == UInt8(ascii: "H") else { continue }
      let numbers = move.dropFirst().dropLast().split(separator: UInt8(ascii: ";"))
        .compactMap { Int(String(decoding: $0, as: UTF8.self)) }
      if numbers.count == 2 { pictureRows[numbers[0], default: []].insert(numbers[1]) }
    }
  }

  /// Whether the first frame is complete, which the end of its synchronized update marks.
  var isDrawn: Bool { String(decoding: bytes, as: UTF8.self).contains("\u{1B}[?2026l") }

  /// Whether the card shows a picture.
  var hasCard: Bool { pictureRows.values.contains { $0.contains { $0 < Self.dividerColumn } } }

  /// Returns whether all of that is on the screen.
  func isComplete(_ count: Int) -> Bool { hasFavorites(count) && hasCard }

  /// Returns whether the title shows the count of favorites, and all visible thumbnails are drawn.
  func hasFavorites(_ count: Int) -> Bool {
    guard String(decoding: bytes, as: UTF8.self).contains("(\(count))") else { return false }
    guard count > 0 else { return true }
    let whole = pictureRows.values.count { columns in
      columns.count { $0 > Self.dividerColumn } >= Self.thumbnails.across
    }
    return whole >= Self.thumbnails.rows
  }
}
