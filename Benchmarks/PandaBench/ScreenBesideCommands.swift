internal import Foundation
internal import PandaTestSupport

/// Measures how soon the open screen shows what a command of the shell did.
///
/// A command prints its line when its change is committed; the time from that line to the end of
/// the frame that shows the change is measured, and from the command's end.
struct ScreenBesideCommands {
  private static let frameEnd = Array("\u{1B}[?2026l".utf8)
  private static let rounds = 40
  private static let favorites = FavoritesFile(count: 100, bytes: 20_000)

  let report: Report

  func run() async throws {
    let home = CommandHome()
    defer { home.remove() }
    let data = home.url.appending(path: "data")
    try await Self.favorites.fill(data)
    let program = try BuildProducts.path(of: "panda")
    let panda = try PseudoTerminal(
      program, ["--source", "grove", "--data-dir", data.path],
      environment: [
        "TERM=xterm-256color", "LANG=C.UTF-8", "COLORTERM=truecolor",
        "XDG_CACHE_HOME=\(home.url.path)/screen", "XDG_STATE_HOME=\(home.url.path)/screen",
      ], columns: 100, rows: 30)
    try await eventually("the question") {
      panda.arrival(of: Array("\u{1B}[c".utf8), from: 0) != nil
    }
    try panda.write("\u{1B}[?62;22c")
    try await eventually("the favorites") {
      panda.arrival(of: Array("(100)".utf8), from: 0) != nil
    }
    var fromLine: [Double] = []
    var fromEnd: [Double] = []
    for round in 0..<Self.rounds {
      try await silence(panda)
      let offset = panda.outputCount
      // One favorite less, and again as many.
      let arguments =
        round == 0
        ? ["remove", "--all", "number 42"] : round.isMultiple(of: 2) ? ["redo"] : ["undo"]
      let moments = try home.run(
        [program] + arguments + ["--data-dir", data.path], reading: STDERR_FILENO)
      try await eventually("the frame") { panda.arrival(of: Self.frameEnd, from: offset) != nil }
      guard let shown = panda.arrival(of: Self.frameEnd, from: offset) else { continue }
      fromLine.append(max(0, (shown - moments.first) / .milliseconds(1)))
      fromEnd.append(max(0, (shown - moments.end) / .milliseconds(1)))
    }
    report.note("The open screen beside \(Self.rounds) commands that change one favorite")
    report.header(["median ms", "p99 ms", "worst ms"])
    report.row("from the command's line to the frame", of: "commands", summary(fromLine))
    report.row("from the command's end to the frame", of: "commands", summary(fromEnd))
    try panda.write("q")
    _ = try await panda.waitForExit()
  }

  /// Waits until nothing has been printed for a fifth of a second.
  private func silence(_ panda: PseudoTerminal) async throws {
    var count = -1
    while count != panda.outputCount {
      count = panda.outputCount
      try await Task.sleep(for: .milliseconds(200))
    }
  }

  private func summary(_ values: [Double]) -> [(String, Double, Int)] {
    let sorted = values.sorted()
    return [
      ("median_ms", median(values), 1),
      ("p99_ms", sorted[min(sorted.count - 1, sorted.count * 99 / 100)], 1),
      ("worst_ms", sorted.last ?? 0, 1),
    ]
  }
}
