import Foundation
import PandaTestSupport
import Testing

@testable import PandaSession

/// Commands where the favorites cannot be opened.
@MainActor
@Suite struct ClosedStorageTests {
  private let directory = TemporaryDirectory()
  private let panda: CommandDriver

  init() throws {
    panda = CommandDriver(directory)
    try Data().write(to: directory.url.appending(path: "data"))
    try SmallSource.png(1).write(to: directory.url.appending(path: "p.png"))
  }

  @Test(arguments: [
    "add p.png", "list", "list --trash", "list --ids wah", "show 1234", "card 1234 c.png",
    "caption 1234 Mei", "tag 1234 +wah", "remove 1234", "remove --all", "restore",
    "restore --all", "purge --all --yes", "undo", "redo 2", "today", "export out",
    "export out.html", "import out", "backup out.sqlite", "stats", "watch",
    "fetch --keep",
  ])
  func `a command that needs the favorites ends with the reason`(_ line: String) async throws {
    let arguments = line.split(separator: " ").map { word in
      word.contains(".") || word == "out" ? directory.path(String(word)) : String(word)
    }
    let result = try await panda.run(arguments)
    #expect(result.status == .storage)
    #expect(result.text.isEmpty)
    let lines = result.words.split(separator: "\n")
    #expect(lines.count == 1, "\(result.words)")
    #expect(
      lines.first?.hasPrefix("panda: \(StorageWords.unreadable): \(directory.path("data"))")
        == true, "\(result.words)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: directory.url.path)
        .allSatisfy { !$0.hasPrefix("out") && !$0.hasPrefix("c.") })
  }

  @Test func `a command that needs no favorites works`() async throws {
    let fetched = try await panda.run("fetch")
    #expect(fetched.status == .done && fetched.words.contains("Its ID will be unknown: "))
  }

  @Test func `a library that cannot be opened is neither copied nor copied into`() async throws {
    for arguments in [
      ["copy", "--to", directory.path("other")], ["copy", "--from", directory.path("other")],
    ] {
      let result = try await panda.run(arguments)
      #expect(result.status == .storage)
      #expect(result.words.contains("\(directory.path("data"))"), "\(result.words)")
      #expect(!result.words.contains("Copied "), "\(result.words)")
    }
  }
}
