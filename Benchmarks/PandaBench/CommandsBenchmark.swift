internal import Foundation
internal import Grove
internal import PictureCodecs

/// Measures commands of the shell: whole processes, from their start to their first and last line.
struct CommandsBenchmark {
  /// How often each command is run.
  private static let rounds = 9
  /// The number of pictures to add.
  private static let pictureCount = 200

  let report: Report

  func run() async throws {
    let favorites = FavoritesFile(count: 10_000, bytes: 300_000)
    let directory = try await favorites.kept()
    report.note("Commands on \(favorites.name), median of \(Self.rounds) processes; times in ms")
    report.header(["first line", "end"])
    let base = TemporaryFolder()
    defer { base.remove() }
    for arguments in [
      ["today"], ["today", "--greeting"], ["today", "--greeting", "--graphics", "symbols"],
      ["list"], ["list", "-n", "1"], ["list", "--ids"], ["list", "--json"],
      ["list", "--sort", "newest"], ["stats"],
    ] {
      let command = [program] + arguments + ["--data-dir", directory.path]
      // What is remembered of the day, and the thumbnail, are there after the first.
      _ = try base.measure(command)
      let runs = try (0..<Self.rounds).map { _ in try base.measure(command) }
      report.row(
        arguments.joined(separator: " "), of: "commands",
        [
          ("first_ms", Self.median(runs.map(\.first)), 1),
          ("end_ms", Self.median(runs.map(\.end)), 1),
        ])
    }
    try add(base)
  }

  /// Adds a directory of pictures as a camera makes them, but smaller.
  private func add(_ base: TemporaryFolder) throws {
    let pictures = base.url.appending(path: "pictures")
    try FileManager.default.createDirectory(at: pictures, withIntermediateDirectories: true)
    for number in 0..<Self.pictureCount {
      let drawing = BambooGrove.drawing(
        seed: UInt64(number), size: PixelSize(width: 1_200, height: 900))
      try drawing.bitmap.jpegData(quality: 90)?
        .write(to: pictures.appending(path: "\(number).jpg"))
    }
    let run = try base.measure(
      [program, "add", pictures.path, "--data-dir", base.url.appending(path: "added").path])
    report.note("Adding \(Self.pictureCount) JPEG files of 1200x900 pixels")
    report.header(["pictures/s"])
    report.row(
      "add", of: "commands",
      [("pictures_per_second", Double(Self.pictureCount) / run.end * 1_000, 0)])
  }

  private var program: String { ".build/release/panda" }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}

/// A directory for what commands remember, cache and keep.
private struct TemporaryFolder {
  let url = FileManager.default.temporaryDirectory.appending(path: "panda-bench-\(UUID())")

  func remove() {
    // What is left is in a directory for temporary files.
    try? FileManager.default.removeItem(at: url)  // see above
  }

  /// Runs a command; returns the milliseconds until its first bytes and until its end.
  func measure(_ arguments: [String]) throws -> (first: Double, end: Double) {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw BenchmarkFailure(description: "There is no pipe.") }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    posix_spawn_file_actions_addclose(&actions, ends[0])
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    let argv = arguments.map { strdup($0) } + [nil]
    let variables = [
      "PATH=/usr/bin:/bin", "LANG=C.UTF-8", "HOME=\(url.path)",
      "XDG_STATE_HOME=\(url.path)/state",
      "XDG_CACHE_HOME=\(url.path)/cache",
    ]
    let environment = variables.map { strdup($0) } + [nil]
    defer { for pointer in argv + environment { free(pointer) } }
    var process: pid_t = 0
    let start = ContinuousClock.now
    let code = posix_spawn(&process, arguments[0], &actions, nil, argv, environment)
    close(ends[1])
    defer { close(ends[0]) }
    guard code == 0 else { throw BenchmarkFailure(description: "\(arguments[0]) did not start.") }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var first = Double.nan
    while true {
      let count = read(ends[0], &buffer, buffer.count)
      if count <= 0 { break }
      if first.isNaN { first = (ContinuousClock.now - start) / .milliseconds(1) }
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    guard status == 0 else {
      throw BenchmarkFailure(description: "\(arguments.joined(separator: " ")) failed.")
    }
    return (first, (ContinuousClock.now - start) / .milliseconds(1))
  }
}
