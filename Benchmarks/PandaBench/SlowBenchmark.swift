internal import Foundation
internal import PandaTestSupport

/// Measures how soon a key acts while the terminal takes less than the program has to draw.
///
/// The program shows a panda of the grove at 160x50 cells. As soon as its picture has begun, `q` is
/// pressed.
struct SlowBenchmark {
  private static let runs = Extent.runs(5)
  /// What terminals take, in megabytes a second: a mobile network, a line to a server, a terminal
  /// that is slow itself.
  private static let rates = Extent.some([10, 1, 0.3])

  let report: Report

  /// A way of showing pictures: what the terminal answers, and how a picture begins.
  private enum Way: String, CaseIterable {
    case kitty, sixel, symbols

    var answer: String {
      switch self {
      case .kitty: "\u{1B}P>|kitty(0.41.1)\u{1B}\\\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;c"
      case .sixel: "\u{1B}P>|XTerm(379)\u{1B}\\\u{1B}[?63;1;2;4;6;9;15;16;22;28c"
      case .symbols: "\u{1B}[?62;22c"
      }
    }

    var beginning: String {
      switch self {
      case .kitty: "\u{1B}_Ga=T,"
      case .sixel: "\u{1B}P0;1;0q"
      case .symbols: "\u{1B}[38;2;"
      }
    }
  }

  func run() async throws {
    report.note(
      "A slow terminal of 160x50 cells: from q to the program's end while a picture is sent, in ms,"
    )
    report.note("median of \(Self.runs) runs, and the worst")
    report.header(["median", "worst"])
    for way in Way.allCases {
      for rate in Self.rates {
        var times: [Double] = []
        for _ in 0..<Self.runs { times.append(try await quit(way, megabytesPerSecond: rate)) }
        report.row(
          "\(way.rawValue), \(rate) MB/s", of: "slow",
          [("median_ms", median(times), 1), ("worst_ms", times.max() ?? 0, 1)])
      }
    }
  }

  private func quit(_ way: Way, megabytesPerSecond rate: Double) async throws -> Double {
    let directory = TemporaryDirectory()
    let terminal = try PseudoTerminal(
      BuildProducts.path(of: "panda"), ["--source", "grove", "--data-dir", directory.path("data")],
      environment: [
        "TERM=xterm-256color", "LANG=C.UTF-8", "COLORTERM=truecolor",
        "XDG_CACHE_HOME=\(directory.path("cache"))", "XDG_STATE_HOME=\(directory.path("state"))",
      ], columns: 160, rows: 50, answers: ["\u{1B}[c": way.answer],
      pace: Int(rate * 1_000))
    let deadline = ContinuousClock.now + .seconds(60)
    while terminal.count(of: way.beginning) == 0 {
      guard ContinuousClock.now < deadline else { throw TestFailure("No picture in a minute.") }
      try await Task.sleep(for: .milliseconds(1))
    }
    let pressed = ContinuousClock.now
    try terminal.write("q")
    while terminal.condition != .ended(.exited(0)) {
      guard ContinuousClock.now < deadline else { throw TestFailure("No end in a minute.") }
      try await Task.sleep(for: .microseconds(500))
    }
    return (ContinuousClock.now - pressed) / .milliseconds(1)
  }
}
