import Foundation
import PandaTestSupport
import SystemSupport
import Testing

@testable import PandaCore
@testable import Pantry

/// Exports that someone made to do harm, or that were damaged.
@MainActor
@Suite struct HostileExportTests {
  let fixture = ExchangeFixture()

  /// Exports favorites to the directory `export`.
  private func export(_ count: Int = 2) async throws {
    let library = try await fixture.library("source", (1...count).map { .sample($0) })
    _ = try await library.export(to: .directory(fixture.path("export")))
    await library.close()
  }

  /// The names of the exported pictures.
  private func pictures() throws -> [String] {
    try fixture.names(in: "export").filter { $0.hasSuffix(".png") }
  }

  /// Imports a directory into a library of one favorite, which must stay the only one.
  @discardableResult
  private func refusal(
    _ name: String = "export", limits: ExchangeLimits = .standard
  ) async throws -> ExchangeError.Kind? {
    let library = fixture.library("other")
    try await library.save(.sample(9))
    let before = try fixture.names()
    let error = await #expect(throws: ExchangeError.self) {
      try await library.importFavorites(from: fixture.path(name), limits: limits)
    }
    #expect(library.favorites.items.map(\.id) == [RemoteImage.sample(9).id])
    #expect(library.incoming.items.isEmpty)
    // Nothing is written beside the library.
    #expect(try fixture.names() == before)
    return error?.kind
  }

  @Test func `fault 66: an export whose pictures differ from its list is refused as a whole`()
    async throws
  {
    try await export()
    let names = try pictures()
    let (first, second) = (
      try fixture.bytes("export/\(names[0])"), try fixture.bytes("export/\(names[1])")
    )
    for data in [
      Data(repeating: 0x78, count: second.count), second + [0x78], second.dropLast(), Data(), first,
    ] {
      try fixture.write(data, to: "export/\(names[1])")
      #expect(try await refusal() == .entry(names[1], .otherBytes))
    }
    // Files that the list does not name are ignored.
    try fixture.write(second, to: "export/\(names[1])")
    try fixture.write(Data("hello".utf8), to: "export/README")
    let library = fixture.library("all")
    #expect(try await library.importFavorites(from: fixture.path("export")).added == 2)
  }

  @Test func `fault 66: a file that is not a picture is refused even with the right digest`()
    async throws
  {
    try await export(1)
    let name = try #require(try pictures().first)
    let (old, new) = (try fixture.bytes("export/\(name)"), Data("<html>no picture</html>".utf8))
    try fixture.write(new, to: "export/\(name)")
    var list = String(decoding: try fixture.bytes("export/favorites.ndjson"), as: UTF8.self)
    for (one, other) in [
      (ContentDigest(of: old).hexadecimal, ContentDigest(of: new).hexadecimal),
      ("\"byteCount\":\(old.count)", "\"byteCount\":\(new.count)"),
    ] { list = list.replacing(one, with: other) }
    try fixture.write(Data(list.utf8), to: "export/favorites.ndjson")
    guard case .entry(name, .notAPicture)? = try await refusal() else {
      Issue.record("it was not refused as no picture")
      return
    }
  }

  @Test func `fault 66: more entries or bytes than the limits are refused`() async throws {
    try await export(3)
    var limits = ExchangeLimits.standard
    limits.entries = 2
    #expect(try await refusal(limits: limits) == .tooManyEntries(limit: 2))
    limits = .standard
    limits.bytes = 150
    #expect(try await refusal(limits: limits) == .tooManyBytes(limit: 150))
  }

  @Test func `fault 66: bytes changed anywhere cause no crash, and never half an import`()
    async throws
  {
    try await export(3)
    let names = try fixture.names(in: "export")
    let other = fixture.library("other")
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<Torture.rounds(100, orTorture: 20_000) {
      let name = "export/\(names.randomElement(using: &generator)!)"
      let whole = try fixture.bytes(name)
      var data = whole
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        data[Int.random(in: 0..<data.count, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      try fixture.write(data, to: name)
      do {
        let report = try await other.importFavorites(from: fixture.path("export"))
        // Those of an earlier round are in the trash; a changed address is another picture's.
        #expect(report.added == other.favorites.items.count && report.added + report.trashed >= 2)
        _ = try await other.undo()
      } catch {
        #expect(error is ExchangeError, "\(error)")
      }
      #expect(other.favorites.items.isEmpty && other.incoming.items.isEmpty)
      try fixture.write(whole, to: name)
    }
  }

  @Test func `fault 66: a path that is no directory is refused without blocking`() async throws {
    try fixture.run("mkfifo", fixture.path("pipe"))
    try fixture.write(Data("panda".utf8), to: "file")
    let library = fixture.library("other")
    for (name, code) in [("pipe", ENOTDIR), ("file", ENOTDIR), ("none", ENOENT)] {
      let path = fixture.path(name)
      await #expect(throws: FileError(.open, path, code: code)) {
        try await library.importFavorites(from: path)
      }
    }
    try FileManager.default.createDirectory(
      atPath: fixture.path("empty"), withIntermediateDirectories: true)
    #expect(try await refusal("empty") == .noManifest)
  }

  @Test func `fault 66: a directory is read through no link, pipe or wrong file`() async throws {
    try await export()
    let name = try fixture.names(in: "export")[1]
    let path = fixture.path("export/\(name)")
    let manager = FileManager.default

    try manager.moveItem(atPath: path, toPath: fixture.path("moved"))
    #expect(try await refusal() == .entry(name, .missing))
    try manager.createSymbolicLink(atPath: path, withDestinationPath: fixture.path("moved"))
    #expect(try await refusal() == .entry(name, .link))
    try manager.removeItem(atPath: path)
    try fixture.run("mkfifo", path)
    #expect(try await refusal() == .entry(name, .notAFile))
    try manager.removeItem(atPath: path)
    try manager.createDirectory(atPath: path, withIntermediateDirectories: true)
    #expect(try await refusal() == .entry(name, .notAFile))
    try manager.removeItem(atPath: path)
    try fixture.run("truncate", "-s", "512000001", path)
    #expect(try await refusal() == .entry(name, .tooLarge(limit: 512_000_000)))
    try manager.removeItem(atPath: path)
    try manager.moveItem(atPath: fixture.path("moved"), toPath: path)
    try manager.moveItem(
      atPath: fixture.path("export/favorites.ndjson"), toPath: fixture.path("moved"))
    try manager.createSymbolicLink(
      atPath: fixture.path("export/favorites.ndjson"), withDestinationPath: fixture.path("moved"))
    #expect(try await refusal() == .entry("favorites.ndjson", .link))
  }

  @Test func `fault 66: an export that is replaced while it is read is never half imported`()
    async throws
  {
    try await export(40)
    let path = fixture.path("export")
    let pictures = try pictures()
    let result = await Task {
      try await fixture.library("other").importFavorites(from: path) { progress in
        guard progress.done == 10 else { return }
        // Those that are not read yet, too.
        for file in pictures {
          _ = FileManager.default.createFile(
            atPath: "\(path)/\(file)", contents: RemoteImage.picture(7))
        }
      }
    }.result
    // The bytes are not those of the list.
    let error = #expect(throws: ExchangeError.self) { try result.get() }
    guard case .entry(_, .otherBytes)? = error?.kind else {
      Issue.record("\(String(describing: error))")
      return
    }
    let found = fixture.library("other").favorites
    try await found.itemsHaveLoaded()
    #expect(found.items.isEmpty)
  }
}
