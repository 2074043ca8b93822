import Foundation
import PandaTestSupport
import Testing

@testable import PandaTUI

/// The mouse, counts, other keys, and what leaves the program.
@Suite struct InputTests {
  let directory = TemporaryDirectory()

  @Test func `click selects, double click favorites and shows, the wheel moves`() async throws {
    try PandaDriver.configure(directory, "{ autoAdvance: false, reduceMotion: true }")
    let panda = try PandaDriver(directory, source: "grove")
    try await panda.expectPicture()
    #expect(try panda.tmux.ask("#{mouse_any_flag}") == "1")
    for number in 1...3 {
      try panda.press(.fetch)
      try await panda.tmux.expect(text: "\(number + 1) met")
      try panda.click(column: 50, row: 10)
      try panda.click(column: 50, row: 10)
      try await panda.expect(favorites: number)
    }
    try await panda.expectThumbnails()
    // The second thumbnail: at 100 columns and 5 rows each is 13 wide, with 3 between.
    try panda.click(column: 20, row: 24)
    try await panda.tmux.expect("the second is framed") { $0.cells[24][18].text == "▐" }
    try panda.scroll(65, column: 20, row: 24)
    try await panda.tmux.expect("the third is framed") { $0.cells[24][34].text == "▐" }
    try panda.scroll(64, column: 20, row: 5)
    try panda.scroll(64, column: 20, row: 5)
    try await panda.tmux.expect("the first is framed") { $0.cells[24][2].text == "▐" }
    try panda.click(column: 36, row: 24)
    try panda.click(column: 36, row: 24)
    try await panda.tmux.expect(text: "view favorite")
    // A click on a hint runs it.
    let screen = try await panda.tmux.expect(text: "? help")
    let hints = try #require(screen.lines.last)
    let column = hints.distance(
      from: hints.startIndex, to: try #require(hints.range(of: "? help")).lowerBound)
    try panda.click(column: column, row: 29)
    try await panda.tmux.expect(text: "type to filter")
    try panda.click(column: 0, row: 0)
    try await panda.tmux.expect("the help is closed") { !$0.contains("type to filter") }
    try await panda.quit()
    #expect(try panda.tmux.ask("#{mouse_any_flag}") == "0")
  }

  @Test func `with --no-mouse the terminal keeps its mouse`() async throws {
    let panda = try PandaDriver(directory, source: "grove", arguments: ["--no-mouse"])
    try await panda.expectPicture()
    #expect(try panda.tmux.ask("#{mouse_any_flag}") == "0")
    try await panda.quit()
  }

  @Test func `counts move further, in every pane, by arrows and by vim's keys`() async throws {
    try PandaDriver.configure(directory, "{ autoAdvance: false }")
    let panda = try PandaDriver(directory, source: "grove", columns: 60, rows: 10)
    try await panda.tmux.expect(text: "1 met")
    for number in 1...5 {
      try panda.press(.fetch)
      try await panda.tmux.expect(text: "\(number + 1) met")
      try panda.press(.favorite)
      try await panda.expect(favorites: number)
    }
    try panda.tmux.press("3", "l")
    try await panda.tmux.expect(text: "★ 4/5")
    try panda.tmux.press("2", .left)
    try await panda.tmux.expect(text: "★ 2/5")
    try panda.tmux.press("G")
    try await panda.tmux.expect(text: "★ 5/5")
    try panda.tmux.press("4", "k")
    try await panda.tmux.expect(text: "★ 1/5")
    // A count that means nothing does nothing, and a click ends one.
    try panda.tmux.press("3")
    try panda.press(.remove)
    try await panda.tmux.expect(text: "A count does not work with x")
    try panda.tmux.press("4")
    try await panda.tmux.expect(text: "4 times")
    try panda.click(column: 50, row: 1)
    try await panda.tmux.expect("no count") { !$0.contains("4 times") }
    try panda.press(.right)
    try await panda.tmux.expect(text: "★ 2/5")
    // Where there is no room for the carousel nothing can be done in it.
    try panda.press(.nextPane)
    try panda.tmux.resize(columns: 60, rows: 7)
    try await panda.tmux.expect("no carousel") { !$0.contains("Favorites") }
    try panda.press(.nextPane)
    try await panda.tmux.expect(text: "There is no room for the favorites")
    try panda.press(.favorite)
    try await panda.tmux.expect(text: "It is a favorite already")
    try await panda.quit()
  }

  @Test func `keys can be others, everywhere, and a conflict is named`() async throws {
    try PandaDriver.configure(
      directory, "{\n keys: {\n  fetch: 'g g',\n  help: ['F1', 'H'],\n  sort: 'q',\n },\n}")
    let panda = try PandaDriver(directory, source: "grove", columns: 160)
    let screen = try await panda.tmux.expect(text: "config.json5 line")
    #expect(screen.contains("F1 help"))
    try panda.tmux.press("H")
    try await panda.tmux.expect(text: "type to filter")
    try panda.tmux.type("sort")
    try await panda.tmux.expect("its own key, since q is taken") { screen in
      screen.lines.contains { $0.contains(" s ") && $0.contains("Sort by") }
    }
    try panda.press(.cancel)
    try await panda.tmux.expect("the help is closed") { !$0.contains("Sort by") }
    try await panda.quit()
  }

  @Test func `the help filters while one types, and runs what is chosen`() async throws {
    let panda = try PandaDriver(directory, source: "grove")
    try await panda.expectPicture()
    try panda.press(.help)
    try await panda.tmux.expect(text: "type to filter")
    try panda.tmux.type("rainbow")
    try await panda.tmux.expect("one command") { !$0.contains("Fetch another") }
    try panda.tmux.press(.enter)
    try await panda.tmux.expect(text: "Party mode!")
    try panda.press(.help)
    try panda.tmux.type("undo the")
    try await panda.tmux.expect(text: "Not now: There is nothing to undo")
    try panda.press(.cancel)
    // Esc and a key right after it would be that key with Alt.
    try await panda.tmux.expect("the help is closed") { !$0.contains("Not now") }
    try await panda.quit()
  }

  @Test func `a picture is saved to a file, and never over another`() async throws {
    let server = try PandaServer(pictures: [ServedPictures.all()[0]])
    defer { server.stop() }
    let panda = try PandaDriver(directory, source: server.endpoint.absoluteString)
    try await panda.expectPicture()
    let path = directory.path("mine")
    // Whatever is typed at once goes into the dialog.
    try panda.press(.save)
    try panda.tmux.press("C-u")
    try panda.enter(path)
    try await panda.tmux.expect(text: "Saved as \(path).jpg")
    #expect(try Data(contentsOf: URL(filePath: path + ".jpg")) == ServedPictures.all()[0])
    try panda.press(.save)
    try await panda.tmux.expect(text: "Save the picture")
    try panda.tmux.press("C-u")
    try panda.enter(path + ".jpg")
    let screen = try await panda.tmux.expect("the reason, and the name still there") {
      $0.contains("Save the picture") && $0.contains("already")
    }
    #expect(screen.contains("mine.jpg"))
    try panda.press(.cancel)
    try await panda.tmux.expect("the question is gone") { !$0.contains("Save the picture") }
    try await panda.quit()
  }

  @Test func `the address is copied by tmux, and opened in the browser by its own words`()
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
    try panda.press(.copyAddress)
    try await panda.tmux.expect(text: "Copied http://127.0.0.1")
    #expect(try panda.tmux.run(["show-buffer"]).hasSuffix("/picture/1"))
    try panda.press(.copyCredit)
    try await panda.tmux.expect(text: "Copied Red panda, via 127.0.0.1")
    try panda.press(.open)
    try await eventually("the browser was asked") {
      guard FileManager.default.fileExists(atPath: record) else { return false }
      return try String(contentsOfFile: record, encoding: .utf8).hasSuffix("/picture/1\n")
    }
    let arguments = try String(contentsOfFile: record, encoding: .utf8)
    #expect(arguments.hasPrefix("1\nhttp://127.0.0.1:"))
    try await panda.quit()
  }

  @Test func `over SSH the address is copied instead of opened`() async throws {
    let server = try PandaServer(pictures: ServedPictures.all())
    defer { server.stop() }
    let panda = try PandaDriver(
      directory, source: server.endpoint.absoluteString,
      environment: ["SSH_CONNECTION=10.0.0.1 2 10.0.0.2 22"])
    try await panda.expectPicture()
    try panda.press(.open)
    try await panda.tmux.expect(text: "Over SSH there is no browser: the address is copied")
    #expect(try panda.tmux.run(["show-buffer"]).hasSuffix("/picture/1"))
    try await panda.quit()
  }

  @Test func `a paste is no command, and goes where text is typed`() async throws {
    let panda = try PandaDriver(directory, source: "grove")
    try await panda.favorite(1)
    try panda.tmux.type("\u{1B}[200~Cyq\n x\u{1B}[201~")
    try panda.press(.nextPane, .caption)
    try await panda.tmux.expect(text: "What you write under it")
    try panda.tmux.type("\u{1B}[200~From\nthe clipboard\u{1B}[201~")
    try panda.tmux.press(.enter)
    try await panda.tmux.expect(text: "From the clipboard")
    try await panda.expect(favorites: 1)
    try await panda.quit()
  }
}
