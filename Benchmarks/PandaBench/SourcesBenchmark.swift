internal import Foundation
internal import Grove
internal import PandaCore
internal import PandaTestSupport

/// Measures a first launch with services on the loopback interface.
///
/// It waits until the card names the source, until it shows a picture, and until that is a
/// service's picture with its credit.
struct SourcesBenchmark {
  private static let runs = Extent.runs(9)
  private static let sketchGoal = 100.0
  private static let saidGoal = 1_000.0
  private static let pictureGoal = 3_000.0

  let report: Report
  private let picture: Data

  init(report: Report) throws {
    self.report = report
    picture = try BambooGrove.drawing(seed: 7).pngData()
  }

  /// The response times of the two services of a row.
  private struct Services {
    let name: String
    /// The first service's delay of its list and of its picture, in seconds.
    let first: (list: Double, picture: Double)
    let second: (list: Double, picture: Double)
  }

  func run() async throws {
    report.note("First launch, two services, median of \(Self.runs) runs; ms from the start")
    report.header(["said", "sketch", "picture", "credited"])
    let silence = 8.0
    let all = [
      Services(name: "both answer at once", first: (0, 0), second: (0, 0)),
      Services(name: "list and picture 0.5 s late each", first: (0.5, 0.5), second: (0.5, 0.5)),
      Services(
        name: "the first silent, the second 0.5 s late", first: (silence, 0), second: (0.5, 0.5)),
      Services(
        name: "the first without its picture, the second late", first: (0, silence),
        second: (0.5, 0.5)),
    ]
    for services in Extent.some(all) {
      var said: [Double] = []
      var sketch: [Double] = []
      var picture: [Double] = []
      var credited: [Double] = []
      for _ in 0..<Self.runs {
        let times = try await launch(services)
        said.append(times.said)
        sketch.append(times.sketch)
        picture.append(times.picture)
        credited.append(times.credited)
      }
      report.row(
        services.name, of: "sources",
        [
          ("said_ms", median(said), 0), ("sketch_ms", median(sketch), 0),
          ("picture_ms", median(picture), 0), ("credited_ms", median(credited), 0),
        ])
    }
    report.note("sketch: a panda is seen, drawn coarsely, before there is any picture.")
    report.note(
      "said: the source's name. picture: the first, if only one that the grove draws meanwhile.")
    report.note("Goals: a sketch within \(Self.sketchGoal) ms.")
    report.note("Goals: said within \(Self.saidGoal) ms, a picture within \(Self.pictureGoal) ms.")
  }

  private func launch(
    _ services: Services
  ) async throws -> (said: Double, sketch: Double, picture: Double, credited: Double) {
    let directory = TemporaryDirectory()
    let servers = [try server(services.first), try server(services.second)]
    // A handler that is still waiting delays only the end of its own server.
    defer { Thread.detachNewThread { servers.forEach { $0.stop() } } }
    let described = zip(["first", "second"], servers).map { name, server in
      """
      {name: "\(name)", address: "\(server.url("/list"))", list: "/photos", picture: "/file",
       relative: true, title: "/name", credit: "/by", license: "/terms"}
      """
    }
    let settings = directory.url.appending(path: "config/panda")
    try FileManager.default.createDirectory(at: settings, withIntermediateDirectories: true)
    try Data("{sources: [\(described.joined(separator: ","))]}".utf8)
      .write(to: settings.appending(path: "config.json5"))

    let clock = ContinuousClock()
    let start = clock.now
    let panda = try PseudoTerminal(
      BuildProducts.path(of: "panda"),
      ["--source", "first,second", "--data-dir", directory.path("data")],
      environment: [
        "TERM=xterm-256color", "LANG=C.UTF-8", "COLORTERM=truecolor",
        "XDG_CONFIG_HOME=\(directory.path("config"))",
        "XDG_CACHE_HOME=\(directory.path("cache"))", "XDG_STATE_HOME=\(directory.path("state"))",
      ], columns: 100, rows: 30)
    var said: Double?
    var picture: Double?
    var isAsked = false
    var length = 0
    while true {
      let output = panda.output
      let elapsed = (clock.now - start) / .milliseconds(1)
      guard output.count > length else {
        guard elapsed < 60_000 else { throw TestFailure("No credited picture in a minute.") }
        try await Task.sleep(for: .microseconds(500))
        continue
      }
      length = output.count
      func has(_ text: String) -> Bool { output.firstRange(of: Array(text.utf8)) != nil }
      if !isAsked, has("\u{1B}[c") {
        isAsked = true
        try panda.write("\u{1B}[?62;22c")
      }
      if said == nil, has("Asking ") || has("☆") { said = elapsed }
      if picture == nil, has("☆") { picture = elapsed }
      if has("Ada Lovelace · ") {
        try panda.write("q")
        _ = try await panda.waitForExit()
        // All that comes before the first picture are 4 KB.
        let seen = panda.arrivals.first { $0.count > 20_000 }?.moment
        let sketch = seen.map { ($0 - start) / .milliseconds(1) }
        return (said ?? elapsed, sketch ?? elapsed, picture ?? elapsed, elapsed)
      }
    }
  }

  /// Starts a service with one page of twelve pictures.
  private func server(_ delay: (list: Double, picture: Double)) throws -> LoopbackServer {
    let server = try LoopbackServer()
    let entries = (0..<12).map {
      """
      {"file": "/picture/\($0)", "name": "Wah \($0)", "by": "Ada Lovelace", "terms": "cc-by-4.0"}
      """
    }
    let list = "{\"photos\": [\(entries.joined(separator: ","))]}"
    server.serve("/list") { _ in
      Thread.sleep(forTimeInterval: delay.list)
      return LoopbackResponse(body: list)
    }
    server.serve("/picture/*") { [picture] _ in
      Thread.sleep(forTimeInterval: delay.picture)
      return LoopbackResponse(body: picture)
    }
    return server
  }
}
