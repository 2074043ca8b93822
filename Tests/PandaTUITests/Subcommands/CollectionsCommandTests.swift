import PandaCore
import PandaTestSupport
import Testing

@testable import PandaSession

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
    let kept = try await panda.run("collections", "save", " Snow  naps ", "#snow")
    #expect(kept.status == .done && kept.words == "Snow naps is a collection now.\n")
    #expect(try await panda.run("collections").text == "Snow naps: 1 panda, /#snow\n")
    #expect(try await panda.run("list", "--ids", "in:snow-naps").lines == [id])
    let other = try await panda.run("collections", "save", "snow NAPS", "#tree")
    #expect(other.status == .failed)
    #expect(try await panda.run("collections").text == "Snow naps: 1 panda, /#snow\n")
    let deleted = try await panda.run("collections", "delete", "snow naps")
    #expect(
      deleted.words == "Deleted the collection Snow naps; its favorites stay. panda undo takes it "
        + "back.\n")
    #expect(try await panda.run("collections").text.isEmpty)
    #expect(try await panda.run("list", "--ids").lines.count == 2)
    #expect(try await panda.run("collections", "delete", "none").status == .notFound)
  }

  @Test func `fault 110: undo after a change of a collection undoes that`() async throws {
    try await panda.save(2)
    _ = try await panda.run("remove", "--all")
    _ = try await panda.run("collections", "save", "Snow", "#snow")
    _ = try await panda.run("collections", "delete", "snow")
    let undone = try await panda.run("undo")
    #expect(undone.words.hasPrefix("Undone: deleting the collection Snow."), "\(undone.words)")
    #expect(try await panda.run("collections").text == "Snow: 0 pandas, /#snow\n")
    #expect(try await panda.run("list", "--ids").lines.isEmpty)
    #expect(try await panda.run("undo").words.hasPrefix("Undone: saving the collection Snow."))
    #expect(try await panda.run("collections").text.isEmpty)
    _ = try await panda.run("redo", "2")
    #expect(try await panda.run("collections").text.isEmpty)
    // Another one has the name, as an import leaves it: that stays, and it is said.
    let library = panda.library()
    try await library.savedFilters.add(SavedFilter(name: "Snow", filter: "winter")).run()
    await library.close()
    let refused = try await panda.run("undo")
    #expect(
      refused.words.hasPrefix("Not undone: another collection is named Snow."),
      "\(refused.words)")
    #expect(try await panda.run("collections").text == "Snow: 0 pandas, /winter\n")
    #expect(try await panda.run("list", "--ids").lines.isEmpty)
    #expect(try await panda.run("undo", "2").status == .done)
    #expect(try await panda.run("list", "--ids").lines.count == 2)
  }

  @Test func `fault 115: a collection that refers to itself is neither kept nor used`() async throws
  {
    try await panda.save(2)
    for (name, filter, status) in [
      ("A", "in:a", PandaSession.ExitStatus.usage), ("A", "in:none", .notFound),
      ("A", "tree", .done),
      ("B", "in:A", .done),
    ] {
      let kept = try await panda.run("collections", "save", name, filter)
      #expect(kept.status == status, "\(kept.words)")
    }
    let deleted = try await panda.run("collections", "delete", "a")
    #expect(
      deleted.words.contains("stay. B names it, and matches nothing now. "), "\(deleted.words)")
    let circle = try await panda.run("collections", "save", "A", "in:B")
    #expect(circle.status == .usage && circle.words.contains("collection B refers to itself"))
    // As a copy or another machine may leave them.
    let library = panda.library()
    try await library.keep(SavedFilter(name: "A", filter: "in:B"))
    await library.close()
    for line in [
      ["remove", "--all"], ["list"], ["tag", "--all", "+x"], ["export", "/nowhere/x"],
    ] {
      let result = try await panda.run(line + ["in:A"])
      #expect(result.status == .usage, "\(line)")
      #expect(result.words == "panda: The collection A refers to itself, so nothing matches.\n")
    }
    #expect(try await panda.run("list", "--ids").lines.count == 2)
  }

  @Test(arguments: [["", "#snow"], ["\u{7}", "#snow"], ["Name", " "], ["Name", "is:nonsense"]])
  func `a collection without a name or a filter is refused`(_ words: [String]) async throws {
    let kept = try await panda.run(["collections", "keep"] + words)
    #expect(kept.status == .usage, "\(kept.words)")
    #expect(try await panda.run("collections").text.isEmpty)
  }
}
