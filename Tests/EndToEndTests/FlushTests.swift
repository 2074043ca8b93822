import Foundation
import PandaTestSupport
import Testing

/// How often the program waits for the disk.
@Suite struct FlushTests {
  @Test(.enabled(if: Faults.arePossible))
  func `a shown panda is one flush, and so is a favorite`() throws {
    let home = TemporaryDirectory()
    let records = TemporaryDirectory()
    let journal = records.path("journal")
    let library = try Faults.library()
    defer { withExtendedLifetime(library) {} }
    try Data("fetch\nfavorite\nfetch\nfavorite\nfetch\nfavorite\n".utf8)
      .write(to: URL(filePath: home.path("commands")))
    let result = try Subprocess.run(
      [
        "sh", "-c", "exec \"$1\" --plain --source grove < \"$2\"", "sh",
        try BuildProducts.path(of: "panda"), home.path("commands"),
      ],
      environment: try Faults.none.environment(library, directory: home.url, journal: journal)
        + ["HOME=\(home.url.path)", "LC_ALL=C.UTF-8"])
    #expect(result.status == 0, "\(result.output)")
    let lines = try Faults.flushes(in: journal)
    let added = lines.indices.filter { lines[$0].line.hasPrefix("\(Sentence.added).") }
    try #require(added.count == 3)
    #expect(lines[(added[1] + 1)...added[2]].reduce(0) { $0 + $1.count } == 2, "\(lines)")
  }
}
