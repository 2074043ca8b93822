import Foundation
import PandaCore
import PandaTestSupport
import Pantry
import Testing

@testable import PandaSession
@testable import PandaShell

@MainActor
@Suite struct ChangingCommandTests {
  private let directory = TemporaryDirectory()
  private let panda: CommandDriver

  init() { panda = CommandDriver(directory) }

  private func done(_ change: ActionOutcome.Change) -> String {
    Sentence.done(change, SubcommandNames())
  }

  private func ids(_ arguments: String...) async throws -> [String] {
    try await panda.run(["list", "--ids"] + arguments).lines
  }

  @Test func `captions and tags are changed, undone and redone`() async throws {
    try await panda.save(2)
    let id = try await ids()[1]
    let caption = try await panda.run("caption", id, "Asleep", "in a tree")
    #expect(caption.status == .done && caption.data.isEmpty)
    #expect(
      caption.words
        == "Panda 1: \(done(.captioned("Asleep in a tree", count: 1, isCut: false))).\n")
    _ = try await panda.run("tag", id, "+snow", "cute", "-none")
    #expect(try await ids("asleep tree #snow #cute") == [id])
    let lengthy = try await panda.run("tag", id, "+" + String(repeating: "x", count: 41))
    #expect(lengthy.words.contains(Sentence.refused(.tagsDoNotFit(.longTag))))
    let many = try await panda.run(["tag", id] + (1...19).map { "+t\($0)" })
    #expect(many.words.contains(Sentence.refused(.tagsDoNotFit(.manyTags))))
    #expect(try await ids("#t").isEmpty)
    _ = try await panda.run("tag", "-snow", id, "+Tree")
    #expect(try await ids("#snow").isEmpty)
    #expect(try await ids("#tree") == [id])
    #expect(try await panda.run("undo", "3").status == .done)
    #expect(try await ids("asleep").isEmpty)
    #expect(try await panda.run("redo").words.hasPrefix("Redone: the caption of "))
    #expect(try await ids("asleep") == [id])
    #expect(
      try await panda.run("caption", id, "").words
        == "Asleep in a tree: \(done(.captioned("", count: 1, isCut: false))).\n")
    let again = try await panda.run("caption", id, "")
    #expect(again.status == .done)
    #expect(again.words == "Panda 1: \(Sentence.refused(.hasNoCaption)).\n")
    #expect(try await panda.run("redo").status == .notFound)
    let long = try await panda.run("caption", id, String(repeating: "x", count: 600))
    #expect(long.words == "Panda 1: \(done(.captioned("x", count: 1, isCut: true))).\n")
  }

  @Test func `captions and tags of all that match a filter are one step`() async throws {
    try await panda.save(3)
    let all = try await ids()
    let some = [all[0], all[2]]
    for id in some { _ = try await panda.run("tag", id, "+snow") }
    let tagged = try await panda.run("tag", "--all", "#snow", "+winter", "-snow")
    #expect(tagged.words == "\(done(.tagged(count: 2, full: 0, isRemoval: false))).\n")
    #expect(try await ids("#winter") == some)
    #expect(try await ids("#snow").isEmpty)
    #expect(try await panda.run("undo").status == .done)
    #expect(try await ids("#snow") == some)
    let captioned = try await panda.run("caption", "#snow", "--all", "In the", "snow")
    #expect(
      captioned.words == "\(done(.captioned("In the snow", count: 2, isCut: false))).\n")
    #expect(try await ids("in the snow") == some)
    #expect(try await panda.run("undo").status == .done)
    #expect(try await panda.run("tag", "--all", "+every").status == .done)
    #expect(try await ids("#every") == all)
    #expect(try await panda.run("caption", "--all", "", "Everyone").status == .done)
    #expect(try await ids("everyone") == all)
    for arguments in [["tag", "--all", "nobody", "+x"], ["caption", "--all", "nobody", "x"]] {
      let none = try await panda.run(arguments)
      #expect(none.status == .notFound && none.words == "panda: No favorite matches nobody.\n")
    }
    // Without --all, a filter is no ID.
    #expect(try await panda.run("tag", "#every", "+x").words.contains("--all"))
    #expect(try await ids("#x").isEmpty)
  }

  @Test func `IDs may be shortened while one picture has them`() async throws {
    // Two addresses whose names begin with the same four digits.
    var known: [Substring: String] = [:]
    var pair: (String, String)?
    var number = 0
    while pair == nil {
      number += 1
      let address = "https://zoo.example/\(number)"
      let start = PictureID(address: address).digits.prefix(4)
      if let other = known.updateValue(address, forKey: start) { pair = (other, address) }
    }
    let (one, other) = try #require(pair)
    let library = panda.library()
    for address in [one, other] {
      try await library.save([
        RemoteImage(
          createdAt: Date(), url: try #require(URL(string: address)), width: 1, height: 1,
          dataRepresentation: Attachment(Data("x".utf8)), source: "zoo", title: address)
      ])
    }
    await library.close()
    let digits = PictureID(address: one).digits
    let unclear = try await panda.run("caption", String(digits.prefix(4)), "x")
    #expect(unclear.status == .usage)
    let digitsAndNames = [one, other].map { "\(PictureID(address: $0).digits.prefix(12)) (\($0))" }
    #expect(
      unclear.words == "panda: \(digits.prefix(4)) could be "
        + "\(digitsAndNames.sorted().joined(separator: ", ")): type more digits.\n")
    for name in [String(digits.prefix(12)), digits.uppercased(), one] {
      #expect(try await panda.run("caption", name, "named \(name)").status == .done, "\(name)")
    }
    let short = try await panda.run("caption", "abc", "x")
    #expect(short.status == .notFound && short.words.contains("at least 4 of the digits"))
    let unknown = try await panda.run("caption", "https://zoo.example/none", "x")
    #expect(unknown.status == .notFound)
    #expect(
      unknown.words
        == "panda: There is no favorite https://zoo.example/none; panda list shows all.\n")
  }

  @Test func `removed favorites are restored, all at once too, by one undo`() async throws {
    try await panda.save(4)
    let all = try await ids()
    let some = try await panda.run("remove", all[0], all[2], all[0])
    #expect(some.words == "\(done(.removed(count: 2))).\n")
    #expect(try await ids() == [all[1], all[3]])
    _ = try await panda.run("undo")
    #expect(try await Set(ids()) == Set(all))
    #expect(try await ids("--sort", "newest") == all)
    _ = try await panda.run("caption", all[1], "Sleepy")
    _ = try await panda.run("remove", "--all", "sleepy")
    #expect(try await ids("--trash") == [all[1]])
    #expect(try await panda.run("remove", "--all", "nobody").status == .notFound)
    #expect(try await panda.run("remove", "--all").status == .done)
    #expect(try await ids().isEmpty)
    #expect(try await panda.run("remove", "--all").words == "panda: There are no favorites.\n")
    let last = try await panda.run("restore")
    #expect(last.words.hasSuffix("\(done(.restored(count: 1))).\n"))
    #expect(try await panda.run("restore", "--all").status == .done)
    #expect(try await ids("--sort", "newest") == all)
    #expect(try await panda.run("restore").status == .notFound)
  }

  @Test func `purging needs --yes without a prompt, and frees the bytes`() async throws {
    try await panda.save(2)
    let all = try await ids()
    _ = try await panda.run("remove", all[0], all[1])
    let unsure = try await panda.run("purge", "--all")
    #expect(unsure.status == .usage)
    #expect(
      unsure.words
        == "panda: purge deletes 2 pandas for good; confirm with --yes.\n")
    #expect(
      try await panda.run("purge", "--yes", all[0]).words == "\(done(.purged(count: 1))).\n")
    #expect(try await ids("--trash") == [all[1]])
    #expect(try await panda.run("purge", "--yes", "--all").status == .done)
    #expect(try await panda.run("purge", "--yes", "--all").status == .notFound)
    // The step that put them there has nothing to take back.
    _ = try await panda.run("undo")
    #expect(try await ids().isEmpty)
  }

  @Test func `a command line that says too little or too much is a usage error`() async throws {
    for (arguments, problem) in [
      (["remove"], "remove needs the ID of a favorite, or --all"),
      (["purge"], "purge needs the ID of a picture in the trash, or --all"),
      (["restore", "--all", "abcd"], "restore takes either IDs or --all"),
      (["undo", "0"], "undo takes a number from 1 to 1000, not 0"),
      (["redo", "x"], "redo takes a number from 1 to 1000, not x"),
      (["list", "--json", "--ids"], "list takes one of --json or --ids"),
      (
        ["list", "--sort", "color"],
        "--sort takes added, newest, oldest, source, caption, size, unseen or random, not color"
      ),
      (["list", "-n", "0"], "--number takes a number from 1 to 1000000, not 0"),
      (["tag", "abcd"], "tag needs the ID of a favorite, and tags such as +snow or -snow"),
      (["tag", "abcd", "two words"], "a tag is one word, not two words"),
      (
        ["fetch", "-o", "-", "-n", "2"],
        "--output - prints the bytes of one picture and nothing else"
      ),
      (["today", "--path", "--json"], "today takes one of --path or --json"),
      (["config", "erase"], "config takes print or path, not erase"),
      (["sources", "enable"], "sources enable needs the name of a source"),
      (["caption", "abcd"], "caption needs the ID of a favorite and a text"),
      (["caption", "--all", "snow"], "caption --all needs a filter and a text, each may be empty"),
      (["tag", "--all", "snow"], "tag --all needs tags such as +snow or -snow"),
      (
        ["today", "--greeting", "--random"],
        "a greeting has the favorite of today, so it takes no --random"
      ),
      (["list", "--keep"], "option --keep is for panda fetch"),
    ] {
      let error = #expect(throws: UsageError.self) { try Invocation(arguments: arguments) }
      #expect(error?.problem == problem)
    }
  }

  @Test func `options may stand before and after the command, tags may begin with a hyphen`()
    async throws
  {
    try await panda.save(1)
    let id = try await ids()[0]
    _ = try await panda.run("tag", "--data-dir=d", id, "snow", "rain")
    _ = try await panda.run("tag", id, "-snow", "+ice", "--", "-rain")
    let result = try await panda.run("--json", "list", "ice", "--data-dir", "d", "Panda")
    #expect(try CommandDriver.objects(result).map { $0["tags"] } == [.texts(["ice"])])
  }
}
