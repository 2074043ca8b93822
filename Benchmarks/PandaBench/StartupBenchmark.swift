internal import Foundation
internal import PandaTestSupport

/// Compares `panda --version` with an empty C program linked with the same libraries.
///
/// The difference is what the program adds to the loader's work on its libraries.
struct StartupBenchmark {
  private static let runs = Extent.runs(41)
  private static let goal = 4.0

  let report: Report
  private let directory = TemporaryDirectory()

  init(report: Report) { self.report = report }

  func run() throws {
    try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
    let panda = try BuildProducts.path(of: "panda")
    let libraries = try Self.libraries(of: panda, in: directory.url)
    let sides: [(name: String, command: [String])] = [
      ("empty C program", [try build("empty", [])]),
      ("the same with panda's libraries", [try build("same", libraries)]),
      ("the same with libcurl as well", [try build("curl", libraries + ["libcurl.so.4"])]),
      ("panda --version", [panda, "--version"]),
    ]
    var times = [[Double]](repeating: [], count: sides.count)
    // Interleaved, so that other load on the machine affects all equally. The first run warms the
    // cache.
    for run in Extent.firstRun...Self.runs {
      for (index, side) in sides.enumerated() {
        let command = try MeasuredCommand(side.command, in: directory.url)
        if run > 0 { times[index].append(command.milliseconds) }
      }
    }
    report.note("Start and end of a process, median of \(Self.runs) interleaved runs")
    report.header(["ms", "libraries"])
    for (index, side) in sides.enumerated() {
      report.row(
        side.name, of: "startup",
        [("ms", median(times[index]), 2), ("libraries", try loaded(side.command), 0)])
    }
    report.row(
      "panda --version less its libraries", of: "startup",
      [("ms", median(times[3]) - median(times[1]), 2)])
    report.note("Goal: less than \(Self.goal) ms.")
  }

  /// Builds a C program that ends immediately, linked with these libraries although it uses none.
  private func build(_ name: String, _ libraries: [String]) throws -> String {
    let source = directory.path("empty.c")
    try Data("int main(void) { return 0; }\n".utf8).write(to: URL(filePath: source))
    let program = directory.path(name)
    // clang comes with Swift.
    _ = try MeasuredCommand(
      ["clang", "-O2", "-o", program, source, "-Wl,--no-as-needed"] + libraries.map { "-l:\($0)" },
      in: directory.url)
    return program
  }

  /// Returns the libraries of the system that a program itself links, without the loader.
  private static func libraries(of program: String, in directory: URL) throws -> [String] {
    let headers = try MeasuredCommand(["readelf", "-dW", program], in: directory).output
    // A build of the tests has Swift's own besides, which are elsewhere.
    let places = String(decoding: try Self.trace(program, in: directory), as: UTF8.self)
    let system = Set(places.matches(of: /(\S+) => \/(?:usr\/)?lib\//).map { String($0.1) })
    return String(decoding: headers, as: UTF8.self).matches(of: /\(NEEDED\).*\[(.+)\]/)
      .map { String($0.1) }.filter { !$0.hasPrefix("ld-linux") && system.contains($0) }
  }

  /// Returns the number of libraries that a program loads at startup, including the loader and the
  /// vDSO.
  private func loaded(_ command: [String]) throws -> Double {
    Double(
      try Self.trace(command[0], in: directory.url).split(separator: UInt8(ascii: "\n")).count)
  }

  /// Returns what the loader says of the libraries that a program loads, one a line (ld.so(8)).
  private static func trace(_ program: String, in directory: URL) throws -> Data {
    try MeasuredCommand(["env", "LD_TRACE_LOADED_OBJECTS=1", program], in: directory).output
  }
}
