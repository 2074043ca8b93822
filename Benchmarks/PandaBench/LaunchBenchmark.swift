internal import Foundation
internal import PandaCore
internal import PandaTestSupport
internal import Pantry

/// From starting the program to its frames, and the memory it then has, in a pseudo-terminal of
/// 100x30 cells.
///
/// The pictures are drawn by the grove: no network is involved.
struct LaunchBenchmark {
  private static let runs = 9
  private static let favoriteBytes = 200_000

  let report: Report

  /// When frames were on the terminal, in milliseconds after the start, and the memory then.
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
    for count in [0, 1_000] {
      let directory = TemporaryDirectory()
      try await fill(directory, count: count)
      var launches: [Launch] = []
      // The first one warms the file cache, for all alike.
      for run in 0...Self.runs {
        let launch = try await launch(directory, favorites: count)
        if run > 0 { launches.append(launch) }
      }
      report.row(
        "\(count) favorites of \(Self.favoriteBytes / 1_000) KB", of: "launch",
        [
          ("frame_ms", median(launches.map(\.firstFrame)), 1),
          ("favorites_ms", median(launches.map(\.favorites)), 1),
          ("complete_ms", median(launches.map(\.complete)), 1),
          ("resident_mb", median(launches.map(\.residentMegabytes)), 1),
          ("peak_mb", median(launches.map(\.peakMegabytes)), 1),
        ])
    }
    report.note("frame: the first one. favorites: their count, and all thumbnails in view.")
    report.note("complete: those, and the first panda of the grove, drawn and shown on the card.")
  }

  /// Saves favourites: drawings of the grove, each made different and 200 KB long by what follows
  /// the picture in its file.
  private func fill(_ directory: TemporaryDirectory, count: Int) async throws {
    guard count > 0 else { return }
    let drawings = try (0..<12).map { seed in
      try BambooGrove.drawing(
        seed: UInt64(seed), size: PixelSize(width: 400, height: 300)
      ).pngData()
    }
    let store = try await Store<RemoteImage>(
      storage: SQLiteStorageEngine(
        directory: StorageDirectory(url: directory.url.appending(path: "data")),
        databaseFilename: "favorites.sqlite", namespace: "RemoteImage"))
    let images = (0..<count).map { number in
      var bytes = drawings[number % drawings.count]
      bytes.append(contentsOf: "\(number)".utf8)
      if bytes.count < Self.favoriteBytes {
        bytes.append(Data(count: Self.favoriteBytes - bytes.count))
      }
      return RemoteImage(
        createdAt: Date(), url: URL(string: "panda://bench/\(number)")!, width: 400, height: 300,
        dataRepresentation: Attachment(bytes), source: "bench")
    }
    try await store.add(images)
  }

  private func launch(_ directory: TemporaryDirectory, favorites: Int) async throws -> Launch {
    let clock = ContinuousClock()
    let start = clock.now
    func elapsed() -> Double { (clock.now - start) / .milliseconds(1) }
    let panda = try PseudoTerminal(
      BuildProducts.path(of: "panda"),
      ["--source", "grove", "--data-dir", directory.path("data")],
      environment: [
        "TERM=xterm-256color", "LANG=C.UTF-8", "COLORTERM=truecolor", "HOME=/nonexistent",
        "XDG_CACHE_HOME=\(directory.path("cache"))", "XDG_STATE_HOME=\(directory.path("state"))",
      ], columns: 100, rows: 30)
    var launch = Launch()
    var isAsked = false
    while launch.complete == 0 {
      let frames = Frames(panda.output)
      if !isAsked, frames.asks {
        isAsked = true
        try panda.write("\u{1B}[?62;22c")
      }
      if launch.firstFrame == 0, frames.isDrawn { launch.firstFrame = elapsed() }
      if launch.favorites == 0, frames.hasFavorites(favorites) { launch.favorites = elapsed() }
      if launch.favorites > 0, frames.hasCard { launch.complete = elapsed() }
      guard elapsed() < 60_000 else { throw TestFailure("No complete frame in a minute.") }
      try await Task.sleep(for: .microseconds(500))
    }
    let status = try ProcessMemory(of: await panda.processIdentifier())
    launch.residentMegabytes = status.resident
    launch.peakMegabytes = status.peak
    try panda.write("q")
    _ = try await panda.waitForExit()
    return launch
  }
}

/// What has been drawn, read from the bytes that the program sent to a terminal of 100x30 cells.
private struct Frames {
  /// The row of the line above the carousel (`Layout` at 30 rows), counted from 1.
  private static let dividerRow = 22
  /// How many thumbnails there are in a row of 100 columns, the cut one included.
  private static let thumbnails = 6

  private let bytes: [UInt8]
  private var pictureRows: [Int: Set<Int>] = [:]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    // A row of a picture: ESC [ row ; column H, then a direct colour.
    let text = bytes.split(separator: 0x1B, omittingEmptySubsequences: true)
    for (move, color) in zip(text, text.dropFirst()) where color.starts(with: "[38;2;".utf8) {
      guard move.first == UInt8(ascii: "["), move.last == UInt8(ascii: "H") else { continue }
      let numbers = move.dropFirst().dropLast().split(separator: UInt8(ascii: ";"))
        .compactMap { Int(String(decoding: $0, as: UTF8.self)) }
      if numbers.count == 2 { pictureRows[numbers[0], default: []].insert(numbers[1]) }
    }
  }

  /// Whether the terminal was asked what it is (DA1).
  var asks: Bool { bytes.firstRange(of: Array("\u{1B}[c".utf8)) != nil }

  /// Whether the first frame has ended: that is the end of its synchronized update.
  var isDrawn: Bool { String(decoding: bytes, as: UTF8.self).contains("\u{1B}[?2026l") }

  /// Whether a picture is on the card.
  var hasCard: Bool { pictureRows.keys.contains { $0 < Self.dividerRow } }

  /// Whether the favourites are counted in the title, and all thumbnails in view are there.
  func hasFavorites(_ count: Int) -> Bool {
    guard String(decoding: bytes, as: UTF8.self).contains("(\(count))") else { return false }
    guard count > 0 else { return true }
    return pictureRows.contains { $0.key > Self.dividerRow && $0.value.count >= Self.thumbnails }
  }
}
