import Foundation
import PandaCore
import PandaTestSupport
import Pantry
import Testing

@testable import PandaSession
@testable import PandaShell

@MainActor
@Suite struct ListCommandTests {
  private let directory = TemporaryDirectory()
  private let panda: CommandDriver

  init() { panda = CommandDriver(directory) }

  /// The numbers in the titles of the listed pictures.
  private func titles(_ arguments: String...) async throws -> [String] {
    let result = try await panda.run(["list"] + arguments)
    return result.lines.compactMap { $0.split(separator: "  ").dropFirst(2).first.map(String.init) }
  }

  @Test func `the newest favorite comes first, even beyond the first page read`() async throws {
    try await panda.save(40)
    let all = try await titles()
    #expect(all == (1...40).reversed().map { "Panda \($0)" })
    #expect(try await titles("-n", "3") == Array(all.prefix(3)))
    #expect(try await titles("--number=35") == Array(all.prefix(35)))
    // Words, since every small number is also in a date.
    #expect(try await titles("-n2", "panda", "zoo") == ["Panda 40", "Panda 39"])
    #expect(try await titles("panda", "39") == ["Panda 39"])
  }

  @Test func `the screen's orders are those of the screen`() async throws {
    try await panda.save(12)
    let library = panda.library()
    try await library.favorites.itemsHaveLoaded()
    try await library.setCaption("b", of: [library.favorites.items[4]])
    try await library.setCaption("a", of: [library.favorites.items[2]])
    let images = library.favorites.items
    await library.close()
    for order in FavoritesOrder.allCases {
      let result = try await panda.run("list", "--ids", "--sort", order.rawValue)
      #expect(result.lines == order.sorted(images, now: Date()).map(\.pictureID.digits), "\(order)")
    }
  }

  @Test func `a random order has each favorite once, and is another one each time`() async throws {
    try await panda.save(12)
    let all = try await titles().sorted()
    var orders: Set<[String]> = []
    // One in half a billion runs would give the same order twice in a row.
    for _ in 1...3 where orders.count < 2 {
      let order = try await titles("--sort", "random")
      #expect(order.sorted() == all)
      orders.insert(order)
    }
    #expect(orders.count == 2)
    #expect(try await titles("--sort", "random", "-n", "5").count == 5)
  }

  @Test func `a filter with an unknown word, or without --all, says so`() async throws {
    try await panda.save(1)
    for line in [["list", "is:foo"], ["remove", "--all", "is:foo"], ["export", "x", "is:foo"]] {
      let result = try await panda.run(line)
      #expect(result.status == .usage)
      #expect(
        result.words == "panda: is:foo is unknown; there are is:similar and is:today.\n")
    }
    let removed = try await panda.run("remove", "#snow")
    #expect(removed.status == .notFound)
    #expect(removed.words.contains("--all takes all favorites that match"))
  }

  @Test func `an empty list is an answer, a filter that finds nothing is not`() async throws {
    let none = try await panda.run("list")
    #expect(none.status == .done && none.data.isEmpty)
    #expect(none.words == "\(ActionWords.favorites(0)).\n")
    let trash = try await panda.run("list", "--trash", "--json")
    #expect(trash.status == .done && trash.words == "\(ActionWords.emptyTrash).\n")
    try await panda.save(1)
    let search = try await panda.run("list", "no", "such")
    #expect(search.status == .notFound && search.words == "panda: Nothing matches no such.\n")
  }

  @Test func `JSON has the documented members, one object a line`() async throws {
    try await panda.save(2)
    _ = try await panda.run("tag", try await panda.run("list", "--ids").lines[0], "+snow", "tree")
    let objects = try CommandDriver.objects(try await panda.run("list", "--json"))
    #expect(objects.count == 2)
    let object = try #require(objects.first)
    #expect(
      object.keys.sorted() == [
        "address", "bytes", "fetchedAt", "height", "id", "savedAt", "schema", "sha256", "source",
        "tags", "title", "width",
      ])
    #expect(object["schema"] == 1 && object["address"] == "https://zoo.example/2")
    #expect(object["id"] == .text(PictureID(address: "https://zoo.example/2").digits))
    #expect(object["width"] == 64 && object["tags"] == .texts(["snow", "tree"]))
    guard case .text(let moment)? = object["savedAt"] else { throw TestFailure("no moment") }
    #expect(moment.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
    let guide = try String(
      contentsOf: URL(filePath: #filePath).appending(path: "../../../../docs/Scripting.md")
        .standardizedFileURL, encoding: .utf8)
    let page = try #require(URL(string: "https://zoo.example/p"))
    var image = RemoteImage(
      createdAt: Date(), url: page, width: 1, height: 1, dataRepresentation: Attachment(Data()),
      source: "a", title: "b", about: "g", credit: "c", license: "d", page: page, caption: "e")
    image.savedBy = "f"
    let record = PictureRecord.json(image, isFavorite: true, removedAt: Date(), named: [])
    #expect(record.members?.count == 19)
    for name in record.members?.keys ?? [:].keys {
      #expect(guide.contains("`\(name)`"), "\(name)")
    }
  }

  @Test func `fault 113: a page that must not be opened is not printed`() async throws {
    let library = panda.library()
    for (number, page) in [
      "https://zoo.example/p", "http://192.168.0.1/", "http://u:p@zoo.example/",
    ]
    .enumerated() {
      let address = try #require(URL(string: "https://zoo.example/\(number)"))
      try await library.save([
        RemoteImage(
          createdAt: Date(), url: address, width: 1, height: 1,
          dataRepresentation: Attachment(Data([UInt8(number)])), source: "zoo.example",
          page: URL(string: page))
      ])
    }
    await library.close()
    let objects = try CommandDriver.objects(try await panda.run("list", "--json"))
    #expect(objects.map { $0["page"] } == [nil, nil, "https://zoo.example/p"])
  }

  @Test func `fault 64: hostile texts stay one line, and reach no terminal as they are`()
    async throws
  {
    let library = panda.library()
    let controller = ImagesController(library: library, source: SmallSource())
    for text in HostileText.all {
      var image = try await controller.fetchImage()
      image.caption = text
      try await controller.saveImage(image: image)
    }
    await controller.library.close()
    let lines = try await panda.run("list")
    #expect(lines.lines.count == HostileText.all.count)
    let json = try await panda.run("list", "--json")
    let objects = try CommandDriver.objects(json)
    let captions = objects.map { $0["caption"] ?? "" }
    // As written, to the scalar.
    let written = HostileText.all.reversed().map { JSONMember.text($0) }
    #expect(
      captions.map { "\($0)".unicodeScalars.map(\.value) }
        == written.map { "\($0)".unicodeScalars.map(\.value) })
    for result in [lines, json] {
      #expect(
        !result.text.unicodeScalars.contains {
          $0.value < 0x20 && $0 != "\n" || (0x7F...0x9F).contains($0.value)
            || (0x202A...0x202E).contains($0.value)
        })
    }
  }

  @Test func `a cache that cannot be written is named, and not the favorites`() async throws {
    try await panda.save(1)
    try Data().write(to: directory.url.appending(path: "cache"))
    for command in [["list", "--paths"], ["today", "--path"]] {
      let result = try await panda.run(command)
      #expect(result.status == .failed)
      #expect(result.words.hasPrefix("panda: The picture cannot be copied into the cache: "))
    }
  }

  @Test func `paths lead to copies of the picture files, ended by zero if wanted`() async throws {
    try await panda.save(2)
    let paths = try await panda.run("list", "--paths", "-0")
    let names = paths.data.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    #expect(names.count == 2 && paths.data.last == 0)
    for (number, name) in zip([2, 1], names) {
      #expect(name.hasSuffix(".png"))
      #expect(try Data(contentsOf: URL(filePath: name)) == SmallSource.png(number))
    }
    // What the cache lost is copied again.
    try FileManager.default.removeItem(atPath: names[0])
    #expect(try await panda.run("list", "--paths").lines == names)
    #expect(FileManager.default.fileExists(atPath: names[0]))
  }

  @Test func `the trash is listed with the last removed one first`() async throws {
    try await panda.save(3)
    let ids = try await panda.run("list", "--ids").lines
    _ = try await panda.run("remove", ids[2])
    _ = try await panda.run("remove", ids[0])
    #expect(try await panda.run("list", "--trash", "--ids").lines == [ids[0], ids[2]])
    let objects = try CommandDriver.objects(try await panda.run("list", "--trash", "--json"))
    #expect(objects.allSatisfy { $0["removedAt"] != nil && $0["savedAt"] == nil })
  }

  @Test func `statistics count favorites by source, tag and year`() async throws {
    try await panda.save(3)
    let id = try await panda.run("list", "--ids").lines[0]
    _ = try await panda.run("tag", id, "snow")
    let object = try #require(
      try CommandDriver.objects(try await panda.run("stats", "--json")).first)
    #expect(object["favorites"] == 3 && object["trash"] == 0)
    #expect(object["sources"] == .counts(["zoo.example": 3]))
    #expect(object["tags"] == .counts(["snow": 1]))
    #expect(try await panda.run("stats").lines.contains("  3  zoo.example"))
  }
}
