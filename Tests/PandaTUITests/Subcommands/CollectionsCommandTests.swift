import PandaTestSupport
import Testing

@testable import PandaTUI

/// `panda collections`, each command with a library of its own.
@MainActor
@Suite struct CollectionsCommandTests {
  let panda = CommandDriver(TemporaryDirectory())

  @Test func `a collection is kept, listed, used by its name, and deleted without its favorites`()
    async throws
  {
    try await panda.save(2)
    let id = try #require(try await panda.run("list", "--ids").lines.first)
    #expect(try await panda.run("tag", id, "+snow").status == .done)
    let kept = try await panda.run("collections", "keep", " Snow  naps ", "#snow")
    #expect(kept.status == .done && kept.words == "Snow naps is a collection now.\n")
    #expect(try await panda.run("collections").text == "Snow naps: 1 panda, /#snow\n")
    #expect(try await panda.run("list", "--ids", "in:snow-naps").lines == [id])
    let other = try await panda.run("collections", "keep", "snow NAPS", "#tree")
    #expect(other.status == .failed)
    #expect(try await panda.run("collections").text == "Snow naps: 1 panda, /#snow\n")
    #expect(try await panda.run("collections", "delete", "snow naps").status == .done)
    #expect(try await panda.run("collections").text.isEmpty)
    #expect(try await panda.run("list", "--ids").lines.count == 2)
  }

  @Test(arguments: [["", "#snow"], ["\u{7}", "#snow"], ["Name", " "], ["Name", "is:nonsense"]])
  func `a collection without a name or a filter is refused`(_ words: [String]) async throws {
    let kept = try await panda.run(["collections", "keep"] + words)
    #expect(kept.status == .usage, "\(kept.words)")
    #expect(try await panda.run("collections").text.isEmpty)
  }

  @Test func `deleting an unknown collection fails`() async throws {
    #expect(try await panda.run("collections", "delete", "none").status == .notFound)
  }
}
