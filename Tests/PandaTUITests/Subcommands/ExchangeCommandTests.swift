import Foundation
import PandaCore
import PandaTestSupport
import Pantry
import Testing

@testable import PandaTUI
@testable import TerminalKit

@MainActor
@Suite struct ExchangeCommandTests {
  private let directory = TemporaryDirectory()
  private let other = TemporaryDirectory()

  @Test(arguments: ["export", "export.tar"])
  func `what is exported is imported with captions and tags, once`(_ name: String) async throws {
    let panda = CommandDriver(directory)
    try await panda.save(3)
    let id = try await panda.run("list", "--ids").lines[1]
    _ = try await panda.run("caption", id, "Asleep")
    _ = try await panda.run("tag", id, "snow")
    let place = directory.path(name)
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

  @Test func `fault 66: what is no export is neither replaced nor imported`() async throws {
    let panda = CommandDriver(directory)
    try await panda.save(1)
    let file = directory.path("notes.tar")
    try Data("notes".utf8).write(to: URL(filePath: file))
    let exported = try await panda.run("export", file)
    #expect(exported.status == .failed && exported.words.hasPrefix("panda: Not exported: "))
    let imported = try await panda.run("import", file)
    #expect(imported.status == .failed)
    #expect(imported.words.hasPrefix("panda: Nothing was imported: "))
    #expect(try Data(contentsOf: URL(filePath: file)) == Data("notes".utf8))
    #expect(try await panda.run("export", "--replace", file).status == .done)
    let missing = try await panda.run("import", directory.path("none"))
    #expect(missing.status == .notFound || missing.status == .failed)
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
    #expect(made.words.hasSuffix(" has everything: 2 pandas, trash and history.\n"))
    #expect(try await panda.run("backup", copy).status == .failed)
    #expect(try await CommandDriver(other).run("list").lines.count == 2)
  }
}
