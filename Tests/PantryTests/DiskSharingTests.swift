import Foundation
import Glibc
import PandaTestSupport
import Testing

@testable import Pantry

/// Directories that several engines, or several processes, want to open.
@MainActor
@Suite struct DiskSharingTests {
  let directory = TemporaryDirectory()
  private let other = ProcessContext()

  private func engine(
    _ name: String = "store", readOnly: Bool = false
  ) throws -> DiskStorageEngine {
    try DiskStorageEngine(
      directory: StorageDirectory(url: directory.url.appending(path: name)), readOnly: readOnly)
  }

  private func store(_ name: String = "store") async throws -> Store<Note> {
    try await Store<Note>(storage: engine(name))
  }

  /// The path of the file of a note.
  private func path(_ identifier: String, in name: String = "store") -> String {
    let digest = ContentDigest(of: Data(identifier.utf8))
    return directory.path(name + "/" + DiskFileName.name(ofItem: digest))
  }

  // MARK: One process

  @Test func `stores of two engines follow each other, one change for each commit`() async throws {
    let (one, two) = (try await store(), try await store())
    func follows(_ store: Store<Note>, _ notes: [Note]) async throws {
      try await eventually("the notes", seen: { "\(store.items)" }) { store.items == notes }
    }
    let counter = ChangeCounter { two.items }
    var notes = Note.numbered(0..<5)
    try await one.add(notes)
    try await follows(two, notes)
    #expect(counter.count == 1)
    notes[1].text = "changed"
    try await two.add(notes[1])
    try await follows(one, notes)
    // Removed and added again, it is the last.
    try await two.remove(notes[0]).add(notes[0]).run()
    notes.append(notes.removeFirst())
    try await follows(one, notes)
    try await one.removeAll()
    try await follows(two, [])
    #expect(counter.count == 4)
  }

  @Test func `files copied there are read at the next opening, each in a place of its own`()
    async throws
  {
    let notes = Note.numbered(0..<4)
    try await store("other").add([Note(id: "x"), Note(id: "copy")])
    try await store("first").add(notes)
    try FileManager.default.copyItem(
      atPath: directory.path("first"), toPath: directory.path("store"))
    try FileManager.default.copyItem(atPath: path("copy", in: "other"), toPath: path("copy"))
    // Where there was one now are two, and those after them are one further.
    let rows = try await engine().rows(for: StorageFollower {})
    #expect(rows.map(\.position) == [0, 1, 2, 3, 4])
    #expect(Set(rows[1...2].map(\.key.rawValue)) == [notes[1].id, "copy"])
    #expect(rows[3...].map(\.key.rawValue) == notes[2...].map(\.id))
    let store = try await store()
    try await store.add(Note(id: "new"))
    #expect(store.items.map(\.id) == rows.map(\.key.rawValue) + ["new"])
  }

  @Test(arguments: [false, true])
  func `nothing is saved while the directory is elsewhere, and all once it is back`(
    isReplaced: Bool
  ) async throws {
    let store = try await store()
    try await store.add(Note(id: "a"))
    let path = directory.path("store")
    try #require(rename(path, path + ".away") == 0)
    if isReplaced { try #require(mkdir(path, 0o700) == 0) }
    await #expect(throws: StorageError.fileIsGone(path: path)) {
      try await store.add(Note(id: "b"))
    }
    #expect(store.items == [Note(id: "a")])
    if isReplaced {
      #expect(try FileManager.default.contentsOfDirectory(atPath: path).isEmpty)
      try #require(rmdir(path) == 0)
    }
    try #require(rename(path + ".away", path) == 0)
    try await store.add(Note(id: "b"))
    #expect(store.items == [Note(id: "a"), Note(id: "b")])
  }

  // MARK: Several processes

  @Test func `a directory that another process has open is refused, and named`() async throws {
    let path = directory.path("store")
    let probe = try CrashProbeProcess(directory: path, generation: 1)
    #expect(probe.read(lines: 1))
    #expect(throws: StorageError.inUse(path: path)) { try engine() }
    #expect(throws: StorageError.inUse(path: path)) { try engine(readOnly: true) }
    probe.kill()
    let own = try engine()
    #expect(try await own.keyExists(CacheKey(verbatim: "same-0")))
    let late = try CrashProbeProcess(directory: path, generation: 1)
    late.wait()
    #expect(late.read(lines: 1) && late.lines == ["\(StorageError.inUse(path: path))"])
    try await own.write(Data("mine".utf8), key: CacheKey(verbatim: "mine"))
  }

  @Test func `processes that only read a directory share it, and keep a writer out`() async throws {
    try await engine("first").write(Data("1".utf8), key: CacheKey(verbatim: "a"))
    // Which no engine that writes has had open.
    try FileManager.default.copyItem(
      atPath: directory.path("first"), toPath: directory.path("store"))
    func reader() throws -> DiskStorageEngine { try engine(readOnly: true) }
    let readers = [try reader(), try other.run { try reader() }]
    for reader in readers { #expect(try await reader.keyCount() == 1) }
    let path = directory.path("store")
    #expect(throws: StorageError.inUse(path: path)) { try engine() }
    withExtendedLifetime(readers) {}
  }
}
