import Foundation
import PandaCore
import PandaTestSupport
import Pantry
import Testing

@testable import PandaSession
@testable import PandaShell

@MainActor
@Suite struct TodayCommandTests {
  private let directory = TemporaryDirectory()
  private let panda: CommandDriver

  init() { panda = CommandDriver(directory) }

  private func image(_ number: Int, savedAt: Date) -> RemoteImage {
    RemoteImage(
      createdAt: savedAt, url: URL(string: "https://zoo.example/\(number)")!, width: 1, height: 1,
      dataRepresentation: Attachment(Data("\(number)".utf8)), source: "zoo", savedAt: savedAt)
  }

  @Test func `the picture stays the same all day`() async throws {
    try await panda.save(5)
    let today = try #require(
      try CommandDriver.objects(try await panda.run("today", "--json")).first)
    try await panda.save(3, source: SmallSource(first: 101))
    let later = try CommandDriver.objects(try await panda.run("today", "--json")).first
    #expect(later == today)
    // In words it is the same too, and there is no picture in a pipe.
    let words = try await panda.run("today").lines
    #expect(words.count == 1 && words[0].contains("zoo.example"))
  }

  @Test func `a damaged file of the days is set aside, and the next one is kept`()
    async throws
  {
    try await panda.save(5)
    _ = try await panda.run("today")
    let state = directory.url.appending(path: "state")
    let name = try #require(
      FileManager.default.subpathsOfDirectory(atPath: state.path).first {
        $0.contains("/today") && $0.hasSuffix(".json")
      })
    try Data().write(to: state.appending(path: name))
    let today = try await panda.run("today", "--json").text
    for _ in 1...5 { #expect(try await panda.run("today", "--json").text == today) }
    #expect(FileManager.default.fileExists(atPath: state.appending(path: name).path + ".corrupt"))
  }

  @Test func `random favorites come back after half of them, and leave that of the day`()
    async throws
  {
    try await panda.save(4)
    let today = try await panda.run("today", "--json").text
    var seen = [today]
    for _ in 1...8 { seen.append(try await panda.run("today", "--random", "--json").text) }
    for place in 0...6 { #expect(Set(seen[place..<place + 3]).count == 3, "\(seen)") }
    #expect(Set(seen).count == 4)
    #expect(try await panda.run("today", "--json").text == today)
    // Each of them was seen, which lists and filters know.
    #expect(try await panda.run("list", "seen:today").lines.count == 4)
    #expect(try await panda.run("list", "seen:never").status == .notFound)
    #expect(try await panda.run("list", "seen:later").status == .usage)
    let ids = try await panda.run("list", "--ids", "--sort", "unseen").lines
    #expect(today.contains(try #require(ids.last)))
  }

  @Test func `a favorite of this day in another year is preferred`() async throws {
    let library = panda.library()
    let now = Date()
    try await library.save((1...20).map { image($0, savedAt: now) })
    try await library.favorites.itemsHaveLoaded()
    // Four years earlier, every day but a few of February exists.
    let calendar = Calendar(identifier: .gregorian)
    var old = library.favorites.items[7]
    old.savedAt = calendar.date(byAdding: .year, value: -4, to: now)
    try await library.favorites.add(old)
    await library.close()
    let object = try CommandDriver.objects(try await panda.run("today", "--json")).first
    #expect(object?["address"] == .text(old.id))
    let greeting = try await panda.run("today", "--greeting").text
    #expect(greeting.contains("4 years ago today: "))
  }

  @Test func `earlier days are remembered, as far as anybody asked`() async throws {
    try await panda.save(4)
    func run(_ day: Int, _ words: String...) async throws -> CommandDriver.Result {
      panda.now = { Date() + Double(day) * 86_400 }
      return try await panda.run(["today", "--json"] + words)
    }
    let first = try await run(0).text
    let second = try await run(1).text
    #expect(first != second)
    let third = try await run(2).text
    // A clock that is wrong for a while takes no day away.
    #expect(try await run(-9_000).status == .done)
    #expect(try await run(2).text == third)
    #expect(try await run(2, "--ago", "1").text == second)
    #expect(try await run(2, "--ago=2").text == first)
    #expect(try await run(30, "--ago", "30").text == first)
    let none = try await run(30, "--ago", "27")
    #expect(none.status == .notFound)
    #expect(none.words == "panda: Nobody asked for a favorite on that day.\n")
    let object = try #require(try CommandDriver.objects(try await run(1)).first)
    guard case .text(let id)? = object["id"] else { throw TestFailure("\(object)") }
    _ = try await panda.run("remove", id)
    #expect(try await run(2, "--ago", "1").status == .notFound)
    for wrong in ["0", "-1", "31", "x", "1.5"] {
      #expect(throws: UsageError.self) {
        _ = try Invocation(arguments: ["today", "--ago=\(wrong)"])
      }
    }
  }

  @Test func `a library has one favorite of the day, however its directory is typed`() {
    let names = ["/a/b", "/a/b/", "/"].map {
      LibraryOpening(configuration: Configuration(), dataDirectory: $0).name
    }
    #expect(names == ["/a/b", "/a/b", "/"])
  }

  @Test func `a link leads to a copy that stays, and replaces nothing else`() async throws {
    try await panda.save(3)
    let link = directory.path("wallpaper")
    func relink(_ words: String...) async throws -> CommandDriver.Result {
      try await panda.run(["today", "--random", "--link", link] + words)
    }
    func copies() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: directory.path("data/links"))
    }
    var pictures: Set<Data> = []
    for _ in 1...3 {
      #expect(try await relink().status == .done)
      pictures.insert(try Data(contentsOf: URL(filePath: link)))
      #expect(try copies().count == 1)
    }
    #expect(pictures == Set(try (1...3).map(SmallSource.png)))
    // Another link has a copy of its own.
    #expect(try await panda.run("today", "--link", directory.path("other")).status == .done)
    #expect(try copies().count == 2)
    let target = try FileManager.default.destinationOfSymbolicLink(atPath: link)
    for (kind, make) in [
      ("a file", { try Data("mine".utf8).write(to: URL(filePath: link)) }),
      (
        "a directory",
        {
          try FileManager.default.createDirectory(
            atPath: link, withIntermediateDirectories: false)
        }
      ),
      (
        "a link to another place",
        {
          try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: "/nowhere/links/x")
        }
      ),
    ] as [(String, () throws -> Void)] {
      try FileManager.default.removeItem(atPath: link)
      try make()
      let refused = try await panda.run("today", "--link", link)
      #expect(refused.status == .usage && refused.words.contains(" is \(kind), "), "\(refused)")
      #expect(FileManager.default.fileExists(atPath: target))
    }
    #expect(try await panda.run("today", "--link", directory.path("no/such")).status == .failed)
    #expect(try await panda.run("today", "--link", directory.url.path + "/").status == .usage)
  }

  @Test func `the path is that of a copy, and a greeting has the number`() async throws {
    try await panda.save(3)
    let path = try #require(try await panda.run("today", "--path").lines.first)
    let data = try Data(contentsOf: URL(filePath: path))
    #expect(try (1...3).map(SmallSource.png).contains(data))
    let greeting = try await panda.run("today", "--greeting").text
    #expect(greeting.hasPrefix("3 favorite red pandas. Today: Panda "))
  }

  @Test func `without favorites it says how to get one`() async throws {
    for arguments in [["today"], ["today", "--random"]] {
      let result = try await panda.run(arguments)
      #expect(result.status == .notFound)
      #expect(
        result.words
          == "panda: \(ActionWords.favorites(0)). panda fetch --keep finds and keeps one.\n")
    }
  }
}
