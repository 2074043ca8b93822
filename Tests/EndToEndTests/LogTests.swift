import Foundation
import PandaTestSupport
import Testing

/// `--log`: the real program, and the file that it leaves.
@Suite(.timeLimit(.minutes(15))) struct LogTests {
  private let directory = TemporaryDirectory()
  private let end = "Ends with status"
  private var file: String { directory.path("state/panda/panda.log") }

  private func environment(_ more: [String] = []) -> [String] {
    [
      "PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "XDG_STATE_HOME=\(directory.path("state"))",
      "XDG_CONFIG_HOME=\(directory.path("config"))",
    ] + more
  }

  private func run(
    _ arguments: [String], input: String = "", environment more: [String] = []
  ) throws -> Subprocess.Result {
    try Subprocess.run(
      [
        "sh", "-c", "printf '%s' \"$1\" | { shift; \"$@\"; }", "sh", input,
        try BuildProducts.path(of: "panda"),
      ] + arguments + ["--data-dir", directory.path("data")],
      environment: environment(more))
  }

  private func lines() throws -> [String] {
    try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  @Test func `each line has a time, a level, an area and a process, from the start to the end`()
    throws
  {
    let port = try closedPort()
    try PandaDriver.configure(directory, "{ mouse: 7,\n nonsense: 1 }")
    let result = try run(
      ["--plain", "--log", "--source", "http://127.0.0.1:\(port)/x?key=SECRET"],
      input: "fetch\nproblem\n",
      environment: ["http_proxy=", "all_proxy="])
    #expect(result.status == 3, "\(result.output)")
    let lines = try lines()
    let form = /[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\.[0-9]{3}Z (error|notice) [a-z]+ \[[0-9]+\] .+/
    for line in lines { #expect(line.wholeMatch(of: form) != nil, "\(line)") }
    let first = try #require(lines.first)
    let version = try run(["--version"]).output.dropLast()
    #expect(first.contains("notice program") && first.contains("\(version) begins"))
    #expect(try #require(lines.last).hasSuffix("\(end) 3"))
    for problem in ["{ mouse: 7 }", "{ nonsense: 1 }"].map(Sentence.problem(in:)) {
      #expect(lines.contains { $0.contains("error config") && $0.contains(problem) }, "\(lines)")
    }
    #expect(lines.contains { $0.contains("error network") && $0.contains("curl 7") }, "\(lines)")
    #expect(!lines.joined().contains("SECRET"))
  }

  @Test func `without the option there is no file`() throws {
    #expect(try run(["--plain", "--source", "grove"], input: "list\n").status == 0)
    #expect(!FileManager.default.fileExists(atPath: file))
    let doctor = try run(["doctor"]).output
    #expect(doctor.contains("\(file) (off: --log switches it on)"))
    let rows = try run(["doctor", "--log"]).output.split(separator: "\n")
    #expect(rows.contains { $0.hasPrefix("log ") && $0.hasSuffix(" \(file)") }, "\(rows)")
    #expect(try lines().count == 2)
  }

  @Test func `the screen's log has the terminal, and that it is gone`() async throws {
    let panda = try PseudoTerminal(
      "/bin/sh",
      [
        "-c", "trap '' HUP; exec \"$0\" \"$@\"", try BuildProducts.path(of: "panda"), "--log",
        "--source", "grove", "--data-dir", directory.path("data"),
      ], environment: environment(["TERM=xterm-256color"]), columns: 80, rows: 24)
    try await panda.waitForOutput(containing: "☆")
    let process = try await panda.processIdentifier()
    panda.hangUp()
    try await eventually("the last line") {
      try lines().contains { $0.contains("error terminal") && $0.contains("gone") }
        && lines().last?.contains(end) == true
    }
    let written = try lines()
    #expect(
      written.contains {
        $0.contains("notice terminal [\(process)] ") && $0.contains("TERM=xterm-256color")
          && $0.contains("did not answer within") && $0.contains("pictures: ")
      }, "\(written)")
  }
}
