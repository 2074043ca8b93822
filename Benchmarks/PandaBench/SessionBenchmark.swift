internal import Foundation
internal import Grove
internal import PandaCore
internal import PandaTestSupport
internal import Pantry
internal import PictureCodecs

/// Measures the program in use and idle, in a pseudo-terminal of 100x30 cells.
///
/// It measures the time from a key to its frame, scrolling, the counts of collections, the
/// processor time of an animation, and the wake-ups of an idle program.
struct SessionBenchmark {
  let report: Report
  private let favorites = FavoritesFile.many

  init(report: Report) { self.report = report }

  /// Waits for a while; in the short form, for a moment.
  private func rest(_ seconds: Int) async throws {
    try await Task.sleep(for: Extent.isShort ? .milliseconds(500) : .seconds(seconds))
  }

  func run() async throws {
    report.note("A session at 100x30 cells, in symbols where nothing else is said")
    report.header(["median ms", "p99 ms", "worst ms", "frames/s"])
    try await keysWhilePicturesCome()
    try await scrolling(in: .carousel)
    try await scrolling(in: .grid)
    try await scrolling(in: .grid, of: .kitty)
    try await stepping()
    try await counting()
    try await animation()
    try await idling()
  }

  // MARK: Keys

  /// Presses Tab repeatedly while pictures of 12 megapixels are fetched, decoded and shown in turn.
  private func keysWhilePicturesCome() async throws {
    let size = PixelSize(
      width: Extent.isShort ? 400 : 4_000, height: Extent.isShort ? 300 : 3_000)
    let drawing = BambooGrove.drawing(seed: 7, size: size)
    let pictures = [drawing.bitmap.jpegData(quality: 90), try drawing.pngData()].compactMap(\.self)
    let server = try PandaServer(pictures: pictures, size: (size.width, size.height))
    defer { server.stop() }
    let directory = TemporaryDirectory()
    // Without favorites there is no carousel to go to.
    try await FavoritesFile(count: 24, bytes: 20_000).fill(directory.url.appending(path: "data"))
    let panda = try MeasuredProgram(
      data: directory.path("data"), source: server.endpoint.absoluteString, in: directory)
    try await panda.answerIdentityQuery()
    try await panda.wait("a picture", for: "38;2;", from: 0)
    var latencies: [Double] = []
    for _ in 0..<Extent.runs(20) {
      try panda.terminal.write("f")
      for _ in 0..<Extent.runs(25) {
        let offset = panda.terminal.outputCount
        let pressed = ContinuousClock.now
        // This redraws its title, since the carousel gains or loses the keyboard focus.
        try panda.terminal.write("\t")
        let drawn = try await panda.wait("the frame", for: "Favorites", from: offset)
        latencies.append((drawn - pressed) / .milliseconds(1))
        try await Task.sleep(for: .milliseconds(8))
      }
    }
    let names = "key to frame, 12-megapixel JPEG and PNG coming"
    report.row(names, of: "session", latencySummary(latencies))
    try await panda.quit()
  }

  // MARK: Scrolling

  private enum Place: String {
    case carousel, grid

    /// The key that goes there, and the key that scrolls.
    var keys: (open: String, scroll: String) { self == .carousel ? ("\t", "l") : ("v", "j") }
  }

  /// Starts the program with 10,000 favorites, and goes to a place.
  private func open(
    _ place: Place, in terminal: MeasuredProgram.Terminal
  ) async throws -> MeasuredProgram {
    let directory = TemporaryDirectory()
    let panda = try await MeasuredProgram(
      data: favorites.kept().path, source: "grove", in: directory)
    try await panda.answerIdentityQuery(as: terminal)
    try await panda.wait("the favorites", for: "(\(favorites.count))", from: 0)
    try panda.terminal.write(place.keys.open)
    // The store is complete a moment after its excerpt.
    try await rest(2)
    return panda
  }

  /// Scrolls through 10,000 favorites, pressing each key as soon as the previous frame is complete.
  ///
  /// A frame is complete with its last byte. Where thumbnails are not ready it has dots.
  private func scrolling(
    in place: Place, of terminal: MeasuredProgram.Terminal = .plain
  ) async throws {
    let panda = try await open(place, in: terminal)
    var frames: [Double] = []
    let begin = panda.terminal.outputCount
    let start = ContinuousClock.now
    for _ in 0..<Extent.count(600) {
      let offset = panda.terminal.outputCount
      let pressed = ContinuousClock.now
      try panda.terminal.write(place.keys.scroll)
      let drawn = try await panda.wait("the frame", for: MeasuredProgram.frameEnd, from: offset)
      frames.append((drawn - pressed) / .milliseconds(1))
    }
    let elapsed = (ContinuousClock.now - start) / .seconds(1)
    // Frames caused by thumbnails arriving in the meantime also count.
    let rate =
      Double(Self.count(MeasuredProgram.frameEnd, in: panda.terminal.output[begin...])) / elapsed
    let kitty = terminal == .kitty ? " in kitty" : ""
    report.row(
      "scrolling through 10,000 favorites, \(place.rawValue)\(kitty)", of: "session",
      latencySummary(frames) + [("frames_per_second", rate, 0)])
    report.note("bytes of a frame: \((panda.terminal.outputCount - begin) / frames.count)")
    try await panda.quit()
  }

  /// Scrolls by rows of the grid in kitty, pressing each key when nothing more comes.
  ///
  /// What is measured ends with the last byte for a key: that of the last thumbnail it uncovers.
  private func stepping() async throws {
    let panda = try await open(.grid, in: .kitty)
    var steps: [Double] = []
    let begin = panda.terminal.outputCount
    for _ in 0..<Extent.runs(100) {
      let pressed = ContinuousClock.now
      try panda.terminal.write(Place.grid.keys.scroll)
      let last = try await panda.waitForPause(.milliseconds(100))
      steps.append((last - pressed) / .milliseconds(1))
    }
    report.row(
      "a row of the grid in kitty, to its last byte", of: "session", latencySummary(steps))
    report.note("bytes of a row: \((panda.terminal.outputCount - begin) / steps.count)")
    try await panda.quit()
  }

  // MARK: Collections

  /// A collection, as the program remembers it.
  private struct KeptFilter: Codable, Equatable, Sendable {
    let name: String
    let filter: String
  }

  /// Opens the list of 20 collections of 10,000 favorites: to the list, and to its last count.
  private func counting() async throws {
    let directory = TemporaryDirectory()
    let state = StorageDirectory(url: directory.url.appending(path: "state/panda"))
    let collections = StoredValue<[KeptFilter]>(
      wrappedValue: [], key: "collections", directory: state)
    collections.set(
      (1...20).map {
        KeptFilter(name: "Collection \($0)", filter: $0 == 20 ? "panda" : "number \($0)")
      })
    try await collections.flush()
    let panda = try await MeasuredProgram(
      data: favorites.kept().path, source: "grove", in: directory)
    try await panda.answerIdentityQuery()
    try await panda.wait("the favorites", for: "(\(favorites.count))", from: 0)
    try await rest(2)
    var (shown, counted): ([Double], [Double]) = ([], [])
    for _ in 0..<Extent.runs(20) {
      let offset = panda.terminal.outputCount
      let pressed = ContinuousClock.now
      try panda.terminal.write("F")
      let frame = try await panda.wait("the list", for: MeasuredProgram.frameEnd, from: offset)
      let count = try await panda.wait("the last count", for: "\(favorites.count)", from: offset)
      shown.append((frame - pressed) / .milliseconds(1))
      counted.append((count - pressed) / .milliseconds(1))
      try panda.terminal.write("F")
      _ = try await panda.waitForPause(.milliseconds(100))
    }
    report.header(["median ms", "p99 ms", "worst ms"])
    report.row("to the list of 20 collections", of: "session", latencySummary(shown))
    report.row("to its last count", of: "session", latencySummary(counted))
    try await panda.quit()
  }

  private static func count(_ pattern: [UInt8], in bytes: ArraySlice<UInt8>) -> Int {
    var rest = bytes
    var count = 0
    while let range = rest.firstRange(of: pattern) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }

  // MARK: An animation

  /// Measures the processor time of an animation of 80x40 cells, after its first loop.
  private func animation() async throws {
    let directory = TemporaryDirectory()
    let photos = directory.url.appending(path: "photos")
    try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
    // A loop of two seconds, with the pixels of 80x40 cells of 8x16.
    let movie = MovingPicture(
      frameCount: 20, size: PixelSize(width: 640, height: 640), delay: 10)
    try movie.data().write(to: photos.appending(path: "panda.gif"))
    let panda = try MeasuredProgram(
      data: directory.path("data"), source: photos.path, in: directory, columns: 100, rows: 56)
    try await panda.answerIdentityQuery()
    try await panda.wait("a picture", for: "38;2;", from: 0)
    // All frames are prepared, and were shown.
    try await rest(10)
    let activity = ProcessActivity(of: try await panda.terminal.processIdentifier())
    let (offset, start) = (panda.terminal.outputCount, ContinuousClock.now)
    let before = try activity.processorTime()
    try await rest(30)
    let used = try activity.processorTime() - before
    let elapsed = ContinuousClock.now - start
    let output = panda.terminal.output[offset...]
    report.header(["% of a core", "frames/s", "KB/frame"])
    let frames = Double(Self.count(MeasuredProgram.frameEnd, in: output))
    report.row(
      "an animation of 10 frames a second, symbols", of: "session",
      [
        ("percent", used / elapsed * 100, 1),
        ("frames_per_second", frames / (elapsed / .seconds(1)), 1),
        ("frame_kb", Double(output.count) / frames / 1_000, 1),
      ])
    try await panda.quit()
  }

  // MARK: Idling

  /// Counts the context switches of the program's threads in ten seconds.
  ///
  /// With a picture from a file on the card: one of the grove blinks now and then.
  private func idling() async throws {
    let directory = TemporaryDirectory()
    let photos = directory.url.appending(path: "photos")
    try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
    let drawing = BambooGrove.drawing(seed: 7, size: PixelSize(width: 960, height: 720))
    try drawing.pngData().write(to: photos.appending(path: "panda.png"))
    let panda = try MeasuredProgram(
      data: directory.path("data"), source: photos.path, in: directory)
    try await panda.answerIdentityQuery()
    try await panda.wait("a picture", for: "38;2;", from: 0)
    // First pictures are prefetched, files are written in the background, a timer is silenced, and
    // idle threads wait five seconds for more work.
    try await rest(12)
    let process = try await panda.terminal.processIdentifier()
    let before = try Self.contextSwitches(process)
    try await rest(10)
    let after = try Self.contextSwitches(process)
    // A thread that has nothing to do ends after a while, and is in the first count alone.
    let count = after.reduce(0) { $0 + $1.value - before[$1.key, default: 0] }
    report.note("wake-ups in 10 seconds of idling: \(count), libdispatch's own ten among them")
    try await panda.quit()
  }

  /// Returns the context switches of each thread so far (proc(5), /proc/pid/task/tid/status).
  private static func contextSwitches(_ process: pid_t) throws -> [String: Int] {
    let tasks = "/proc/\(process)/task"
    let threads = try FileManager.default.contentsOfDirectory(atPath: tasks)
    return try threads.reduce(into: [:]) { counts, task in
      let status = try String(contentsOfFile: "\(tasks)/\(task)/status", encoding: .utf8)
      let lines = status.split(separator: "\n").filter { $0.contains("ctxt_switches") }
      counts[task] = lines.reduce(0) {
        $0 + (Int($1.split(whereSeparator: \.isWhitespace).last ?? "") ?? 0)
      }
    }
  }
}
