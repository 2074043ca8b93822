import Foundation
import PandaTestSupport
import PictureCodecs
import TerminalKit
import Testing

@testable import Grove
@testable import PandaTUI

/// The greeting in shells that start, as docs/Greeting.md has it.
@Suite(.timeLimit(.minutes(15))) struct GreetingTests {
  private let directory = TemporaryDirectory()

  private var environment: [String] {
    [
      "PATH=\(directory.path("bin")):/usr/bin:/bin", "HOME=\(directory.url.path)",
      "LC_ALL=C.UTF-8", "HISTFILE=/dev/null",
    ]
  }

  /// Where fish, in the background, would put completions of all manual pages at its first start.
  private static let completions = ".local/share/fish/generated_completions"

  private var record: URL { directory.url.appending(path: ".local/state/panda/greeting.json") }

  /// Installs the program and adds as many pictures.
  private func prepare(_ count: Int = 2) throws {
    for folder in ["bin", "zoo", ".config/fish", Self.completions] {
      try FileManager.default.createDirectory(
        at: directory.url.appending(path: folder), withIntermediateDirectories: true)
    }
    try FileManager.default.createSymbolicLink(
      atPath: directory.path("bin/panda"), withDestinationPath: BuildProducts.path(of: "panda"))
    for seed in 0..<count {
      try BambooGrove.drawing(seed: UInt64(seed), size: PixelSize(width: 64, height: 48)).pngData()
        .write(to: directory.url.appending(path: "zoo/panda \(seed).png"))
    }
    if count > 0 { _ = try run("panda add zoo") }
  }

  private func run(_ script: String) throws -> String {
    let result = try Subprocess.run(
      ["bash", "-c", "cd || exit; \(script)"], environment: environment)
    #expect(result.status == 0, "\(result.output)")
    return result.output
  }

  /// Runs a greeting on a terminal, and returns what it printed.
  private func greeting(
    _ variables: [String] = ["TERM=xterm-256color", "COLORTERM=truecolor"],
    arguments: [String] = [], rows: Int = 30
  ) async throws -> String {
    let panda = try PseudoTerminal(
      BuildProducts.path(of: "panda"), ["today", "--greeting"] + arguments,
      environment: environment + variables, columns: 80, rows: rows)
    #expect(try await panda.waitForExit() == .exited(0))
    return String(decoding: panda.output, as: UTF8.self)
  }

  /// The code of a recipe on the page.
  private func recipe(_ language: String) throws -> String {
    let page = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../docs/Greeting.md"), encoding: .utf8)
    let code = page.components(separatedBy: "```\(language)\n").dropFirst().first
    return try #require(code?.components(separatedBy: "```").first)
  }

  @Test(arguments: [
    ("bash", ".bashrc", ["-i"]), ("zsh", ".zshrc", ["-i"]),
    ("fish", ".config/fish/config.fish", []),
  ])
  func `a shell greets, and keeps what was typed ahead`(
    _ shell: String, _ file: String, _ arguments: [String]
  ) async throws {
    guard let path = SearchPath(nil).program(shell) else { return }
    try prepare()
    _ = try run("panda today --prepare")
    try Data(try recipe(shell).utf8).write(to: directory.url.appending(path: file))
    let terminal = try PseudoTerminal(
      path, arguments,
      environment: environment + ["TERM=xterm-256color", "COLORTERM=truecolor"], columns: 80,
      rows: 30)
    try terminal.write("printf 'ahead-%s\\n' two\r")
    try await terminal.waitForOutput(containing: "ahead-two")
    let output = String(decoding: terminal.output, as: UTF8.self)
    #expect(output.contains("2 favorite red pandas. Today: panda "), "\(terminal.readableOutput)")
    #expect(output.contains("\u{1B}[38;2;"), "\(terminal.readableOutput)")
    try terminal.write("exit\r")
    _ = try await terminal.waitForExit()
  }

  @Test func `no terminal is asked, and kitty gets its graphics`() async throws {
    try prepare()
    _ = try run("panda today --prepare")
    let symbols = try await greeting()
    #expect(symbols.contains("\u{1B}[38;2;") && symbols.filter { $0.isNewline }.count <= 15)
    let kitty = try await greeting(["TERM=xterm-kitty"])
    #expect(kitty.contains("\u{1B}_G") && kitty.contains("q=2"))
    let tmux = try await greeting(["TERM=xterm-kitty", "TMUX=/nowhere,1,0", "COLORTERM=truecolor"])
    #expect(!tmux.contains("\u{1B}_G") && tmux.contains("\u{1B}[38;2;"))
    for output in [symbols, kitty, tmux] {
      // Primary device attributes, XTVERSION, the colors, the cells, the modes.
      for question in ["[c", "[>q", "]10;?", "]11;?", "[16t", "$p", "[?u"] {
        #expect(!output.contains("\u{1B}\(question)"), "\(question)")
      }
    }
    #expect(!(try await greeting(["TERM=dumb"])).contains("\u{1B}"))
    let low = try await greeting(rows: 5)
    #expect(!low.contains("\u{1B}") && low.contains("2 favorite red pandas."))
  }

  @Test func `the first greeting prepares the next one`() async throws {
    try prepare()
    _ = try await greeting()
    try await eventually("the record") { GreetingRecord(file: record) != nil }
    // What an emptied cache has lost is made again at once, after a line of text at least.
    try FileManager.default.removeItem(at: directory.url.appending(path: ".cache"))
    try await eventually("a picture") {
      let text = try await greeting()
      #expect(text.contains("2 favorite red pandas. Today: "))
      return text.contains("\u{1B}[38;2;")
    }
  }

  @Test func `favorites that cannot be read do not stop a shell`() async throws {
    try prepare()
    _ = try run("panda today --prepare")
    let file = directory.url.appending(path: ".local/share/panda/favorites.sqlite")
    // What was prepared is shown, whatever has become of the file since.
    try Data("no database at all, but something else, of some length".utf8).write(to: file)
    #expect(try await greeting().contains("2 favorite red pandas. Today: "))
    try await eventually("the problem") { GreetingRecord(file: record)?.problem != nil }
    let known = try #require(GreetingRecord(file: record))
    #expect(!known.days.isEmpty)
    try GreetingRecord(
      library: known.library, stamp: known.stamp, preparedAt: Date(), count: 2, days: [],
      problem: known.problem
    ).write(to: record)
    let output = try await greeting()
    #expect(output.hasPrefix("panda: ") && output.filter { $0.isNewline }.count == 1)
    // A command recovers a damaged file; a greeting leaves it alone.
    #expect(try Data(contentsOf: file).count < 100)
  }

  @Test func `a server that does not answer is not waited for`() async throws {
    try prepare(0)
    let server = ["--library", "postgresql://panda@192.0.2.1/pandas"]
    let output = try await greeting(arguments: server)
    #expect(output.hasPrefix("Your favorites greet you") || output.hasPrefix("panda: "))
    #expect(output.filter { $0.isNewline }.count == 1)
    // It ends by itself.
    try await eventually("the record") { GreetingRecord(file: record) != nil }
  }

  @Test func `without favorites there is nothing to say`() async throws {
    try prepare(0)
    _ = try run("panda today --prepare")
    #expect(try await greeting().isEmpty)
    #expect(try run("panda today --greeting").isEmpty)
    let library = directory.path(".local/share/panda/favorites.sqlite")
    #expect(!FileManager.default.fileExists(atPath: library))
  }
}
