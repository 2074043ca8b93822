import Foundation
import Glibc
import PandaTestSupport
import Testing

@testable import Pantry

/// Databases with several names: fault 52.
@MainActor
@Suite struct LinkedFileTests {
  let directory = TemporaryDirectory()
  private var path: String { directory.path("store/pantry.sqlite") }

  @Test(arguments: [false, true])
  func `fault 52: a hard-linked database is refused, and the command in the error cures it`(
    readOnly: Bool
  ) async throws {
    let notes = Note.numbered(0..<3)
    try await Store<Note>(storage: directory.engine()).add(notes)
    try await directory.leaveLog()
    try #require(link(path, directory.path("other.sqlite")) == 0)
    let before = try Data(contentsOf: URL(filePath: path))
    let error = #expect(throws: StorageError.hardLinked(path: path)) {
      try SQLiteStorageEngine(directory: directory.storage, readOnly: readOnly)
    }
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
    let command = try #require(error?.description.split(separator: "run: ").last)
    #expect(
      try Subprocess.run(["sh", "-c", String(command)], environment: ["PATH=/usr/bin:/bin"])
        .status == 0)
    #expect(try await Store<Note>(storage: directory.engine()).items == notes)
  }

  @Test func `a damaged file that is being set aside has two names for a moment`() async throws {
    try await Store<Note>(storage: directory.engine()).add(Note(id: "a"))
    try #require(link(path, path + ".corrupt-20261122") == 0)
    #expect(try await Store<Note>(storage: directory.engine()).items.count == 1)
  }

  @Test func `a symbolic link leads to the same database, with the same log`() async throws {
    let elsewhere = directory.url.appending(path: "elsewhere")
    try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: false)
    let link = elsewhere.appending(path: "linked.sqlite").path
    try #require(symlink(path, link) == 0)
    let direct = try await Store<Note>(storage: directory.engine("default"))
    let linked = try await Store<Note>(
      storage: SQLiteStorageEngine(
        directory: StorageDirectory(url: elsewhere), databaseFilename: "linked.sqlite"))
    try await direct.add(Note(id: "a"))
    try await eventually("the change is followed") { linked.items.map(\.id) == ["a"] }
    try await linked.add(Note(id: "b"))
    try await eventually("the change is followed") { direct.items.map(\.id) == ["a", "b"] }
    let names = try FileManager.default.contentsOfDirectory(atPath: elsewhere.path)
    #expect(names == ["linked.sqlite"])
  }
}
