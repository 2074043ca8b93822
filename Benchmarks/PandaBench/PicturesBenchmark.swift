internal import Foundation
internal import Grove
internal import PandaCore
internal import PandaTestSupport
internal import Pantry
internal import PictureCodecs

/// Measures pictures as symbols against chafa and timg, redrawing, thumbnails, and kitty uploads.
struct PicturesBenchmark {
  private static let runs = Extent.runs(7)
  /// The side of the picture: square, to fill 80x40 cells of 8x16 pixels; 12 megapixels.
  private static let side = Extent.isShort ? 800 : 3_464
  private static let cells = "80x40"

  let report: Report
  private let directory = TemporaryDirectory()

  init(report: Report) { self.report = report }

  func run() async throws {
    let drawing = BambooGrove.drawing(
      seed: 7, size: PixelSize(width: Self.side, height: Self.side))
    let picture = Self.noisy(drawing.bitmap)
    let file = directory.url.appending(path: "picture.jpg")
    guard let data = picture.jpegData(quality: 88) else {
      throw BenchmarkFailure(description: "The picture could not be encoded.")
    }
    try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
    try data.write(to: file)
    try commands(file.path(percentEncoded: false), picture)
    ZoomBenchmark(report: report).run(picture)
    try await redraws()
    try await kitty()
    try await thumbnails()
  }

  // MARK: Whole commands

  private func commands(_ file: String, _ picture: Bitmap) throws {
    let panda = try BuildProducts.path(of: "panda")
    let chafa = ["chafa", "-f", "symbols", "-c", "full", "-s", Self.cells]
    let sides: [(name: String, arguments: [String], hasForms: Bool)] = [
      ("panda show", [panda, "show", "--size", Self.cells, file], true),
      ("chafa, as it is", chafa + [file], false),
      (
        "chafa, the same symbols",
        chafa + ["--symbols", "block+sextant+space", "-w", "5", file], true
      ),
      (
        "chafa, the same, most work",
        chafa + ["--symbols", "block+sextant+space", "-w", "9", file], true
      ),
      ("timg, quarter blocks", ["timg", "-pq", "-g\(Self.cells)", file], false),
    ]
    report.note(
      "A JPEG of \(Self.side)x\(Self.side) to \(Self.cells) symbols: whole commands, median of "
        + "\(Self.runs); PSNR against the picture")
    report.header(["ms", "peak MB", "dB"])
    let target = PixelSize(width: 640, height: 640)
    let reference = picture.scaled(to: target)
    for (name, arguments, hasForms) in sides {
      guard arguments[0] == panda || MeasuredCommand.exists(arguments[0]) else {
        report.note("\(name): not installed")
        continue
      }
      let samples = try (0...Self.runs).map { _ in
        try MeasuredCommand(arguments, in: directory.url)
      }.dropFirst()
      let watched = try (0..<3).map { _ in
        try MeasuredCommand(arguments, in: directory.url, watchesMemory: true)
      }
      let psnr = hasForms ? SymbolScreen(samples[1].output).psnr(against: reference) : nil
      report.row(
        name, of: "pictures",
        [
          ("ms", median(samples.map(\.milliseconds)), 1),
          ("peak_mb", median(watched.map(\.peakMegabytes)), 1), ("psnr_db", psnr ?? .nan, 2),
        ])
    }
  }

  /// Adds photographic noise to a drawing: flat colors would be too easy to decode.
  private static func noisy(_ bitmap: Bitmap) -> Bitmap {
    var pixels = bitmap.pixels
    var state: UInt32 = 1
    for index in pixels.indices where index & 3 != 3 {
      state = state &* 1_664_525 &+ 1_013_904_223
      pixels[index] = UInt8(clamping: Int(pixels[index]) + Int(state >> 28) - 8)
    }
    return Bitmap(size: bitmap.size, pixels: pixels)
  }

  // MARK: The program in a terminal

  /// Starts a program whose screen can be watched until it is idle.
  private func start(
    _ arguments: [String], columns: Int, rows: Int, answer: String
  ) async throws -> PseudoTerminal {
    let panda = try PseudoTerminal(
      BuildProducts.path(of: "panda"),
      ["--data-dir", directory.path("data")] + arguments,
      environment: [
        "TERM=xterm-256color", "LANG=C.UTF-8", "COLORTERM=truecolor",
        "XDG_CACHE_HOME=\(directory.path("cache"))", "XDG_STATE_HOME=\(directory.path("state"))",
      ], columns: columns, rows: rows)
    try await panda.waitForOutput(containing: "\u{1B}[c")
    try panda.write(answer)
    try await panda.waitForOutput(containing: "?1049h")
    _ = try await quiet(panda)
    return panda
  }

  private static let plainAnswer = "\u{1B}[?62;22c"

  /// Waits until the output pauses; returns when the last bytes arrived, in milliseconds.
  private func quiet(_ panda: PseudoTerminal) async throws -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    var (count, last) = (panda.output.count, 0.0)
    while true {
      try await Task.sleep(for: .microseconds(200))
      let elapsed = (clock.now - start) / .milliseconds(1)
      let now = panda.output.count
      if now != count { (count, last) = (now, elapsed) }
      if elapsed > max(last, 400) + 300 { return last }
      guard elapsed < 60_000 else { throw TestFailure("The screen did not become idle.") }
    }
  }

  private func redraws() async throws {
    report.note("The program in a pseudo-terminal, median of \(Self.runs); times in ms")
    report.header(["redrawn", "resized"])
    let sizes = [
      (100, 56, PixelSize(width: 640, height: 640), "a picture of 80x40 cells"),
      (210, 78, PixelSize(width: 1_600, height: 960), "a picture of 200x60 cells"),
    ]
    for (columns, rows, picture, name) in Extent.some(sizes) {
      let drawing = BambooGrove.drawing(seed: 3, size: picture)
      let server = try PandaServer(
        pictures: [drawing.pngData()], size: (picture.width, picture.height))
      defer { server.stop() }
      let panda = try await start(
        ["--source", "\(server.endpoint)"], columns: columns, rows: rows, answer: Self.plainAnswer)
      var redrawn: [Double] = []
      var resized: [Double] = []
      for run in 0...Self.runs {
        try panda.write("\u{0C}")
        redrawn.append(try await quiet(panda))
        // A different height changes the size: the picture is decoded and converted to symbols
        // again.
        try panda.resize(columns: columns, rows: rows - run - 1)
        resized.append(try await quiet(panda))
        try panda.resize(columns: columns, rows: rows)
        _ = try await quiet(panda)
      }
      try panda.write("q")
      _ = try await panda.waitForExit()
      report.row(
        name, of: "pictures",
        [
          ("redrawn_ms", medianAfterFirst(redrawn), 1),
          ("resized_ms", medianAfterFirst(resized), 1),
        ])
    }
    report.note("redrawn: ctrl-l, all of the screen. resized: that, and the picture read, decoded")
    report.note("and made of symbols for a size that is a few rows lower.")
  }

  private func kitty() async throws {
    report.note("Bytes sent for a picture that kitty has shown before, a frame of 100x56 cells")
    report.header(["first KB", "again KB"])
    for (version, name) in [("0.41.1", "placeholders"), ("0.26.5", "placements")] {
      let answer = "\u{1B}P>|kitty(\(version))\u{1B}\\\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;c"
      let panda = try await start(
        ["--source", "grove"], columns: 100, rows: 56, answer: answer)
      var counts: [Int] = []
      // Another picture, and the one before it again.
      for key in ["f", "b"] {
        let before = panda.output.count
        try panda.write(key)
        _ = try await quiet(panda)
        counts.append(panda.output.count - before)
      }
      try panda.write("q")
      _ = try await panda.waitForExit()
      report.row(
        name, of: "pictures",
        [
          ("first_kb", Double(counts[0]) / 1_000, 1), ("again_kb", Double(counts[1]) / 1_000, 1),
        ])
    }
  }

  // MARK: Thumbnails

  private func thumbnails() async throws {
    let place = StorageDirectory(url: directory.url.appending(path: "thumbnails"))
    let pictures = try (0..<12).map { seed in
      try Attachment(BambooGrove.drawing(seed: UInt64(seed)).pngData())
    }
    // The resolution that 16x6 cells can show as symbols.
    let target = PixelSize(width: 16 * 8, height: 6 * 16)
    func read() async throws -> Double {
      let cache = ThumbnailCache(directory: place)
      let decoder = PictureDecoder()
      let start = ContinuousClock.now
      for picture in pictures {
        _ = try await cache.thumbnail(of: picture, covering: target, decoder: decoder)
      }
      return (ContinuousClock.now - start) / .milliseconds(1)
    }
    let made = try await read()
    var times: [Double] = []
    for _ in 0...Self.runs { times.append(try await read()) }
    report.note("12 thumbnails, in ms: made from pictures of 960x720, and read from the cache")
    report.header(["made", "read"])
    report.row(
      "12 thumbnails", of: "pictures",
      [("made_ms", made, 1), ("read_ms", medianAfterFirst(times), 1)])
  }
}
