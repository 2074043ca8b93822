import Foundation
import PandaTestSupport
import Testing

@testable import PandaSession
@testable import PandaShell

@MainActor
@Suite struct ExchangeCommandTests {
  private let directory = TemporaryDirectory()
  private let other = TemporaryDirectory()

  @Test func `exported favorites are imported once, with captions and tags`() async throws {
    let panda = CommandDriver(directory)
    try await panda.save(3)
    let id = try await panda.run("list", "--ids").lines[1]
    _ = try await panda.run("caption", id, "Asleep")
    _ = try await panda.run("tag", id, "snow")
    let place = directory.path("export")
    let exported = try await panda.run("export", place)
    #expect(exported.status == .done && exported.words.hasPrefix("Exported 3 pandas to "))
    let second = CommandDriver(other)
    let imported = try await second.run("import", place)
    #expect(imported.words == "Imported 3 pandas. panda undo takes it back.\n")
    let list = try await panda.run("list", "--json")
    #expect(try await second.run("list", "--json").data == list.data)
    #expect(
      try await second.run("import", place).words
        == "Imported 0 pandas; 3 were favorites already.\n")
    _ = try await second.run("undo")
    #expect(try await second.run("list").lines.isEmpty)
  }

  @Test(arguments: ["x.tar", "X.TGZ", "it's.tar.zst"])
  func `an archive is refused with the lines that work`(_ name: String) throws {
    let file = directory.path(name)
    try Data("panda".utf8).write(to: URL(filePath: file))
    let word = name.contains("'") ? "'\(file.replacing("'", with: "'\\''"))'" : file
    for (command, lines) in [
      ("export", "panda export panda-favorites && tar caf \(word) panda-favorites"),
      ("import", "tar xf \(word) && panda import panda-favorites"),
    ] {
      let error = #expect(throws: UsageError.self) { try Invocation(arguments: [command, file]) }
      #expect(error?.problem.hasSuffix("; for an archive, use \"\(lines)\"") == true)
    }
    #expect(throws: Never.self) { try Invocation(arguments: ["import", directory.path("none")]) }
  }

  @Test func `with a filter, only the favorites that match are exported`() async throws {
    let panda = CommandDriver(directory)
    try await panda.save(3)
    let ids = try await panda.run("list", "--ids").lines
    for id in ids.prefix(2) { _ = try await panda.run("tag", id, "snow") }
    _ = try await panda.run("caption", ids[1], "Fast asleep")
    let place = directory.path("snow")
    let exported = try await panda.run("export", place, "#snow", "asleep")
    #expect(exported.words.hasPrefix("Exported 1 panda to "))
    let second = CommandDriver(other)
    #expect(try await second.run("import", place).words.hasPrefix("Imported 1 panda."))
    let none = try await panda.run("export", directory.path("none"), "#rain")
    #expect(none.status == .notFound)
    #expect(none.words == "panda: No favorite matches #rain.\n")
    #expect(!FileManager.default.fileExists(atPath: directory.path("none")))
    let all = try await panda.run("export", directory.path("all"), " ")
    #expect(all.words.hasPrefix("Exported 3 pandas to "))
  }

  @Test func `fault 104: a picture that is encoded again is named`() async throws {
    let panda = CommandDriver(directory)
    let file = URL(filePath: #filePath)
      .appending(path: "../../../PictureCodecsTests/Fixtures/animated.avif").standardizedFileURL
    // Without libheif's decoders it cannot be added.
    guard try await panda.run("add", file.path).status == .done else { return }
    let id = try #require(try await panda.run("list", "--ids").lines.first)
    for arguments in [["page.html"], ["stripped", "--without-metadata"]] {
      let place = directory.path(arguments[0])
      let result = try await panda.run(["export", place] + arguments.dropFirst())
      #expect(result.status == .done)
      #expect(
        result.words.hasPrefix("\(id.prefix(10)) was encoded again: "), "\(result.words)")
      #expect(result.words.contains("Exported 1 panda"))
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path("stripped"))
    #expect(names.contains { $0.hasSuffix(".jpg") })
  }

  /// The files of an export by their names, or the export itself.
  private func content(of place: String) throws -> [String: Data] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: place)  // nil: it is a file
    let paths = names.map { $0.map { "\(place)/\($0)" } } ?? [place]
    return try Dictionary(
      uniqueKeysWithValues: paths.map { ($0, try Data(contentsOf: URL(filePath: $0))) })
  }

  @Test(arguments: ["export", "export.html"])
  func `an export of some favorites does not replace an export of all`(_ name: String) async throws
  {
    let panda = CommandDriver(directory)
    try await panda.save(2)
    let id = try await panda.run("list", "--ids").lines[0]
    _ = try await panda.run("tag", id, "snow")
    let place = directory.path(name)
    #expect(try await panda.run("export", place).status == .done)
    let before = try content(of: place)
    let some = try await panda.run("export", place, "#snow")
    #expect(some.status == .failed)
    #expect(some.words.hasPrefix("panda: Not exported: "))
    #expect(some.words.hasSuffix(" exists already: choose another name.\n"))
    #expect(try content(of: place) == before)
    #expect(try await panda.run("export", place).words.contains("Exported 2 pandas"))
    // --replace is for files: a directory keeps what does not match.
    let replaced = try await panda.run("export", "--replace", place, "#snow")
    #expect(replaced.status == (name == "export" ? .failed : .done))
  }

  @Test func `metadata in exported files is mentioned once, or left out on request`() async throws {
    let panda = CommandDriver(directory)
    let png = try SmallSource.png(1)
    let photo = directory.url.appending(path: "photo.png")
    // After the first chunk, a comment of three bytes; its checksum does not matter.
    try (png.prefix(33) + [0, 0, 0, 3] + Data("tEXtA\0B".utf8) + [0, 0, 0, 0] + png.dropFirst(33))
      .write(to: photo)
    try await panda.save(1)
    #expect(try await panda.run("add", photo.path).status == .done)
    let sentence = "--without-metadata leaves that out"
    let whole = try await panda.run("export", directory.path("whole"))
    #expect(whole.status == .done && whole.words.components(separatedBy: sentence).count == 2)
    for arguments in [["clean", "--without-metadata"], ["page.html"]] {
      let place = directory.path(arguments[0])
      let clean = try await panda.run(["export", place] + arguments.dropFirst())
      #expect(clean.status == .done && !clean.words.contains(sentence))
    }
    let files = try FileManager.default.subpathsOfDirectory(atPath: directory.path("clean"))
    for file in files {
      let data = try Data(contentsOf: URL(filePath: directory.path("clean/\(file)")))
      #expect(data.firstRange(of: Data("tEXt".utf8)) == nil)
    }
    #expect(files.count == 3)
  }

  @Test func `the heading of a gallery is its filter`() async throws {
    let panda = CommandDriver(directory)
    try await panda.save(1)
    let page = directory.path("gallery.html")
    #expect(try await panda.run("export", page, "panda", "1").status == .done)
    let text = try String(contentsOfFile: page, encoding: .utf8)
    #expect(text.contains("<h1 dir=\"auto\">panda 1</h1>"))
    #expect(text.contains("<title>panda 1</title>"))
  }

  @Test
  func `fault 66: a file that is not an export is not replaced, nor a missing one imported`()
    async throws
  {
    let panda = CommandDriver(directory)
    try await panda.save(1)
    let file = directory.path("notes.html")
    try Data("notes".utf8).write(to: URL(filePath: file))
    let exported = try await panda.run("export", file)
    #expect(exported.status == .failed && exported.words.hasPrefix("panda: Not exported: "))
    #expect(try Data(contentsOf: URL(filePath: file)) == Data("notes".utf8))
    #expect(try await panda.run("export", "--replace", file).status == .done)
    let missing = try await panda.run("import", directory.path("none"))
    #expect(missing.status == .notFound)
    #expect(missing.words.hasPrefix("panda: Nothing was imported: "))
    #expect(missing.words.components(separatedBy: "othing was imported").count == 2)
  }

  @Test func `a gallery is a page, a backup opens as favorites`() async throws {
    let panda = CommandDriver(directory)
    try await panda.save(2)
    let page = directory.path("gallery.html")
    #expect(try await panda.run("export", page).status == .done)
    #expect(try String(contentsOfFile: page, encoding: .utf8).hasPrefix("<!doctype html>"))
    let place = other.url.appending(path: "data")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    let copy = place.appending(path: "favorites.sqlite").path
    let made = try await panda.run("backup", copy)
    #expect(made.words.hasSuffix(" has everything: 2 pandas, trash, collections and history.\n"))
    #expect(try await panda.run("backup", copy).status == .failed)
    #expect(try await CommandDriver(other).run("list").lines.count == 2)
  }
}
