import Foundation
import PandaCore
import PandaTestSupport
import PictureCodecs
import Testing

@testable import Grove
@testable import PandaSession
@testable import PandaShell
@testable import Pantry

/// `panda --plain`: the real program in a pipe, and in a terminal in its line mode.
@Suite(.timeLimit(.minutes(15))) struct PlainTests {
  let directory = TemporaryDirectory()

  private func environment(_ more: [String]) -> [String] {
    [
      "PATH=/usr/bin:/bin", "HOME=\(directory.url.path)",
      "XDG_STATE_HOME=\(directory.path("state"))",
    ] + more
  }

  private func done(_ change: ActionOutcome.Change) -> String {
    Sentence.done(change, PlainNames())
  }

  private func arguments(source: String) -> [String] {
    ["--plain", "--source", source, "--data-dir", directory.path("data")]
  }

  /// Runs the program on these lines; `redirection` is the shell's.
  private func run(
    _ lines: String, source: String = "grove", redirection: String = "",
    locale: String = "LC_ALL=C.UTF-8", status: Int32 = 0
  ) throws -> [String] {
    let script = "printf '%s' \"$1\" | { shift; \"$@\" \(redirection); }"
    let result = try Subprocess.run(
      ["sh", "-c", script, "sh", lines, try BuildProducts.path(of: "panda")]
        + arguments(source: source), environment: environment([locale]))
    #expect(result.status == status, "\(result.output)")
    #expect(!result.output.contains("\u{1B}"))
    return result.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .map(String.init)
  }

  @Test func `the whole story in a pipe: fetch, favorite, caption, remove, undo, relaunch, clear`()
    throws
  {
    let server = try PandaServer(pictures: ServedPictures.all())
    defer { server.stop() }
    let source = server.endpoint.absoluteString
    let first = try run(
      """
      fetch
      favorite
      list
      caption  Sleepy   panda
      tags snow, #cute
      list sleepy
      remove
      list
      undo
      """, source: source)
    #expect(first.count == 13, "\(first)")
    #expect(first[0].contains("\(ActionWords.favorites(0))."))
    #expect(first[1].hasPrefix(Sentence.described(from: "127.0.0.1")), "\(first[1])")
    #expect(first[1].contains(", mostly ") && !first[1].contains("favorite"), "\(first[1])")
    #expect(first[3] == "\(Sentence.added). You have 1.")
    #expect(first[4] == "1 favorite, newest first.")
    #expect(first[5].hasPrefix("1. A red panda, from 127.0.0.1"), "\(first[5])")
    let captioned = done(.captioned("Sleepy panda", count: 1, isCut: false))
    #expect(first[6] == "A red panda: \(captioned).")
    let tagged = done(.tagged(count: 1, full: 0, isRemoval: false))
    #expect(first[7] == "Sleepy panda: \(tagged).")
    #expect(first[8] == "1 of 1 favorite with sleepy, newest first.")
    #expect(first[10].hasPrefix("Sleepy panda: \(done(.removed(count: 1)))"))
    #expect(first[11].hasPrefix("\(ActionWords.favorites(0))."))
    #expect(first[12].hasPrefix("Undone: removing “Sleepy panda”."))
    server.stop()

    let second = try run("list\nshow 1\nclear\nyes\nlist\nundo\ntrash\n", source: source)
    #expect(second[0].contains("\(ActionWords.favorites(1))."), "\(second)")
    #expect(second[1].hasPrefix("The last one you saw: A red panda"))
    #expect(second[3].hasPrefix("1. Sleepy panda, ") && second[3].hasSuffix("Tags: snow, cute."))
    #expect(second[4].contains("Caption: Sleepy panda. Tags: snow, cute. It is a favorite."))
    #expect(second[5].hasPrefix(Sentence.clearQuestion(1)))
    #expect(second[6].hasPrefix(done(.cleared(count: 1))))
    #expect(second[7].hasPrefix("\(ActionWords.favorites(0))."))
    #expect(second[8].hasPrefix("Undone: removing “Sleepy panda”."))
    #expect(second[9] == "\(ActionWords.emptyTrash).")

    let third = try run("fetch\nproblem\nquit\nlist", source: source, status: 3)
    #expect(third[2].hasSuffix("\(Sentence.drawnInstead(PlainNames()))."))
    #expect(third[3].hasPrefix("A drawn red panda, "))
    #expect(third[4].hasPrefix("Fetching from ") && third.count == 7, "\(third)")
  }

  @Test func `in the C locale a terminal gets ASCII, and a pipe the exact bytes`() async throws {
    let lines = try run(
      "favorite\ncaption Schläfrig 🐼\nlist\nschläfrig\n", locale: "LC_ALL=C", status: 2)
    #expect(lines.contains { $0.hasPrefix("1. Schläfrig 🐼, from Bamboo Grove") }, "\(lines)")
    let terminal = try PseudoTerminal(
      BuildProducts.path(of: "panda"), arguments(source: "grove"),
      environment: environment(["LC_ALL=C", "TERM=xterm"]), columns: 100, rows: 24)
    try terminal.write("list\ndetails\nhelp\nfetsh\nquit\n")
    _ = try await terminal.waitForExit()
    #expect(terminal.output.allSatisfy { $0 < 0x80 })
    #expect(terminal.readableOutput.contains("1. Schl?frig ?, from Bamboo Grove"))
  }

  @Test func `results and failures have their own outputs, and the worst status counts`() throws {
    let lines = "fetsh\naddress\nremove 7\nundo\n"
    let data = try run(lines, redirection: "2>/dev/null", status: 5)
    #expect(data.count == 3 && data[2].hasPrefix("panda://grove/"), "\(data)")
    let failures = try run(lines, redirection: "2>&1 >/dev/null", status: 5)
    #expect(failures.first == "There is no command fetsh. Did you mean fetch?")
    #expect(failures.contains("\(Conversation.nothingListed)."), "\(failures)")
    _ = try run("save /nonexistent/wah\nshow 9\n", status: 1)
  }

  @Test(arguments: ["<&-", ">&-", "2>&-"])
  func `no file gets the number of a closed descriptor`(_ redirection: String) throws {
    // Without an input nothing was asked for.
    let lines = try run(
      "favorite\nnonsense\nlist\n", redirection: redirection, status: redirection == "<&-" ? 0 : 2)
    #expect(lines.contains { $0.hasPrefix("Panda ") } == (redirection != ">&-"), "\(lines)")
    // What was stored is whole.
    let again = try run("list\n")
    #expect(again[0].contains("\(ActionWords.favorites(1)).") == (redirection != "<&-"), "\(again)")
  }

  /// Another program's connection to the favorites.
  private func other() throws -> Database {
    try Database(path: directory.path("data/favorites.sqlite"), access: .writing)
  }

  @Test func `commands of the shell work among its own, and their failures count`() throws {
    let picture = directory.url.appending(path: "wah wah.png")
    try BambooGrove.drawing(seed: 5, size: PixelSize(width: 64, height: 48)).pngData()
      .write(to: picture)
    let lines = try run(
      """
      add '\(picture.path)'
      list
      stats
      export \(directory.path("out"))
      add \(directory.path("none"))
      undo
      """, status: 5)
    let text = lines.joined(separator: "\n")
    for words in [
      "Added 1 picture to your favorites.", "1. wah wah, from", "1 favorite, ", "Exported 1 panda",
      "no such file or directory", "Undone: keeping “wah wah”.",
    ] {
      #expect(text.contains(words), "\(words) in \(text)")
    }
  }

  @Test(arguments: [
    ("PRAGMA user_version = 99", "newer version"),
    ("CREATE TABLE theirs (x); PRAGMA application_id = 7", "another program"),
  ])
  func `fault 45: a file of a newer version or another program is reported and kept`(
    _ sql: String, _ words: String
  ) throws {
    _ = try run("favorite\n")
    do {
      let other = try other()
      try other.execute(sql)
    }
    let file = directory.url.appending(path: "data/favorites.sqlite")
    let before = try Data(contentsOf: file)
    let lines = try run("list\nfavorite\n", status: 4)
    #expect(lines.contains { $0.contains(words) }, "\(lines)")
    #expect(lines.contains { $0.hasPrefix("A drawn red panda") }, "\(lines)")
    #expect(try Data(contentsOf: file) == before)
  }

  @Test
  func `in a terminal it has a prompt, prints no escape, and ends with its input or by Ctrl-C`()
    async throws
  {
    for (key, exit) in [("\u{4}", PseudoTerminal.Exit.exited(0)), ("\u{3}", .signalled(SIGINT))] {
      let panda = try PseudoTerminal(
        BuildProducts.path(of: "panda"), arguments(source: "grove"),
        environment: environment(["TERM=dumb", "LC_ALL=C.UTF-8"]), columns: 80, rows: 24)
      try await panda.waitForOutput(containing: "panda> ")
      try panda.write("list\nnonsense\n")
      try await panda.waitForOutput(containing: "There is no command nonsense")
      try panda.write(key)
      #expect(try await panda.waitForExit() == exit)
      let hasEscape = panda.output.contains(0x1B)
      #expect(!hasEscape)
      #expect(try panda.modes == panda.modesBefore)
      guard exit == .exited(0) else { continue }
      #expect(panda.readableOutput.hasSuffix("panda> \\r\\n\""), "\(panda.readableOutput)")
    }
  }
}
