import Foundation
import PandaTestSupport
import Testing

@testable import PandaSession
@testable import PandaTUI

/// What the terminal and the desktop do with the program: the mouse, pastes, keys, the clipboard.
@Suite struct InputTests {
  let directory = TemporaryDirectory()

  @Test func `the mouse and pastes reach the program, and the terminal has its mouse back`()
    async throws
  {
    let panda = try PandaDriver(directory, source: "grove")
    try await panda.expectPicture()
    #expect(try panda.tmux.ask("#{mouse_any_flag}") == "1")
    try panda.click(column: 50, row: 10)
    try panda.click(column: 50, row: 10)
    try await panda.expect(favorites: 1)
    try panda.press(.view(.nextPane))
    try await panda.open(.favorites(.caption), Sentence.captionNote)
    try panda.tmux.type("\u{1B}[200~From\nthe clipboard\u{1B}[201~")
    try panda.tmux.press(.enter)
    try await panda.tmux.expect(text: "From the clipboard")
    try await panda.quit()
    #expect(try panda.tmux.ask("#{mouse_any_flag}") == "0")
  }

  /// A megabyte of keys that fetch, favorite, remove, clear and quit.
  private static let megabyte = "\u{1B}[200~" + String(repeating: " fxqCy\r?S", count: 100_000)

  @Test func `fault 62: a pasted megabyte is text where text is typed, and nothing elsewhere`()
    async throws
  {
    // There is something to filter.
    let favorite = try Subprocess.run(
      [
        "sh", "-c", "echo favorite | \"$@\"", "sh", BuildProducts.path(of: "panda"), "--plain",
        "--source", "grove", "--data-dir", directory.path("data"),
      ], environment: ["PATH=/usr/bin:/bin"])
    #expect(favorite.status == 0, "\(favorite.output)")
    let panda = try PseudoTerminal(
      BuildProducts.path(of: "panda"), ["--source", "grove", "--data-dir", directory.path("data")],
      environment: ["TERM=xterm-256color", "LANG=C.UTF-8"], columns: 80, rows: 24)
    try await panda.waitForOutput(containing: "Favorites (1)")
    try panda.write("\(Self.megabyte)\u{1B}[201~/")
    // The key after it is a key again.
    try await panda.waitForOutput(containing: " found")
    // Without an end it ends after a second.
    let start = panda.outputCount
    try panda.write(Self.megabyte)
    try await panda.waitForOutput(containing: "fxqCy", from: start)
    #expect(panda.condition == .running)
    for words in [Sentence.added, Sentence.removed, "All favorites"] {
      #expect(!panda.output.contains(Array(words.utf8)), "\(words)")
    }
    try await panda.kill(SIGTERM)
    #expect(try await panda.waitForExit() == .signalled(SIGTERM))
  }

  @Test
  func `keys can be rebound everywhere, a conflict is reported, and the mouse can be left out`()
    async throws
  {
    try PandaDriver.configure(
      directory, "{\n keys: {\n  fetch: 'g g',\n  help: ['F1', 'H'],\n  sort: 'q',\n },\n}")
    let panda = try PandaDriver(
      directory, source: "grove", arguments: ["--no-mouse"], columns: 160)
    let screen = try await panda.tmux.expect(text: "config.json5 line")
    #expect(screen.contains("F1 help"))
    #expect(try panda.tmux.ask("#{mouse_any_flag}") == "0")
    try panda.tmux.press("H")
    try await panda.tmux.expect(text: HelpDialog.prompt)
    try panda.tmux.type("sort")
    try await panda.tmux.expect("its own key, since q is taken") { screen in
      screen.lines.contains { $0.contains(" s ") && $0.contains("Sort, or") }
    }
    try panda.press(.program(.cancel))
    try await panda.tmux.expect("the help is closed") { !$0.contains("Sort, or") }
    try await panda.quit()
  }

  @Test func `the address is copied through tmux, and passed to xdg-open as one argument`()
    async throws
  {
    let server = try PandaServer(pictures: ServedPictures.all())
    defer { server.stop() }
    let tools = directory.url.appending(path: "bin")
    try FileManager.default.createDirectory(at: tools, withIntermediateDirectories: true)
    let record = directory.path("opened")
    _ = try directory.writeScript(
      "bin/xdg-open", "printf '%s\\n' \"$#\" \"$@\" > \(record)")
    let panda = try PandaDriver(
      directory, source: server.endpoint.absoluteString,
      environment: ["PATH=\(tools.path):/usr/bin:/bin"])
    try await panda.expectPicture()
    try panda.press(.picture(.copyAddress))
    try await panda.tmux.expect(text: "Copied Red panda, via 127.0.0.1")
    #expect(try panda.tmux.run(["show-buffer"]).hasSuffix("/picture/1"))
    try panda.press(.picture(.open))
    try await eventually("the browser was asked") {
      guard FileManager.default.fileExists(atPath: record) else { return false }
      return try String(contentsOfFile: record, encoding: .utf8).hasSuffix("/picture/1\n")
    }
    let arguments = try String(contentsOfFile: record, encoding: .utf8)
    #expect(arguments.hasPrefix("1\nhttp://127.0.0.1:"))
    try await panda.quit()
  }
}
