import Foundation
import PandaTestSupport
import PictureCodecs
import TerminalKit
import Testing

@testable import Grove

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

  /// Installs the program and adds two pictures.
  private func prepare() throws {
    for folder in ["bin", "zoo", ".config/fish", Self.completions] {
      try FileManager.default.createDirectory(
        at: directory.url.appending(path: folder), withIntermediateDirectories: true)
    }
    try FileManager.default.createSymbolicLink(
      atPath: directory.path("bin/panda"), withDestinationPath: BuildProducts.path(of: "panda"))
    for seed in 0..<2 {
      try BambooGrove.drawing(seed: UInt64(seed), size: PixelSize(width: 64, height: 48)).pngData()
        .write(to: directory.url.appending(path: "zoo/panda \(seed).png"))
    }
    _ = try run("panda add zoo")
  }

  private func run(_ script: String) throws -> String {
    let result = try Subprocess.run(
      ["bash", "-c", "cd || exit; \(script)"], environment: environment)
    #expect(result.status == 0, "\(result.output)")
    return result.output
  }

  /// Runs a greeting on a terminal, and returns what it printed.
  private func greeting(
    _ variables: [String] = ["TERM=xterm-256color", "COLORTERM=truecolor"], rows: Int = 30
  ) async throws -> String {
    let panda = try PseudoTerminal(
      BuildProducts.path(of: "panda"), ["today", "--greeting"],
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
  func `a shell greets, and keeps type-ahead`(
    _ shell: String, _ file: String, _ arguments: [String]
  ) async throws {
    guard let path = SearchPath(nil).program(shell) else { return }
    try prepare()
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
}
