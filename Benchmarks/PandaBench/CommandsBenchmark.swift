internal import Foundation
internal import Grove
internal import PandaTestSupport
internal import PictureCodecs

/// Measures commands of the shell: whole processes, from their start to their first and last line.
struct CommandsBenchmark {
  /// The number of runs of each command.
  private static let rounds = Extent.runs(9)
  /// The number of pictures to add.
  private static let pictureCount = Extent.count(200)

  let report: Report

  func run() async throws {
    let favorites = FavoritesFile.many
    let program = try BuildProducts.path(of: "panda")
    let directory = try await favorites.kept()
    report.note("Commands on \(favorites.name), median of \(Self.rounds) processes; times in ms")
    report.header(["first line", "last line", "end"])
    let base = CommandHome()
    defer { base.remove() }
    for arguments in [
      ["today"], ["today", "--greeting"], ["today", "--greeting", "--graphics", "symbols"],
      ["list"], ["list", "-n", "1"], ["list", "--ids"], ["list", "--json"],
      ["list", "--sort", "newest"], ["stats"],
    ] {
      let command = [program] + arguments + ["--data-dir", directory.path]
      // What is remembered of the day, and the thumbnail, are there after the first.
      _ = try base.run(command)
      let runs = try (0..<Self.rounds).map { _ in try base.run(command) }
      report.row(
        arguments.joined(separator: " "), of: "commands",
        [
          ("first_ms", median(runs.map { $0.milliseconds(to: \.first) }), 1),
          ("last_ms", median(runs.map { $0.milliseconds(to: \.last) }), 1),
          ("end_ms", median(runs.map { $0.milliseconds(to: \.end) }), 1),
        ])
    }
    try add(base, program)
    try await ScreenBesideCommands(report: report).run()
  }

  /// Adds a directory of pictures as a camera makes them, but smaller.
  private func add(_ base: CommandHome, _ program: String) throws {
    let pictures = base.url.appending(path: "pictures")
    try FileManager.default.createDirectory(at: pictures, withIntermediateDirectories: true)
    for number in 0..<Self.pictureCount {
      let drawing = BambooGrove.drawing(
        seed: UInt64(number), size: PixelSize(width: 1_200, height: 900))
      try drawing.bitmap.jpegData(quality: 90)?
        .write(to: pictures.appending(path: "\(number).jpg"))
    }
    let run = try base.run(
      [program, "add", pictures.path, "--data-dir", base.url.appending(path: "added").path])
    report.note("Adding \(Self.pictureCount) JPEG files of 1200x900 pixels")
    report.header(["pictures/s"])
    report.row(
      "add", of: "commands",
      [("pictures_per_second", Double(Self.pictureCount) / run.milliseconds(to: \.end) * 1_000, 0)])
  }
}
