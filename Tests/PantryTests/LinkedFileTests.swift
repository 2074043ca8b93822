import Foundation
import Glibc
import PandaTestSupport
import Testing

@testable import Pantry

/// Databases with several names: faults 52 and 86.
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

  /// How a second path leads to the file.
  enum Link: CaseIterable {
    case file, chain, directory, chainOfBoth

    /// Makes the links in `folder`; returns the directory and the name that lead to `path`.
    func make(in folder: String, to path: String) throws -> (directory: String, name: String) {
      let place = FileLocation(path)
      let made =
        switch self {
        case .file: [symlink(path, folder + "/linked")]
        case .chain:
          [
            mkdir(folder + "/deep", 0o700), symlink("../second", folder + "/deep/first"),
            symlink(path, folder + "/second"), symlink("deep/first", folder + "/linked"),
          ]
        case .directory: [symlink(place.directory, folder + "/directory")]
        case .chainOfBoth:
          [
            symlink(place.directory, folder + "/directory"),
            symlink("directory/\(place.name)", folder + "/linked"),
          ]
        }
      guard made.allSatisfy({ $0 == 0 }) else { throw TestFailure("no link could be made") }
      return self == .directory ? (folder + "/directory", place.name) : (folder, "linked")
    }
  }

  @Test(arguments: Link.allCases, [false, true])
  func `fault 86: through any links, a store follows processes on the file, and they follow it`(
    _ link: Link, dangles: Bool
  ) async throws {
    let elsewhere = TemporaryDirectory()
    let place = try link.make(in: elsewhere.url.path, to: path)
    if !dangles { try await Store<Note>(storage: directory.engine()).add(Note(id: "first")) }
    let store = try await Store<Note>(
      storage: SQLiteStorageEngine(
        directory: StorageDirectory(url: URL(filePath: place.directory)),
        databaseFilename: place.name, namespace: "Note"))
    let other = try ProbeProcess(
      "PantryLiveProbe", ["hold", directory.storage.url.path, "held"])
    #expect(await other.line() == "held")
    let first = dangles ? [] : ["first"]
    try await eventually("the change is followed") { store.items.map(\.id) == first + ["held"] }
    try await store.add(Note(id: "linked"))
    try other.write("")
    #expect(await other.line() == "saved")
    try await eventually("the change is followed") {
      store.items.map(\.id) == first + ["held", "linked", "held again"]
    }
    let names = try FileManager.default.subpathsOfDirectory(atPath: elsewhere.url.path)
    #expect(names.allSatisfy { !$0.contains("-wal") && !$0.contains("-notify") }, "\(names)")
  }

  @Test func `a retargeted link is an error at the next change, not followed silently`()
    async throws
  {
    let link = directory.path("linked")
    for name in ["a", "b"] { mkdir(directory.path(name), 0o700) }
    try #require(symlink("a/notes.sqlite", link) == 0)
    let open = { [directory] in
      try await Store<Note>(
        storage: SQLiteStorageEngine(
          directory: StorageDirectory(url: directory.url), databaseFilename: "linked",
          namespace: "Note"))
    }
    let store = try await open()
    try await store.add(Note(id: "a"))
    unlink(link)
    try #require(symlink("b/notes.sqlite", link) == 0)
    try await open().add(Note(id: "b"))
    let error = StorageError.linkHasChanged(path: link, file: directory.path("a/notes.sqlite"))
    await #expect(throws: error) {
      try await store.add(Note(id: "c"))
    }
    #expect(try await open().items.map(\.id) == ["b"])
  }

  @Test func `engines by different paths share one file, even before it exists`() throws {
    try #require(symlink("store/deep", directory.path("linked")) == 0)
    let paths = ["store/deep", "linked", "store/./deep/", "store/deep/../deep", "linked/../deep"]
    let files = paths.map {
      SQLiteFile.named(
        "pantry.sqlite", in: StorageDirectory(url: URL(filePath: directory.path($0))))
    }
    #expect(files.allSatisfy { $0 === files[0] })
    _ = try files[0].location.open()
    let again = SQLiteFile.named(
      "pantry.sqlite", in: StorageDirectory(url: URL(filePath: directory.path("linked/."))))
    #expect(again === files[0])
  }

  @Test(arguments: ["sqlite", "disk", "value", "backup"])
  func `the kernel resolves paths that go on after a link`(_ kind: String) async throws {
    mkdir(directory.path("real"), 0o700)
    mkdir(directory.path("real/deep"), 0o700)
    try #require(symlink("real/deep", directory.path("link")) == 0)
    let place = StorageDirectory(url: URL(filePath: directory.path("link/../data")))
    switch kind {
    case "sqlite":
      let engine = try SQLiteStorageEngine(directory: place, namespace: "Note")
      try await Store<Note>(storage: engine).add(Note(id: "a"))
    case "disk":
      let store = try await Store<Note>(storage: DiskStorageEngine(directory: place))
      try await store.add(Note(id: "a"))
    case "value":
      let value = StoredValue(
        wrappedValue: 1, key: "key", directory: place, registry: ValueRegistry())
      value.set(2)
      try await value.flush()
    default:
      let engine = try directory.engine()
      try await Store<Note>(storage: engine).add(Note(id: "a"))
      try await engine.backup(to: URL(filePath: directory.path("link/../data")))
    }
    #expect(access(directory.path("real/data"), F_OK) == 0)
    #expect(access(directory.path("data"), F_OK) != 0)
  }

  @Test func `a cycle of links is refused with a readable error`() async throws {
    try #require(symlink("second", directory.path("first")) == 0)
    try #require(symlink("first", directory.path("second")) == 0)
    #expect {
      try SQLiteStorageEngine(
        directory: StorageDirectory(url: directory.url), databaseFilename: "first")
    } throws: {
      "\($0)".contains("link")
    }
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
