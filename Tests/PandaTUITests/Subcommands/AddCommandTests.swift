import Foundation
import PandaTestSupport
import PictureCodecs
import Testing

@testable import PandaSession
@testable import PandaShell

@MainActor
@Suite struct AddCommandTests {
  private let directory = TemporaryDirectory()
  private let panda: CommandDriver

  init() { panda = CommandDriver(directory) }

  /// Writes picture files into a directory, and returns its path.
  private func pictures(_ numbers: ClosedRange<Int>) throws -> String {
    let place = directory.url.appending(path: "pictures")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    for number in numbers {
      try SmallSource.png(number).write(to: place.appending(path: "panda_\(100 + number).png"))
    }
    return place.path
  }

  @Test func `a directory is added in parts, and one undo takes it back`() async throws {
    let count = PictureIntake.width * 2 + 3
    let place = try pictures(1...count)
    try Data("words".utf8).write(to: URL(filePath: place).appending(path: "notes.txt"))
    let result = try await panda.run("add", place)
    #expect(result.status == .done)
    #expect(
      result.words == "Added \(count) pictures to your favorites. panda undo takes them back.\n"
        + "Passed over: 1 no picture.\n")
    let listed = try await panda.run("list", "--json", "--sort", "oldest")
    let objects = try CommandDriver.objects(listed)
    #expect(objects.map { $0["title"] } == (1...count).map { .text("panda \(100 + $0)") })
    let ids = objects.compactMap { object -> String? in
      if case .text(let id)? = object["id"] { id } else { nil }
    }
    #expect(result.lines == ids.map { String($0.prefix(10)) })
    let again = try await panda.run("add", place)
    #expect(again.status == .done)
    #expect(
      again.words
        == "Nothing new: all \(count) are favorites already.\nPassed over: 1 no picture.\n")
    _ = try await panda.run("undo")
    #expect(try await panda.run("list").lines.isEmpty)
    _ = try await panda.run("redo")
    #expect(try await panda.run("list").lines.count == count)
  }

  @Test func `fault 78: files that cannot be added are named, and the worst status counts`()
    async throws
  {
    let place = try pictures(1...2)
    let broken = "\(place)/broken.png"
    try SmallSource.png(3).prefix(300).write(to: URL(filePath: broken))
    let words = "\(place)/words.jpg"
    try Data("words".utf8).write(to: URL(filePath: words))
    let result = try await panda.run(
      "add", "\(place)/panda_101.png", broken, "\(place)/none.png", words,
      "\(place)/panda_102.png")
    // Of a missing file and of two that are no pictures, the latter are worse.
    #expect(result.status == .failed)
    #expect(result.words.contains(": no such file or directory.\n"))
    #expect(result.words.contains("panda: broken.png: "))
    #expect(result.words.contains("panda: words.jpg: This is not a picture"))
    #expect(
      result.words.hasSuffix("Added 2 pictures to your favorites. panda undo takes them back.\n"))
    #expect(try await panda.run("add", "\(place)/none.png").status == .notFound)
    #expect(try await panda.run("list", "--ids").lines.count == 2)
  }

  @Test func `fault 100: a file's caption and tags come with it, and one undo takes all`()
    async throws
  {
    let packet =
      "<x:xmpmeta><dc:description><rdf:Alt><rdf:li xml:lang='de'>Im Schnee</rdf:li>"
      + "<rdf:li xml:lang='x-default'>In the \u{1B}[31msnow</rdf:li></rdf:Alt></dc:description>"
      + "<dc:subject><rdf:Bag><rdf:li>red panda</rdf:li><rdf:li>snow</rdf:li></rdf:Bag>"
      + "</dc:subject></x:xmpmeta>"
    let place = try pictures(1...2)
    let file = URL(filePath: "\(place)/panda_101.png")
    try (Data(contentsOf: file) + Data(packet.utf8)).write(to: file)
    let result = try await panda.run("add", file.path)
    #expect(
      result.words == "Added 1 picture to your favorites, with the caption or tags in its file. "
        + "panda undo takes it back.\n")
    let listed = try CommandDriver.objects(try await panda.run("list", "--json"))[0]
    #expect(listed["caption"] == .text("In the [31msnow"))
    #expect(listed["tags"] == .texts(["red-panda", "snow"]))
    #expect(listed["title"] == .text("panda 101"))
    // What the user writes stays, also when the file is added again.
    _ = try await panda.run("caption", try #require(result.lines.first), "Mine")
    _ = try await panda.run("add", place)
    let mine = try CommandDriver.objects(try await panda.run("list", "snow", "--json"))[0]
    #expect(mine["caption"] == .text("Mine"))
    for _ in 0..<3 { _ = try await panda.run("undo") }
    #expect(try await panda.run("list").lines.isEmpty)
  }

  @Test func `fault 100: what show opens can be added, and is shown from the library`()
    async throws
  {
    // Wider than what may come from the network, and more bytes.
    let sides = [(20_001, 4), (2_700, 2_600)]
    let random = try #require(FileHandle(forReadingAtPath: "/dev/urandom"))
    for (index, (width, height)) in sides.enumerated() {
      // Noise cannot be compressed.
      let noise = try #require(try random.read(upToCount: width * height * 4))
      let bitmap = Bitmap(size: PixelSize(width: width, height: height), pixels: Array(noise))
      try bitmap.pngData().write(to: directory.url.appending(path: "large\(index).png"))
    }
    for index in sides.indices {
      let file = directory.url.appending(path: "large\(index).png").path
      let result = try await panda.run("add", file)
      #expect(result.status == .done, "\(result.words)")
      let shown = try await panda.run("show", try #require(result.lines.first))
      #expect(shown.status == .done, "\(shown.words)")
    }
    let size = try directory.url.appending(path: "large1.png").resourceValues(
      forKeys: [.fileSizeKey]
    ).fileSize
    #expect(try #require(size) > PictureLimits.network.bytes)
  }

  @Test func `an address is fetched, and says what failed`() async throws {
    let server = try PandaServer(pictures: [SmallSource.png(1)])
    defer { server.stop() }
    let address = server.server.url("/picture/1").absoluteString
    let result = try await panda.run("add", "--json", address)
    #expect(result.status == .done, "\(result.words)")
    let object = try #require(try CommandDriver.objects(result).first)
    #expect(object["address"] == .text(address))
    let missing = try await panda.run("add", server.server.url("/none").absoluteString)
    #expect(missing.status == .network)
    #expect(missing.words.contains("404"))
  }
}
