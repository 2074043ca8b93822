import Foundation
import PandaCore
import PandaTestSupport
import Pantry
import Testing

@testable import PandaSession
@testable import PandaShell

@MainActor
@Suite struct FetchCommandTests {
  private let directory = TemporaryDirectory()
  private let panda: CommandDriver

  init() { panda = CommandDriver(directory) }

  @Test func `pictures are described and kept only if wanted`() async throws {
    let result = try await panda.run("fetch", "-n", "2")
    #expect(result.status == .done && result.words.isEmpty)
    #expect(result.lines.count == 2 && result.lines[1].hasSuffix("https://zoo.example/2"))
    #expect(try await panda.run("list").lines.isEmpty)
    let kept = try await panda.run("fetch", "--keep", "--json")
    #expect(kept.words == "Panda 3: \(Sentence.added).\n")
    let object = try #require(try CommandDriver.objects(kept).first)
    #expect(object["savedAt"] != nil)
    #expect(try await panda.run("list").lines.count == 1)
  }

  @Test func `a picture is saved as a file, in a directory, or printed`() async throws {
    let file = directory.path("panda.png")
    #expect(try await panda.run("fetch", "-o", file).words == "Saved as \(file).\n")
    #expect(try Data(contentsOf: URL(filePath: file)) == SmallSource.png(1))
    let taken = try await panda.run("fetch", "--output", file)
    #expect(taken.status == .failed && taken.words.hasPrefix("panda: Not saved: "))
    #expect(try await panda.run("fetch", "-o", "-").data == SmallSource.png(3))
    let folder = directory.url.appending(path: "folder")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    #expect(try await panda.run("fetch", "-n", "3", "-o", folder.path).status == .done)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 3)
    #expect(try await panda.run("fetch", "-n", "2", "-o", file).status == .usage)
  }

  @Test func `the ID of a picture that was fetched can be shown and added`() async throws {
    let line = try #require(try await panda.run("fetch").lines.first)
    let id = String(line.prefix { $0 != " " })
    #expect(try await panda.run("show", id, "--bytes").data == SmallSource.png(1))
    #expect(try await panda.run("list").lines.isEmpty)
    let added = try await panda.run("add", id)
    #expect(added.status == .done, "\(added.words)")
    #expect(try await panda.run("list").lines.map { $0.prefix { $0 != " " } } == [Substring(id)])
    #expect(try await panda.run("add", "ffffffff").status == .notFound)
  }

  @Test func `a name with the wrong extension is answered with the format written`() async throws {
    let file = directory.path("panda.jpg")
    #expect(
      try await panda.run("fetch", "-o", file).words
        == "Saved as \(file), which is a PNG file.\n")
  }

  @Test func `a source that fails is a network error with a suggestion`() async throws {
    panda.source = FlakySource()
    let result = try await panda.run("fetch")
    #expect(result.status == .network)
    #expect(result.words.hasSuffix(". panda fetch --source grove draws one.\n"))
  }

  @Test func `fault 106: a picture that cannot be decoded has no ID and is not remembered`()
    async throws
  {
    // Its header is right, and not a row of it is there.
    struct CutSource: ImageSource {
      let name = "cut.example"

      func fetchImage(
        progress: @escaping @Sendable (FetchProgress) -> Void
      ) async throws -> FetchedImage {
        FetchedImage(
          url: URL(string: "https://cut.example/1")!, data: try SmallSource.png(1).prefix(45),
          source: name)
      }
    }
    panda.source = CutSource()
    let result = try await panda.run("fetch")
    #expect(result.status == .network && result.lines.isEmpty)
    let library = ImageLibrary(in: StorageDirectory(url: directory.url.appending(path: "data")))
    try await library.seen.itemsHaveLoaded()
    #expect(library.seen.items.isEmpty)
  }

  @Test func `fault 32: a damaged picture is not kept`() async throws {
    panda.source = BrokenSource(percent: 60)
    let result = try await panda.run("fetch", "--keep")
    #expect(result.status == .failed)
    #expect(result.words.contains(Sentence.refused(.isDamaged, SubcommandNames())))
    #expect(try await panda.run("list").lines.isEmpty)
  }
}
