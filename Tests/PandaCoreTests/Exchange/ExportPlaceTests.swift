import Foundation
import PandaTestSupport
import SystemSupport
import Testing

@testable import PandaCore
@testable import Pantry

/// What an export does to what is at its place.
@MainActor
@Suite struct ExportPlaceTests {
  let fixture = ExchangeFixture()

  nonisolated static let forms = ["panda", "panda.html"]

  private func export(
    _ name: String, _ images: [RemoteImage] = [.sample(1)], replacing: Bool = false
  ) async throws {
    let library = try await fixture.library("library-\(UUID())", images)
    _ = try await library.export(
      to: ExportTarget(path: fixture.path(name)), replacing: replacing)
  }

  private func error(_ name: String, replacing: Bool = false) async -> ExchangeError.Kind? {
    await #expect(throws: ExchangeError.self) { try await export(name, replacing: replacing) }?.kind
  }

  private func code(_ name: String) async -> Int32? {
    await #expect(throws: FileError.self) { try await export(name) }?.code
  }

  /// The names beside the libraries.
  private func names() throws -> [String] {
    try fixture.names().filter { !$0.hasPrefix("library") }
  }

  @Test func `the form of an export follows from its name`() throws {
    #expect(try ExportTarget(path: "a.html") == .html("a.html"))
    #expect(try ExportTarget(path: "a.htm") == .html("a.htm"))
    for path in ["a", "a.tar/", "a.zip/", "b.zip/a", ".json", "v1.2", "my.pandas", "./-", "zip"] {
      #expect(try ExportTarget(path: path) == .directory(path))
    }
  }

  @Test(arguments: [
    "x.zip", "x.tar", "x.tgz", "x.tar.gz", "a/X.ZIP", "x.json", "favorites.ndjson", "x.sqlite",
    "x.jpg",
    "x.PNG", "x.heic", "-",
  ])
  func `fault 66: an unsupported ending is refused, with what works`(
    _ path: String
  ) throws {
    let error = try #require(throws: ExchangeError.self) { try ExportTarget(path: path) }
    #expect(error.kind == .notWritten)
    #expect(error.description.contains("a directory or an .html file"))
    #expect(error.description.hasSuffix(path == "-" ? "output." : "; \(path)/ is a directory."))
  }

  @Test(arguments: Self.forms)
  func `an earlier export is replaced`(_ name: String) async throws {
    try await export(name)
    try await export(name, [.sample(1), .sample(2)])
    if name != "panda.html" {
      let other = fixture.library("library-other")
      #expect(try await other.importFavorites(from: fixture.path(name)).added == 2)
    }
    #expect(try names() == [name])
  }

  @Test(arguments: Self.forms.dropFirst())
  func `fault 66: a file that is not an export stays unless replacing is allowed`(
    _ name: String
  ) async throws {
    try fixture.write(Data("mine".utf8), to: name)
    #expect(await error(name) == .notOurs)
    #expect(try fixture.bytes(name) == Data("mine".utf8))
    #expect(try names() == [name])
    try await export(name, replacing: true)
    #expect(try fixture.bytes(name) != Data("mine".utf8))
    #expect(try names() == [name])
  }

  @Test func `fault 66: a directory with other files is left alone, unless that is allowed`()
    async throws
  {
    try FileManager.default.createDirectory(
      atPath: fixture.path("panda"), withIntermediateDirectories: true)
    try await export("panda")
    #expect(try fixture.names(in: "panda").count == 2)
    try FileManager.default.removeItem(atPath: fixture.path("panda/favorites.ndjson"))
    #expect(await error("panda") == .notOurs)
    for list in ["mine", #"{"count":0,"format":"panda-favorites","version":9}"# + "\n"] {
      try fixture.write(Data(list.utf8), to: "panda/favorites.ndjson")
      #expect(await error("panda") == .notOurs)
      #expect(try fixture.bytes("panda/favorites.ndjson") == Data(list.utf8))
    }
    try await export("panda", [.sample(2)], replacing: true)
    // The picture of the first export is another's file now.
    #expect(try fixture.names(in: "panda").count == 3)
  }

  @Test(arguments: Self.forms)
  func `fault 66: a link is not followed out of the place`(_ name: String) async throws {
    try fixture.write(Data("mine".utf8), to: "target")
    try FileManager.default.createSymbolicLink(
      atPath: fixture.path(name), withDestinationPath: fixture.path("target"))
    let isDirectory = name == "panda"
    if isDirectory {
      #expect(await code(name) == ENOTDIR)
    } else {
      #expect(await error(name) == .notOurs)
      try await export(name, replacing: true)
    }
    #expect(try fixture.bytes("target") == Data("mine".utf8))
  }

  @Test func `fault 66: links in a directory are replaced, never written through`() async throws {
    try await export("panda")
    let name = try #require(try fixture.names(in: "panda").first { $0.hasSuffix(".png") })
    try fixture.write(Data("mine".utf8), to: "target")
    try FileManager.default.removeItem(atPath: fixture.path("panda/\(name)"))
    try FileManager.default.createSymbolicLink(
      atPath: fixture.path("panda/\(name)"), withDestinationPath: fixture.path("target"))
    try await export("panda")
    #expect(try fixture.bytes("target") == Data("mine".utf8))
    #expect(try fixture.bytes("panda/\(name)") == RemoteImage.picture(1))
  }

  @Test(arguments: Self.forms)
  func `fault 66: a place that cannot be written is an error with its reason`(
    _ name: String
  ) async throws {
    #expect(await code("none/\(name)") == ENOENT)
    try fixture.write(Data(), to: "file")
    #expect(await code("file/\(name)") == ENOTDIR)
    #expect(try names() == ["file"])
    // The kernel creates the entries of /proc.
    let library = try await fixture.library([.sample(1)])
    await #expect(throws: FileError.self) {
      try await library.export(to: ExportTarget(path: "/proc/\(name)"))
    }
  }

  @Test func `a place may be named with dots and without a directory`() async throws {
    try FileManager.default.createDirectory(
      atPath: fixture.path("library-here"), withIntermediateDirectories: true)
    try await export("panda")
    try await export("library-here/../panda", [.sample(1), .sample(2)])
    let other = fixture.library("library-other")
    #expect(try await other.importFavorites(from: fixture.path("panda")).added == 2)
  }

  @Test(arguments: Self.forms)
  func `a directory at the place of a file, or a file at that of a directory, stays`(
    _ name: String
  ) async throws {
    if name == "panda" {
      try fixture.write(Data("mine".utf8), to: name)
    } else {
      try FileManager.default.createDirectory(
        atPath: fixture.path(name), withIntermediateDirectories: true)
    }
    for replacing in [false, true] {
      await #expect(throws: FileError.self) { try await export(name, replacing: replacing) }
    }
    #expect(try names() == [name])
  }

  @Test(arguments: Self.forms)
  func `fault 66: a canceled export leaves nothing, or the former export`(_ name: String)
    async throws
  {
    let images = (1...20).map { RemoteImage.sample($0) }
    let library = try await fixture.library(images)
    let target = try ExportTarget(path: fixture.path(name))
    /// Cancels an export after some pictures.
    func cancel() async {
      let task = Task {
        try await library.export(to: target) { progress in
          if progress.done == 10 { withUnsafeCurrentTask { $0?.cancel() } }
        }
      }
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    await cancel()
    #expect(try names() == [])
    try await export(name, Array(images.prefix(3)))
    let before = try name == "panda" ? fixture.bytes("panda/favorites.ndjson") : fixture.bytes(name)
    await cancel()
    #expect(try names() == [name])
    let after = try name == "panda" ? fixture.bytes("panda/favorites.ndjson") : fixture.bytes(name)
    #expect(after == before)
    if name == "panda" { #expect(try fixture.names(in: name).count == 4) }
  }

  @Test func `fault 66: a device is refused, even if replacing is allowed`() async throws {
    let library = try await fixture.library([.sample(1)])
    for path in ["/dev/null", "/dev/zero"] {
      await #expect(throws: ExchangeError(.notOurs, path: path)) {
        try await library.export(to: .html(path), replacing: true)
      }
      await #expect(throws: ExchangeError(.exists, path: path)) {
        try await library.backup(to: path, replacing: true)
      }
    }
  }

  @Test func `fault 66: an export that was killed is continued in its directory`() async throws {
    try await export("panda")
    for (name, text) in [
      (".panda-export-unfinished", ""), (".panda-1a.tmp", "half"), ("favorites.ndjson", nil),
    ] as [(String, String?)] {
      if let text {
        try fixture.write(Data(text.utf8), to: "panda/\(name)")
      } else {
        try FileManager.default.removeItem(atPath: fixture.path("panda/\(name)"))
      }
    }
    try await export("panda", [.sample(1), .sample(2)])
    #expect(try fixture.names(in: "panda").count == 3)
    #expect(try fixture.names(in: "panda").last == "favorites.ndjson")
  }

  @Test(arguments: ["panda", "panda.html", "backup"])
  func `leftovers of a killed run are removed by the next, unless in use`(
    name: String
  ) async throws {
    let library = try await fixture.library([.sample(1)])
    let beside = name == "panda" ? "panda" : "place"
    if name == "panda" { _ = try await library.export(to: .directory(fixture.path(name))) }
    try FileManager.default.createDirectory(
      atPath: fixture.path("\(beside)/.panda-new-dir.tmp/deep"), withIntermediateDirectories: true)
    for file in [
      ".panda-new-dir.tmp/favorites.sqlite", ".panda-new-left.tmp", ".panda-new-busy.tmp",
      ".panda-older.tmp", "own.tmp",
    ] { try fixture.write(Data("half".utf8), to: "\(beside)/\(file)") }
    let busy = open(fixture.path("\(beside)/.panda-new-busy.tmp"), O_RDONLY | O_CLOEXEC)
    defer { close(busy) }
    #expect(flock(busy, LOCK_EX) == 0)
    let path = fixture.path(name == "panda" ? name : "place/\(name)")
    if name == "backup" {
      _ = try await library.backup(to: path)
    } else {
      _ = try await library.export(to: ExportTarget(path: path))
    }
    let names = try fixture.names(in: beside)
    #expect(
      names.filter { $0.hasSuffix(".tmp") }
        == [".panda-new-busy.tmp", ".panda-older.tmp", "own.tmp"])
    #expect(names.count == (name == "panda" ? 5 : 4))
  }

  @Test func `a file that appears at the target meanwhile is not replaced`() async throws {
    let file = try NewFile(at: fixture.path("new"))
    try file.write(Data("export".utf8))
    try fixture.write(Data("mine".utf8), to: "new")
    #expect(throws: FileError(.write, fixture.path("new"), code: EEXIST)) {
      try file.publish(replacing: false)
    }
    #expect(try fixture.bytes("new") == Data("mine".utf8))
  }
}
