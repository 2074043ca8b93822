internal import Foundation
internal import PandaTestSupport

/// Measures how soon the open screen shows what a command of the shell did.
///
/// A command prints its line when its change is committed; the time from that line to the end of
/// the frame that shows the change is measured, and from the command's end.
struct ScreenBesideCommands {
  private static let rounds = Extent.runs(40)
  private static let favorites = FavoritesFile(count: 100, bytes: 20_000)

  let report: Report

  func run() async throws {
    let program = try BuildProducts.path(of: "panda")
    let directory = TemporaryDirectory()
    let home = CommandHome()
    defer { home.remove() }
    let data = home.url.appending(path: "data")
    try await Self.favorites.fill(data)
    let panda = try MeasuredProgram(data: data.path, source: "grove", in: directory)
    try await panda.answerIdentityQuery()
    try await panda.wait("the favorites", for: "(100)", from: 0)
    var fromLine: [Double] = []
    var fromEnd: [Double] = []
    for round in 0..<Self.rounds {
      try await silence(panda.terminal)
      let offset = panda.terminal.outputCount
      // One favorite less, and again as many.
      let arguments =
        round == 0
        ? ["remove", "--all", "number 42"] : round.isMultiple(of: 2) ? ["redo"] : ["undo"]
      let moments = try home.run(
        [program] + arguments + ["--data-dir", data.path], reading: STDERR_FILENO)
      let shown = try await panda.wait("the frame", for: MeasuredProgram.frameEnd, from: offset)
      fromLine.append(max(0, (shown - moments.first) / .milliseconds(1)))
      fromEnd.append(max(0, (shown - moments.end) / .milliseconds(1)))
    }
    report.note("The open screen beside \(Self.rounds) commands that change one favorite")
    report.header(["median ms", "p99 ms", "worst ms"])
    report.row("from the command's line to the frame", of: "commands", latencySummary(fromLine))
    report.row("from the command's end to the frame", of: "commands", latencySummary(fromEnd))
    try await panda.quit()
  }

  /// Waits until nothing has been printed for a fifth of a second.
  private func silence(_ terminal: PseudoTerminal) async throws {
    var count = -1
    while count != terminal.outputCount {
      count = terminal.outputCount
      try await Task.sleep(for: .milliseconds(200))
    }
  }
}
